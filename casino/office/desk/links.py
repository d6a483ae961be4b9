"""The pages behind the desk's references in the journal and in proposals."""

from collections.abc import Callable
from typing import Final

from django.urls import reverse

from casino.office.desk.models import Receipt, Shift, Till
from wallets.money.references import Link


def _tills(keys: list[str]) -> dict[str, Link]:
    found = Till.objects.filter(pk__in=keys)
    return {one.reference: Link(reverse("desk-tills"), str(one)) for one in found}


def _shifts(keys: list[str]) -> dict[str, Link]:
    found = Shift.objects.filter(pk__in=keys).select_related("till")
    return {one.reference: Link(reverse("desk-shift", args=[one.pk]), str(one)) for one in found}


def _receipts(keys: list[str]) -> dict[str, Link]:
    found = Receipt.objects.filter(pk__in=keys)
    return {
        one.reference: Link(reverse("desk-receipt", args=[one.number]), one.number) for one in found
    }


# By the first word of the reference; the keys are the numbers after it.
DESK: Final[dict[str, Callable[[list[str]], dict[str, Link]]]] = {
    "till": _tills,
    "shift": _shifts,
    "receipt": _receipts,
}
