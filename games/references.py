"""Where the references that this room puts into the ledger lead."""

from django.urls import reverse

from games.models import Hand, Table
from wallets.references import Link, register


def tables(references: list[str]) -> dict[str, Link]:
    """Books of tables, as in `table:7`."""
    found = Table.objects.filter(pk__in=_numbers(references))
    return {one.reference: Link(reverse("table", args=[one.pk]), one.name) for one in found}


def hands(references: list[str]) -> dict[str, Link]:
    """Hands, as in `hand:12`."""
    found = Hand.objects.filter(pk__in=_numbers(references))
    return {one.reference: Link(reverse("hand", args=[one.pk]), one.code) for one in found}


def _numbers(references: list[str]) -> list[int]:
    told = [reference.partition(":")[2] for reference in references]
    return [int(one) for one in told if one.isdecimal()]


def tell_wallets() -> None:
    register("table", tables)
    register("hand", hands)
