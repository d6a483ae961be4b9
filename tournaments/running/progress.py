"""Advance an event: the one function that every wake-up calls, and the sweep as well.

A step is a transaction that begins with the event's row, finds in the rows what is due, and does it
once. Steps follow one another until nothing is due; the sweep finds an event that was interrupted
between two of them, and calls the same function.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from tournaments.event import clock, closing, eliminations, money, moving, registration
from tournaments.event.organiser import locked, save, stage_of
from tournaments.event.ranked import note_places
from tournaments.models import Tournament
from tournaments.running import series, start
from tournaments.stages import duplicate_stage, finish, rounds_stage, step_gate
from tournaments.stages.stage_steps import turns_of
from wallets.of_record.verbs import verb

# A player has to be moved, and the hand that delays it has not ended: look again then.
AGAIN: Final = timedelta(seconds=2)
# More steps than these at once would keep the sweep from other events.
STEPS_MAX: Final = 200
FIELDS: Final = (
    "due_at",
    *clock.FIELDS,
    *eliminations.FIELDS,
    *moving.FIELDS,
    *registration.FIELDS,
    *step_gate.FIELDS,
    *rounds_stage.FIELDS,
    *duplicate_stage.FIELDS,
)


def soon(tournament: Tournament, now: datetime) -> None:
    """After this transaction, take the steps that are due; the sweep does if that is lost."""
    number = tournament.pk
    transaction.on_commit(lambda: step(number, now), robust=True)


@verb("house:tournament.step")
def step(tournament_id: int, now: datetime) -> None:
    """Take all steps that are due at an event."""
    for _ in range(STEPS_MAX):
        if not single_step(tournament_id, now):
            return


def single_step(tournament_id: int, now: datetime) -> bool:
    """Take one step; return whether the next may follow immediately."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        match tournament.state:
            case Tournament.State.ANNOUNCED:
                return start.begin(tournament, now)
            case Tournament.State.SEATING:
                return start.seat(tournament, now)
            case Tournament.State.RUNNING:
                return _run(tournament, now)
            case Tournament.State.PAYING | Tournament.State.CANCELLING:
                unpaid = _wind_up(tournament, now)
            case _:
                return False
    # Each payout is a separate transaction.
    for payout in unpaid or ():
        money.pay(payout, now)
    return unpaid is None or bool(unpaid)


def _wind_up(tournament: Tournament, now: datetime) -> list[int] | None:
    """Take one step of the end; return the unpaid payouts, or None after any other step."""
    cancelled = tournament.state == Tournament.State.CANCELLING
    if cancelled and closing.step(tournament, now):
        return None
    if unpaid := money.unpaid(tournament):
        return unpaid
    if not cancelled and finish.step(tournament, now):
        return None
    over = Tournament.State.CANCELLED if cancelled else Tournament.State.FINISHED
    finish.close(tournament, over, now)
    series.count(tournament, now)
    return []


def _run(tournament: Tournament, now: datetime) -> bool:
    """Act on the hands that have ended, and on the clock; move the players who have to move."""
    groups = step_gate.complete(tournament)
    eliminations.act(tournament, groups, now)
    if tournament.moves_due:
        eliminations.disqualify_due(tournament, now)
    clock.watch_short_field(tournament, now)
    if clock.advance(tournament, now):
        note_places(tournament)
    if finish.is_due(tournament):
        finish.begin(tournament, now)
        save(tournament, FIELDS)
        return True
    follows = turns_of(tournament).turn(tournament, now)
    tournament.due_at = _due(tournament, now)
    save(tournament, FIELDS)
    return follows


def _due(tournament: Tournament, now: datetime) -> datetime | None:
    """Return when the sweep has to look at a running event by itself."""
    if tournament.paused_at is not None:
        return None
    times = [tournament.level_ends_at]
    if tournament.moves_due or tournament.hand_for_hand or stage_of(tournament).compares_deals:
        times.append(now + AGAIN)
    return min((time for time in times if time is not None), default=None)
