"""The ledger's links to tables, hands and seats, and which stacks belong to a player."""

from collections.abc import Iterable
from contextlib import suppress
from uuid import UUID

from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Hand, Seat, Table
from wallets.money import accounts
from wallets.money.references import CHECKS, FINDERS, Link


def tables(references: list[str]) -> dict[str, Link]:
    """Links to tables, for references such as `table:7`."""
    found = Table.objects.filter(pk__in=_numbers(references))
    return {one.reference: Link(reverse("table", args=[one.pk]), one.title) for one in found}


def hands(references: list[str]) -> dict[str, Link]:
    """Links to hands, for references such as `hand:12`."""
    found = Hand.objects.filter(pk__in=_numbers(references))
    return {one.reference: Link(reverse("hand", args=[one.pk]), one.code) for one in found}


def seats(references: list[str]) -> dict[str, Link]:
    """Links to the statements of stacks, for references such as `seat:…`."""
    found = Seat.objects.filter(code__in=_codes(references)).select_related("table")
    return {
        one.reference: Link(
            reverse("stay", args=[one.code]),
            _("seat {number} at {table}").format(number=one.number, table=one.table.title),
        )
        for one in found
    }


def stacks(player_id: int) -> QuerySet[Model, int]:
    """The accounts of a player's stacks, of earlier seats too."""
    return Seat.objects.filter(player=player_id).values_list("stack_id", flat=True)


def without_hand(postings: Iterable[tuple[UUID, str, str]]) -> list[UUID]:
    """The keys of postings (key, kind, reference) whose hand is missing or names another key."""
    postings = list(postings)
    try:
        found = Hand.objects.filter(pk__in=_numbers([reference for *_, reference in postings]))
        rows = list(found.values_list("pk", "posting", "reversal"))
    except ValueError:
        # One unreadable hand must not hide the others: check each posting by itself.
        if len(postings) == 1:
            return [postings[0][0]]
        return [key for posting in postings for key in without_hand([posting])]
    hands = {
        f"hand:{number}": {"hand": posting, "hand_void": reversal}
        for number, posting, reversal in rows
    }
    return [key for key, kind, reference in postings if hands.get(reference, {}).get(kind) != key]


def _codes(references: list[str]) -> list[UUID]:
    found = []
    for reference in references:
        with suppress(ValueError):
            found.append(UUID(reference.partition(":")[2]))
    return found


def _numbers(references: list[str]) -> list[int]:
    suffixes = [reference.partition(":")[2] for reference in references]
    return [int(one) for one in suffixes if one.isdecimal()]


def tell_wallets() -> None:
    FINDERS.add("table", tables)
    FINDERS.add("hand", hands)
    FINDERS.add("seat", seats)
    accounts.STACKS.add("seats", stacks)
    for kind in ("hand", "hand_void"):
        CHECKS.add(kind, without_hand)
