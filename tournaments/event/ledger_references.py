"""Links for the references to events in the ledger."""

from django.urls import reverse

from tournaments.event.organiser import KIND
from tournaments.models import Tournament
from wallets.money.references import FINDERS, Link


def events(references: list[str]) -> dict[str, Link]:
    """Links to events, for references such as `tournament:12`."""
    suffixes = (reference.partition(":")[2] for reference in references)
    numbers = [int(suffix) for suffix in suffixes if suffix.isdecimal()]
    return {
        tournament.reference: Link(reverse("tournament", args=[tournament.pk]), tournament.name)
        for tournament in Tournament.objects.filter(pk__in=numbers)
    }


def tell_wallets() -> None:
    FINDERS.add(KIND, events)
