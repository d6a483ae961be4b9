"""Links for the references to events in the ledger."""

from django.urls import reverse

from tournaments.event.organiser import KIND
from tournaments.models import Tournament
from wallets.money.references import FINDERS, Link


def events(references: list[str]) -> dict[str, Link]:
    """Links to events, for references such as `tournament:12`."""
    suffixes = (reference.partition(":")[2] for reference in references)
    numbers = [int(one) for one in suffixes if one.isdecimal()]
    return {
        one.reference: Link(reverse("tournament", args=[one.pk]), one.name)
        for one in Tournament.objects.filter(pk__in=numbers)
    }


def tell_wallets() -> None:
    FINDERS.add(KIND, events)
