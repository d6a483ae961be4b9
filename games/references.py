"""Where the references that this room puts into the ledger lead."""

from contextlib import suppress
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Hand, Seat, Table
from wallets.references import Link, register


def tables(references: list[str]) -> dict[str, Link]:
    """Books of tables, as in `table:7`."""
    found = Table.objects.filter(pk__in=_numbers(references))
    return {one.reference: Link(reverse("table", args=[one.pk]), one.title) for one in found}


def hands(references: list[str]) -> dict[str, Link]:
    """Hands, as in `hand:12`."""
    found = Hand.objects.filter(pk__in=_numbers(references))
    return {one.reference: Link(reverse("hand", args=[one.pk]), one.code) for one in found}


def seats(references: list[str]) -> dict[str, Link]:
    """Stays at a table, as in `seat:…`: what went in and out of one purse there."""
    found = Seat.objects.filter(code__in=_codes(references)).select_related("table")
    return {
        one.reference: Link(
            reverse("stay", args=[one.code]),
            _("seat {number} at {table}").format(number=one.number, table=one.table.title),
        )
        for one in found
    }


def _codes(references: list[str]) -> list[UUID]:
    found = []
    for reference in references:
        with suppress(ValueError):
            found.append(UUID(reference.partition(":")[2]))
    return found


def _numbers(references: list[str]) -> list[int]:
    told = [reference.partition(":")[2] for reference in references]
    return [int(one) for one in told if one.isdecimal()]


def tell_wallets() -> None:
    register("table", tables)
    register("hand", hands)
    register("seat", seats)
