"""What the house does by itself: ask providers how payments are, post them, return money.

A payment is claimed as in every outbox (`casino/ops/outbox.py`), and the answer of its provider is
posted under the lock of the payment, once: a browser that never comes back, and a message that
comes twice, late or first, change nothing.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar
from uuid import UUID, uuid5

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.office.payments import disputes, offered
from casino.office.payments.asking import end, locked
from casino.office.payments.models import ERROR_MAX, NOT_OPENED, Payment
from casino.ops import outbox
from wallets.models import Account
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.of_record.verbs import declare, under
from wallets.payments import (
    PROVIDERS,
    Away,
    Call,
    Declined,
    Disputing,
    Outcome,
    Refund,
    Refunded,
    State,
    Wanted,
    cash_of,
)
from wallets.values.errors import Refused

ADVANCE: Final = declare("house:payment.advance")
LEASE: Final = timedelta(minutes=2)
WAIT_FIRST: Final = timedelta(seconds=15)
WAIT_MAX: Final = timedelta(minutes=30)
# After this time a page of the provider is closed, and a deposit that was not paid is over.
OPEN_FOR: Final = timedelta(hours=1)
# A deposit that its provider has not opened by then is not opened any more.
STARTED_WITHIN: Final = timedelta(minutes=20)
# Players may see it open for so long after the page was closed, since banks take their time.
ASKED_FOR: Final = timedelta(days=7)
AT_ONCE: Final = 20
# One run asks for so long; the next run asks about the rest.
RUN_SECONDS_MAX: Final = 60.0
HOUSE: Final = "house"
BY_PROVIDER: Final = _n("paid through a provider")
SENT_BACK: Final = _n("the provider could not pay it out")
Status, Way = Payment.Status, Payment.Way
OPEN: Final = (Status.STARTED, Status.REFUNDING, Status.SENDING)
# Those about which a provider may still have something to say.
CHANGEABLE: Final = (*OPEN, Status.FAILED, *disputes.OPEN)

log = logging.getLogger(__name__)


def due(now: datetime) -> QuerySet[Payment]:
    return Payment.objects.filter(next_at__lte=now)


def advance_due(now: datetime) -> int:
    """Ask about the payments that are due; return how many have changed."""
    rows = due(now).order_by("next_at", "pk").select_related("currency", "source")
    names = due(now).order_by("provider").values_list("provider", flat=True).distinct()
    queues = (rows.filter(provider=name)[:AT_ONCE] for name in names)
    return outbox.send(queues, advance, now, seconds_max=RUN_SECONDS_MAX)


def call(provider: str, about: Call, now: datetime) -> bool:
    """A provider says that something is new: the payment is asked about at once."""
    rows = Payment.objects.filter(provider=provider, status__in=CHANGEABLE)
    if about.key is not None:
        # The message may be here before the answer in which the provider has named it.
        for payment in rows.filter(key=about.key, provider_reference=""):
            _write(payment, lambda held: _name(held, about.reference, held.address))
    named = Q(provider_reference=about.reference) | Q(refund_reference=about.reference)
    return bool(rows.filter(named).update(next_at=now))


def advance(payment: Payment, now: datetime) -> bool | None:
    """Ask the provider of a payment once: whether its status has changed, False if it is away."""
    if not outbox.claim(payment, now + LEASE):
        return None
    before, error, is_away = payment.status, "", False
    try:
        if payment.provider not in PROVIDERS or payment.status not in CHANGEABLE:
            next_at = None
        else:
            next_at = STEPS[Status(payment.status)](payment, now)
    except (Away, Declined) as problem:
        error, next_at = str(problem), now + _wait(payment.attempts)
        is_away = isinstance(problem, Away)
    except Exception as problem:
        log.exception("%s could not be carried on", payment)
        error, next_at = type(problem).__name__, now + _wait(payment.attempts)
    # A call that came meanwhile has set another time, which stays.
    Payment.objects.filter(pk=payment.pk, next_at=now + LEASE).update(
        next_at=next_at, last_error=error[:ERROR_MAX]
    )
    changed = Payment.objects.exclude(status=before).filter(pk=payment.pk).exists()
    return changed or (False if is_away else None)


def _wait(attempts: int) -> timedelta:
    return outbox.doubled(WAIT_FIRST, attempts, WAIT_MAX)


def _in(payment: Payment, now: datetime) -> datetime | None:
    """A deposit: open it, or ask how far it is."""
    provider = PROVIDERS[payment.provider]
    if not payment.provider_reference:
        if now >= payment.made_at + STARTED_WITHIN:
            _write(payment, lambda held: end(held, Status.FAILED, now, NOT_OPENED))
            return None
        try:
            started = provider.start(_wanted(payment))
        except Declined as problem:
            words = str(problem)[:200]
            _write(payment, lambda held: end(held, Status.FAILED, now, words))
            return None
        _write(payment, lambda held: _name(held, started.reference, started.address))
        return now + _wait(1)
    outcome = provider.confirm(payment.provider_reference)
    return _write(payment, lambda held: _settle(held, outcome, now))


def _wanted(payment: Payment) -> Wanted:
    origin = settings.CSRF_TRUSTED_ORIGINS[0] if settings.CSRF_TRUSTED_ORIGINS else ""
    return Wanted(
        payment.key,
        payment.pk,
        payment.amount,
        payment.currency_id,
        payment.currency.exponent,
        back=f"{origin or 'http://localhost:8000'}{reverse('payment', args=[payment.pk])}",
        until=payment.made_at + OPEN_FOR,
    )


def _name(payment: Payment, reference: str, address: str) -> None:
    payment.provider_reference, payment.address = reference, address
    payment.save(update_fields=["provider_reference", "address"])


def _settle(payment: Payment, outcome: Outcome, now: datetime) -> datetime | None:
    """Post what was paid, under the payment's lock; return when to ask again."""
    if payment.status not in (Status.STARTED, Status.FAILED):
        return None
    if outcome.state == State.WAITING:
        over = now >= payment.made_at + ASKED_FOR
        return None if over or payment.provider == "transfer" else now + _wait(payment.attempts)
    if outcome.state == State.FAILED:
        if payment.status != Status.FAILED:
            end(payment, Status.FAILED, now)
        return None
    if (outcome.amount, outcome.currency) != (payment.amount, payment.currency_id):
        payment.paid_amount, payment.paid_currency = outcome.amount, outcome.currency[:16]
        end(payment, Status.DIFFERS, now)
        return None
    player = Player.objects.select_for_update(no_key=True).get(pk=payment.player_id)
    try:
        # A refusal undoes what its rules have written.
        with transaction.atomic():
            offered.require_admitted(player, payment.currency, payment.amount, now, but=payment.pk)
            posted = cashier.deposit(
                player_reference(player.pk),
                payment.currency,
                payment.amount,
                cash=cash_of(payment.provider),
                key=payment.key,
                actor=HOUSE,
                reason=BY_PROVIDER,
            )
    except Refused as refusal:
        # The rules have changed since it was started: the money goes back to whoever paid.
        end(payment, Status.REFUNDING, now, refusal.sentence[:200])
        payment.next_at, payment.attempts = now, 0
        payment.save(update_fields=["next_at", "attempts"])
        return None
    payment.posting, payment.posting_key = posted.transaction, payment.key
    end(payment, Status.CONFIRMED, now)
    return None


