"""Paying what an event owes: prizes at its end, or everything back if it was called off.

`pay` is the one function that pays, each payout once: the row is locked under the organiser's, the
posting's key is made from its place, and the row then names the posting, which no trigger lets
anybody change. Killed at any point, the next sweep goes on with the first row that is not paid.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from tournaments import money
from tournaments.models import Entry, Payout, Tournament
from tournaments.organiser import locked, save


def unpaid(tournament: Tournament) -> list[int]:
    """The payouts still to be made, in the order in which they are paid."""
    due = tournament.payouts.filter(paid_at=None).order_by("place", "pk")
    return list(due.values_list("pk", flat=True))


def pay(payout_id: int, now: datetime) -> bool:
    """Pay a payout that is not paid; whether this call did it."""
    tournament_id = Payout.objects.values_list("tournament", flat=True).get(pk=payout_id)
    with transaction.atomic():
        tournament = locked(tournament_id)
        held = Payout.objects.select_for_update(of=("self",)).select_related("entry")
        payout = held.get(pk=payout_id)
        if payout.paid_at is not None:
            return False
        if payout.kind == Payout.Kind.PRIZE:
            payout.posting = money.pay_prize(tournament, payout)
        else:
            payout.posting = _give_back(tournament, payout.entry)
        payout.paid_at = now
        payout.save(update_fields=["posting", "paid_at"])
        save(tournament, ["stakes", "fees"])
        return True


def _give_back(tournament: Tournament, entry: Entry) -> UUID:
    key = money.give_back(tournament, entry, actor=tournament.cancelled_by, reason=money.GIVEN_BACK)
    entry.state = Entry.State.REFUNDED
    entry.save(update_fields=["state", "stake_paid", "fee_paid", "payments"])
    return key
