"""Receipts: their numbers, how one is written, found, and printed."""

from datetime import date, datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from casino.office.desk import cash
from casino.office.desk.models import Receipt, Shift, Till
from wallets.models import Currency
from wallets.money.ledger import Posted
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Order
from wallets.values.amounts import WRITTEN, read_amount
from wallets.values.days import day_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer

SEE_ALL: Final = "desk.see_every_till"
WORK: Final = "desk.work_till"
FOUND_MAX: Final = 50
PRINTED: Final = journal.register(
    "receipt.print", _("Print a receipt"), needs_reason=False, permission=WORK
)
_LETTERS: Final = {Receipt.Kind.CORRECTION: "C", Receipt.Kind.TRANSFER: "V"}


def issue(  # noqa: PLR0913 - what a receipt says
    kind: str,
    order: Order,
    posted: Posted,
    currency: Currency,
    amount: int,
    *,
    shift: Shift | None = None,
    till: Till | None = None,
    **given: Any,
) -> Receipt:
    """Write the receipt of a posting, in its transaction.

    The posting holds the lock of the desk's book until then, so numbers have no gaps.
    """
    till = shift.till if shift else till
    day = day_of(order.now)
    serial = _next(day)
    return Receipt.objects.create(
        number=number_of(kind, day, serial),
        day=day,
        serial=serial,
        kind=kind,
        till=till,
        shift=shift,
        currency=currency,
        amount=amount,
        till_after=cash.cash_in(till, currency) if till else None,
        cashier_id=order.maker.pk,
        cashier_name=order.maker.username,
        second_name=order.checker.username if order.checker else "",
        reason=order.reason,
        key=given.pop("key", order.key),
        posting=posted.transaction,
        at=order.now,
        **given,
    )


def number_of(kind: str, day: date, serial: int) -> str:
    return f"{_LETTERS.get(Receipt.Kind(kind), 'R')}-{day:%y%m%d}-{serial:04}"


def _next(day: date) -> int:
    last = Receipt.objects.filter(day=day).aggregate(last=Max("serial"))["last"]
    return (last or 0) + 1


def visible_to(member: Viewer) -> QuerySet[Receipt]:
    """All of them for managers and auditors; for a cashier those of their own shifts."""
    found = Receipt.objects.select_related("currency", "till", "to_till", "player", "shift")
    if member.has_perm(SEE_ALL):
        return found
    return found.filter(Q(shift__cashier_id=member.pk) | Q(to_shift__cashier_id=member.pk))


def search(member: Viewer, text: str) -> list[Receipt]:
    """By number, by the name of a player, or by an amount in whole units of any currency."""
    text = text.replace("\0", "").strip()
    found = visible_to(member)
    if text:
        wanted = Q(number__iexact=text) | Q(player__username__istartswith=text)
        for currency in Currency.objects.all() if WRITTEN.fullmatch(text) else ():
            wanted |= _of_amount(text, currency)
        found = found.filter(wanted)
    return list(found.order_by("-pk")[:FOUND_MAX])


def _of_amount(text: str, currency: Currency) -> Q:
    try:
        amount = read_amount(text, currency)
    except Refused:
        return Q()
    return Q(currency=currency, amount__in=(amount, -amount))


@under(PRINTED)
def print_one(member: Viewer, receipt: Receipt, now: datetime) -> None:
    """Count a print; the second one and all later ones say that they are copies."""
    with transaction.atomic():
        held = Receipt.objects.select_for_update(no_key=True).get(pk=receipt.pk)
        Receipt.objects.filter(pk=held.pk).update(prints=F("prints") + 1)
        journal.write(
            journal.by(member),
            PRINTED,
            receipt.reference,
            before={"prints": held.prints},
            after={"prints": held.prints + 1},
            reason="",
            now=now,
        )


def effective(receipt: Receipt) -> int:
    """Return a receipt's amount with its corrections, always positive."""
    later = sum(receipt.corrections.values_list("amount", flat=True))
    return abs(receipt.amount + later)
