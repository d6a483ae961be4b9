"""Each day the provider's list against the ledger, both ways; a difference is an alarm.

First the payments are asked about that the provider calls paid and the house does not, since a lost
message is no difference. A difference that a later list no longer has is settled by itself.
Disputes are written down; those of no payment differ.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q

from casino.office.payments import advancing, disputes, offered
from casino.office.payments.advancing import CHANGEABLE
from casino.office.payments.models import Difference, Payment
from wallets.models import Entry
from wallets.of_record.verbs import verb
from wallets.payments import Away, Declined, Disputing, Line, Provider, State, cash_of

# A list looks back so far, and leaves out what may still be on its way.
LOOKED_BACK: Final = timedelta(days=3)
SETTLED_AFTER: Final = timedelta(hours=1)
What, Status, Way = Difference.What, Payment.Status, Payment.Way


class Apart(NamedTuple):
    """One thing about which the two sides differ."""

    reference: str
    what: str
    payment: Payment | None
    here: str
    there: str


def reconcile(now: datetime) -> int:
    """Compare every provider that keeps a list; return how many differences stand."""
    for provider in offered.providers():
        try:
            reconcile_with(provider, now)
        except (Away, Declined) as problem:
            advancing.log.warning("%s gives no list: %s", provider.name, problem)
    return Difference.objects.filter(closed_at=None).count()


def reconcile_with(provider: Provider, now: datetime) -> None:
    since, until = now - LOOKED_BACK, now - SETTLED_AFTER
    lines = provider.reconcile(since, until)
    if lines is None:
        return
    for line in lines:
        _catch_up(provider, line, now)
    differences = list(_apart(provider.name, lines, since, until))
    if isinstance(provider, Disputing):
        differences += _disputed(provider.name, provider, since, now)
    apart = {difference.reference for difference in differences}
    agreed = {line.reference for line in lines} - apart
    _note(provider.name, differences, agreed, now)


def _catch_up(provider: Provider, line: Line, now: datetime) -> None:
    payment = _payment_of(provider.name, line)
    if payment is not None and payment.status in CHANGEABLE and payment.next_at is None:
        Payment.objects.filter(pk=payment.pk).update(next_at=now)
        payment.next_at = now
        advancing.advance(payment, now)


def _payment_of(provider: str, line: Line) -> Payment | None:
    named = Q(provider_reference=line.reference) | Q(refund_reference=line.reference)
    if line.key is not None:
        named |= Q(key=line.key)
    rows = Payment.objects.filter(named, provider=provider).select_related("currency", "source")
    return rows.order_by("pk").first()


def _apart(provider: str, lines: list[Line], since: datetime, until: datetime) -> Iterator[Apart]:
    listed: set[tuple[int, bool]] = set()
    for line in lines:
        payment = _payment_of(provider, line)
        there = f"{-line.amount if line.is_refund else line.amount} {line.currency}"
        if payment is None:
            yield Apart(line.reference, What.NOT_HERE, None, "", there)
            continue
        listed.add((payment.pk, line.is_refund))
        here = _moved(payment, is_refund=line.is_refund)
        if not here:
            yield Apart(line.reference, What.NOT_HERE, payment, "", there)
        elif here != there:
            yield Apart(line.reference, What.AMOUNT, payment, here, there)
    # What lies at the ends of the time may be in the list of another day.
    inside = Payment.objects.filter(
        provider=provider,
        decided_at__gte=since + advancing.OPEN_FOR,
        decided_at__lt=until - advancing.OPEN_FOR,
        status__in=(Status.CONFIRMED, Status.PAID),
    )
    for payment in inside.select_related("currency"):
        is_refund = payment.way == Way.OUT
        if (payment.pk, is_refund) not in listed:
            here = _moved(payment, is_refund=is_refund)
            yield Apart(payment.provider_reference, What.NOT_THERE, payment, here, "")


def _disputed(name: str, provider: Disputing, since: datetime, now: datetime) -> Iterator[Apart]:
    """Write down the disputes of which no call came, and have the others asked about again."""
    disputes.wake(name, now)
    for dispute in provider.disputes(since, now):
        if disputes.note(name, dispute, now) is None and dispute.outcome.state == State.PAID:
            there = f"{-dispute.outcome.amount} {dispute.outcome.currency}"
            yield Apart(dispute.reference, What.NOT_HERE, None, "", there)


def _moved(payment: Payment, *, is_refund: bool) -> str:
    """What the ledger has moved at the provider, as a list would say it; empty if nothing."""
    if (payment.way == Way.OUT) == is_refund and payment.status != Status.RETURNED:
        entries = Entry.objects.filter(
            transaction=payment.posting, account__owner=cash_of(payment.provider)
        )
        entry = entries.select_related("account").first() if payment.posting else None
        if entry is not None:
            return f"{-entry.amount} {entry.account.currency_id}"
    elif payment.status in (Status.REFUNDING, Status.REFUNDED):
        # Both halves of what no wallet got are at the provider alone.
        return f"{-payment.came} {_currency(payment)}"
    if (
        not is_refund
        and payment.way == Way.IN
        and payment.status in (Status.REFUNDING, Status.REFUNDED)
    ):
        return f"{payment.came} {_currency(payment)}"
    return ""


def _currency(payment: Payment) -> str:
    return payment.paid_currency or payment.currency_id


@verb("house:payments.reconcile")
def _note(provider: str, found: list[Apart], agreed: set[str], now: datetime) -> None:
    """Write new differences down, and settle those about which both sides now agree."""
    with transaction.atomic():
        rows = Difference.objects.select_for_update(no_key=True).filter(provider=provider)
        known = {(row.provider_reference, row.what): row for row in rows}
        for difference in found:
            row = known.get((difference.reference, difference.what))
            if row is None:
                Difference.objects.create(
                    provider=provider,
                    provider_reference=difference.reference,
                    what=difference.what,
                    payment=difference.payment,
                    here=difference.here,
                    there=difference.there,
                    found_at=now,
                )
            elif row.closed_at is not None and (row.here, row.there) != (
                difference.here,
                difference.there,
            ):
                row.here, row.there = difference.here, difference.there
                row.closed_at, row.closed_by_name, row.words = None, "", ""
                row.save()
        for row in known.values():
            if row.provider_reference in agreed and row.closed_at is None:
                row.closed_at = now
                row.save(update_fields=["closed_at"])
