"""Disputes: a payer has the bank take a payment back, and the provider has paid it.

The provider keeps less from then on, even if the payer is wrong. The house writes the dispute down
once, as a chargeback of the payment and as a note in the player's file, and moves nothing by
itself: two members of staff say whether the player or the house bears it, and return what was taken
if the dispute is won. A bank may ask first, before it takes the money: the house writes its inquiry
down in the same way, and the inquiry becomes the dispute or ends.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import uuid5

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n
from django.utils.translation import override

from casino.office.payments.asking import end
from casino.office.payments.models import Payment
from casino.office.players.models import Note
from wallets.of_record.verbs import declare, under
from wallets.payments import Dispute, Disputing, State
from wallets.staff.permitted import money
from wallets.values import house

LOST: Final = _n("The provider has decided for the payer.")
Status, Way = Payment.Status, Payment.Way
# A provider may still decide for the house.
OPEN: Final = (Status.INQUIRED, Status.DISPUTED, Status.TAKEN, Status.BORNE)
# Banks decide within this time.
ASKED_FOR: Final = timedelta(days=180)
BY_HOUSE: Final = "house"
DISPUTE: Final = declare("house:payment.dispute")


def hear(name: str, provider: Disputing, reference: str, now: datetime) -> None:
    """A call names a dispute: ask about it, at once if it is new."""
    known = Payment.objects.filter(provider=name, provider_reference=reference)
    if not known.update(next_at=now):
        note(name, provider.dispute(reference), now)


def wake(name: str, now: datetime) -> int:
    """Have every dispute asked about again that may still be decided for the house."""
    rows = Payment.objects.filter(
        provider=name, way=Way.CHARGEBACK, status__in=OPEN, made_at__gt=now - ASKED_FOR
    )
    return rows.update(next_at=now)


@under(DISPUTE)
@transaction.atomic
def note(name: str, dispute: Dispute, now: datetime) -> Payment | None:
    """Write a dispute down once; None if it was over before, or is of no payment here."""
    rows = Payment.objects.filter(provider=name)
    held = rows.select_for_update(no_key=True).filter(way=Way.IN)
    source = held.filter(key=dispute.key).first() if dispute.key else None
    known = rows.filter(provider_reference=dispute.reference).first()
    state, amount, currency = dispute.outcome
    if known or source is None or state == State.FAILED or currency != source.currency_id:
        return known
    chargeback = Payment.objects.create(
        way=Way.CHARGEBACK,
        provider=name,
        player_id=source.player_id,
        currency_id=source.currency_id,
        amount=amount,
        status=Status.DISPUTED if state == State.PAID else Status.INQUIRED,
        made_at=now,
        provider_reference=dispute.reference,
        source=source,
        key=uuid5(source.key, dispute.reference),
        words=LOST if dispute.is_final else "",
    )
    _write_in_file(chargeback, now)
    return chargeback


@under(DISPUTE)
def _write_in_file(chargeback: Payment, now: datetime) -> None:
    Note.objects.create(
        player_id=chargeback.player_id,
        text=_words_of(chargeback),
        by=BY_HOUSE,
        by_name=BY_HOUSE,
        at=now,
    )


def _words_of(chargeback: Payment) -> str:
    with override(house.current().language(settings.LANGUAGE_CODE)):
        words = (
            _("The payer's bank asks about {payment}: {amount}, at the provider {reference}.")
            if chargeback.status == Status.INQUIRED
            else _("The payer disputes {payment}: {amount}, at the provider {reference}.")
        )
        return words.format(
            payment=chargeback.source,
            amount=money(chargeback.amount, chargeback.currency),
            reference=chargeback.provider_reference,
        )


def settle(chargeback: Payment, dispute: Dispute, now: datetime) -> None:
    """Write down how far the dispute is, under the lock of its chargeback."""
    if chargeback.status not in OPEN:
        return
    state, amount, currency = dispute.outcome
    begins = chargeback.status == Status.INQUIRED and state == State.PAID
    if state == State.FAILED:
        end(chargeback, Status.WON, now)
    elif begins and currency == chargeback.currency_id:
        chargeback.status, chargeback.amount = Status.DISPUTED, amount
        chargeback.words = LOST if dispute.is_final else ""
        chargeback.save(update_fields=["status", "amount", "words"])
        _write_in_file(chargeback, now)
    elif dispute.is_final and not chargeback.words:
        chargeback.words = LOST
        chargeback.save(update_fields=["words"])
