"""Payments among a player's own data: what the player may read, and what an erasure empties."""

from collections.abc import Iterator

from casino.accounts.models import Player
from casino.care.own_data import DataRow
from casino.office.payments.models import Payment


def rows(player: Player) -> Iterator[DataRow]:
    for payment in Payment.objects.filter(player=player).order_by("pk"):
        yield {
            "way": payment.way,
            "by": payment.provider,
            "currency": payment.currency_id,
            "amount": payment.amount,
            # What came, if that is not what was asked for.
            "paid_amount": payment.paid_amount,
            "paid_currency": payment.paid_currency,
            "status": payment.status,
            "made": payment.made_at,
            "decided": payment.decided_at,
            "destination": payment.target,
        }


def forget(player: Player) -> None:
    """Forget where money went to; that it went, and how much, remains."""
    Payment.objects.filter(player=player).update(sealed_destination="", address="")
