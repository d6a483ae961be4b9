"""Calling an event off: every hand voided, every chip burnt, every stake and fee given back.

It is done in steps, each a transaction under the organiser's row: the tables first, then what is
owed as rows of `Payout`, which `paying` pays one by one. A step that was interrupted is found again
by the sweep.
"""

from datetime import datetime
from typing import Final

from tournaments.event import closing, mixing, money
from tournaments.event.organiser import save
from tournaments.models import Entry, Payout, Tournament

FIELDS: Final = ("state", "due_at", "cancelled_why", "cancelled_by", "paused_at")


def begin(tournament: Tournament, by: str, why: str, now: datetime) -> None:
    """From now on nothing is played; the steps follow."""
    mixing.void(tournament, now, why)
    tournament.state, tournament.due_at = Tournament.State.CANCELLING, now
    tournament.cancelled_why, tournament.cancelled_by = why, by
    save(tournament, FIELDS)


def step(tournament: Tournament, now: datetime) -> bool:
    """Take the next step; False when nothing is left to do but to pay."""
    if closing.close_tables(tournament, now):
        return True
    if closing.burn(tournament, now):
        return True
    return _owe(tournament, now)


def _owe(tournament: Tournament, now: datetime) -> bool:
    """Write down what is owed to whom, once; and take the guarantee back."""
    if tournament.ended_at is not None:
        return False
    entries = [
        entry
        for entry in tournament.all_entries.exclude(state=Entry.State.WITHDRAWN)
        if entry.stake_paid + entry.fee_paid
    ]
    Payout.objects.bulk_create(
        [
            Payout(
                tournament=tournament,
                entry=entry,
                kind=Payout.Kind.REFUND,
                amount=entry.stake_paid + entry.fee_paid,
                made_at=now,
            )
            for entry in entries
        ],
        batch_size=500,
    )
    # The prize pool pays the stakes back first, so the house's part leaves with the last of them.
    if tournament.added is None:
        money.settle_guarantee(tournament, 0)
    else:
        money.return_addition(tournament)
    tournament.all_entries.exclude(state=Entry.State.WITHDRAWN).update(place=None)
    tournament.ended_at = now
    save(tournament, ["ended_at", "added"])
    return True