def _return(payment: Payment, now: datetime) -> datetime | None:
    """A deposit that is not posted: return all of it to whoever paid."""
    refund = Refund(
        uuid5(payment.key, "refund"),
        payment.provider_reference,
        payment.came,
        payment.refund_reference,
    )
    refunded = PROVIDERS[payment.provider].refund(refund)
    return _write(payment, lambda held: _returned(held, refunded, now))


def _returned(payment: Payment, refunded: Refunded, now: datetime) -> datetime | None:
    if payment.status != Status.REFUNDING:
        return None
    payment.refund_reference = refunded.reference
    payment.save(update_fields=["refund_reference"])
    if refunded.outcome.state == State.PAID:
        end(payment, Status.REFUNDED, now, payment.words)
        return None
    return now + _wait(payment.attempts)


def _out(payment: Payment, now: datetime) -> datetime | None:
    """A withdrawal that was approved and posted: have the provider send the money."""
    assert payment.source is not None, "a withdrawal through a provider goes back to a payment"
    refund = Refund(
        payment.key, payment.source.provider_reference, payment.amount, payment.provider_reference
    )
    try:
        refunded = PROVIDERS[payment.provider].refund(refund)
    except Declined as problem:
        words = str(problem)[:200]
        _write(payment, lambda held: _send_back(held, words, now))
        return None
    return _write(payment, lambda held: _sent(held, refunded, now))


def _sent(payment: Payment, refunded: Refunded, now: datetime) -> datetime | None:
    if payment.status != Status.SENDING:
        return None
    outcome = refunded.outcome
    if outcome.state == State.FAILED:
        _send_back(payment, "", now)
        return None
    if not payment.provider_reference:
        _name(payment, refunded.reference, "")
    if outcome.state == State.WAITING:
        return now + _wait(payment.attempts)
    end(payment, Status.PAID, now)
    return None


def _disputed(payment: Payment, now: datetime) -> None:
    """A chargeback: ask whether the dispute is decided."""
    provider = PROVIDERS[payment.provider]
    if isinstance(provider, Disputing):
        dispute = provider.dispute(payment.provider_reference)
        _write(payment, lambda held: disputes.settle(held, dispute, now))


def _send_back(payment: Payment, words: str, now: datetime) -> None:
    """The provider has refused for good: the money is in the wallet again."""
    if payment.status != Status.SENDING:
        return
    cashier.correct(
        player_reference(payment.player_id),
        payment.currency,
        payment.amount,
        account(Account.Kind.ISSUE, cash_of(payment.provider), payment.currency),
        key=sent_back_key(payment),
        actor=HOUSE,
        reason=SENT_BACK,
    )
    end(payment, Status.RETURNED, now, words)


def sent_back_key(payment: Payment) -> UUID:
    """The key of the posting that undoes a withdrawal."""
    return uuid5(payment.key, "sent back")


Changed = TypeVar("Changed")


def _write(payment: Payment, change: Callable[[Payment], Changed]) -> Changed:
    """Change the payment under its lock, as a verb of the house."""
    with under(ADVANCE), transaction.atomic():
        return change(locked(payment.pk))


STEPS: Final[dict[Payment.Status, Callable[[Payment, datetime], datetime | None]]] = {
    Status.STARTED: _in,
    Status.FAILED: _in,
    Status.REFUNDING: _return,
    Status.SENDING: _out,
    **dict.fromkeys(disputes.OPEN, _disputed),
}
