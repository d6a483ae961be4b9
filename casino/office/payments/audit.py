"""Check payments: each says what its postings moved; no posting at a provider is without one."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final
from uuid import UUID

from casino.office.desk.receipt_audit import AT_ONCE, Posting, Side, by_key, read, variance_of
from casino.office.payments.advancing import sent_back_key
from casino.office.payments.asking import release_key
from casino.office.payments.models import Payment
from games.records.audit_rows import chunks
from wallets.models import Account, Transaction
from wallets.models.holders import player_reference
from wallets.money.cashier import CORRECTION, RELEASED, SET_ASIDE
from wallets.payments import OWNER, cash_of
from wallets.staff.cash_verbs import DEPOSIT, WITHDRAWAL
from wallets.storage.replica import snapshot

Kind, Status, Way = Account.Kind, Payment.Status, Payment.Way
# The statuses of a payment whose money is in a wallet, or has left it.
POSTED: Final = (
    *(Status.CONFIRMED, Status.SENDING, Status.PAID, Status.RETURNED),
    *(Status.TAKEN, Status.BORNE),
)
# A dispute may be won before anybody has borne it, or afterwards.
EITHER: Final = Status.WON
KINDS: Final = {Way.IN: DEPOSIT, Way.OUT: WITHDRAWAL, Way.CHARGEBACK: CORRECTION}
GIVEN_BACK: Final = (Status.REFUSED, Status.CANCELLED)


def postings() -> Mapping[UUID, str]:
    """The keys and kinds of the postings that payments are about, for the audit of the desk."""
    due: dict[UUID, str] = {}
    for payment in Payment.objects.only("key", "way", "status", "posting_key").iterator(AT_ONCE):
        due |= _due(payment)
    return due


def _due(payment: Payment) -> dict[UUID, str]:
    due: dict[UUID, str] = {}
    if payment.way == Way.OUT:
        due[payment.key] = SET_ASIDE
        if payment.status in GIVEN_BACK:
            due[release_key(payment)] = RELEASED
    if payment.status == Status.RETURNED:
        due[sent_back_key(payment)] = CORRECTION
    if payment.posting_key is not None:
        due[payment.posting_key] = KINDS[Way(payment.way)]
    return due


def findings(_since: date | None = None) -> Iterator[str]:
    with snapshot():
        findings = [*_payments(), *_strangers()]
    yield from findings


def _payments() -> Iterator[str]:
    rows = Payment.objects.order_by("pk").iterator(chunk_size=AT_ONCE)
    for some in chunks(rows, AT_ONCE):
        keys = [key for payment in some for key in _due(payment)]
        there = by_key(keys)
        for payment in some:
            for what in _of_payment(payment, there):
                yield f"payment {payment.pk}: {what}"


def _of_payment(payment: Payment, there: Mapping[UUID, Posting]) -> Iterator[str]:
    is_posted = payment.posting_key is not None
    if payment.status != EITHER and (payment.status in POSTED) != is_posted:
        yield f"it is {payment.status}, with{'' if payment.posting_key else 'out'} a posting"
    amounts = _amounts(payment, there)
    for key, kind in _due(payment).items():
        posting = there.get(key)
        if posting is None or posting.kind != kind:
            yield f"its posting ({kind}) is lacking"
        elif posting.amounts != amounts[key]:
            yield f"its posting ({kind}) moved something else"
        elif key == payment.posting_key and posting.number != payment.posting:
            yield "it names another posting"


def _amounts(payment: Payment, there: Mapping[UUID, Posting]) -> dict[UUID, dict[Side, int]]:
    """What each posting of a payment has to move."""
    player, amount = player_reference(payment.player_id), payment.came
    wallet = Side(Kind.PLAYER, player, payment.currency_id)
    aside = wallet._replace(kind=Kind.ESCROW)
    cash = Side(Kind.ISSUE, cash_of(payment.provider), payment.currency_id)
    amounts = {
        payment.key: {wallet: -amount, aside: amount},
        release_key(payment): {aside: -amount, wallet: amount},
        sent_back_key(payment): {cash: -amount, wallet: amount},
    }
    if payment.posting_key is None:
        return amounts
    if payment.way == Way.IN:
        return amounts | {payment.posting_key: {cash: -amount, wallet: amount}}
    if payment.way == Way.OUT:
        return amounts | {payment.posting_key: {aside: -amount, cash: amount}}
    bearer = wallet
    posting = there.get(payment.posting_key)
    if payment.status == Status.BORNE or (
        payment.status != Status.TAKEN and posting and wallet not in posting.amounts
    ):
        bearer = variance_of(payment.currency_id)
    return amounts | {
        payment.posting_key: {bearer: -amount, cash: amount},
        sent_back_key(payment): {cash: -amount, bearer: amount},
    }


def _strangers() -> Iterator[str]:
    """Postings at a provider that no payment is about."""
    due = postings()
    at_providers = Transaction.objects.filter(
        entries__account__kind=Kind.ISSUE, entries__account__owner__startswith=OWNER
    )
    for posting in read(at_providers.distinct()):
        if due.get(posting.key) != posting.kind:
            yield f"posting {posting.key} ({posting.kind}) at a provider is of no payment"
