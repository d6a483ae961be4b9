"""Check the clock of an event: by structure, start, hands, and the pauses in the journal."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from tournaments.audit.rows import Findings, Found, Pause, Rows
from tournaments.event.organiser import least_players, stage_of
from tournaments.mathematics.stage import DUPLICATE, ROUNDS_STAGE
from tournaments.mathematics.structure import Period, first_period, period_after
from tournaments.models import Tournament

State = Tournament.State
BEFORE: Final = (State.ANNOUNCED, State.SEATING)
PLAYED: Final = (State.RUNNING, State.PAYING, State.FINISHED)


def states(rows: Rows) -> Findings:
    """The times in the row fit the state of the event."""
    event = rows.event
    begun = event.started_at is not None
    if begun != (event.level > 0) or (event.state in PLAYED and not begun):
        yield Found("clock", f"it is {event.state}, at level {event.level}")
    if event.state in BEFORE and (begun or event.level_began_at or event.paused_at):
        yield Found("clock", f"it is {event.state}, and its clock has begun")
    if event.is_over and event.ended_at is None:
        yield Found("clock", "it is over, and has not ended")
    if event.state in (*BEFORE, State.RUNNING) and event.ended_at is not None:
        yield Found("clock", f"it is {event.state}, and has ended")
    if begun and event.state != State.CANCELLED:
        yield from _registration(rows)


def _registration(rows: Rows) -> Findings:
    """Registration closes with its level, or when staff say so."""
    event, until = rows.event, rows.structure.late_registration_level
    over = event.level > until or (event.level == until and event.on_break) or not until
    closed = event.registration_closed_at is not None
    if over and not closed:
        yield Found("registration", f"registration is open at level {event.level}")
    if closed and not over and not rows.closed_by_staff:
        yield Found("registration", "registration was closed, and the journal does not say so")


def pauses(rows: Rows) -> Findings:
    """It is paused if, and since when, the journal says so."""
    event = rows.event
    if event.state != State.RUNNING:
        return
    last = rows.pauses[-1] if rows.pauses else None
    since = last.began if last and last.ended is None else None
    if event.paused_at != since:
        yield Found("pause", f"it is paused since {event.paused_at}; by the journal {since}")


def period(rows: Rows) -> Findings:
    """Its level began no sooner than the structure allows, and ends when it has to."""
    event = rows.event
    began = event.level_began_at
    if event.state != State.RUNNING or not stage_of(event).has_levels or began is None:
        return
    present = _present(rows)
    if present is None:
        yield Found("level", f"the structure has no level {event.level} with such a break")
        return
    earliest = _earliest(rows, present)
    if began < earliest:
        yield Found("level", f"level {event.level} began at {began}, before {earliest}")
    yield from _ends(rows, present, began)


def _present(rows: Rows) -> Period | None:
    """The present period of the structure, if it has one."""
    for period in _periods(rows):
        if (period.level, period.on_break) == (rows.event.level, rows.event.on_break):
            return period
    return None


def _periods(rows: Rows) -> Iterator[Period]:
    period = first_period(rows.structure)
    while True:
        yield period
        after = period_after(rows.structure, period)
        if after == period:
            return
        period = after


def _earliest(rows: Rows, present: Period) -> datetime:
    """The soonest moment at which a period can have begun: after all before it, without pauses."""
    at = rows.event.started_at
    assert at is not None
    for period in _periods(rows):
        if period == present:
            break
        end = at + timedelta(seconds=period.seconds or 0)
        since = [pause for pause in rows.pauses if pause.began >= at]
        at = _end(end, since, passed=True)[0] or end
    return at


def _end(
    end: datetime, pauses: Iterable[Pause], *, passed: bool = False
) -> tuple[datetime | None, int | None]:
    """When a period ends with its pauses; or what is left of it, while the clock stands still.

    Pauses after a period that has passed belong to the next one.
    """
    for pause in pauses:
        if passed and pause.began >= end:
            break
        left = max(timedelta(), end - pause.began) // timedelta(milliseconds=1)
        if pause.ended is None:
            return None, left
        end = pause.ended + timedelta(milliseconds=left)
    return end, None


def _ends(rows: Rows, present: Period, began: datetime) -> Findings:
    event = rows.event
    stored = (event.level_ends_at, event.left_milliseconds)
    if present.seconds is not None:
        since = [pause for pause in rows.pauses if pause.began >= began]
        due = _end(began + timedelta(seconds=present.seconds), since)
        if stored != due:
            yield Found("level", f"level {event.level} ends at {stored[0]}, not {due[0]}")
    elif stored != (None, None) and not _is_short(rows, present):
        yield Found("level", f"level {event.level} ends at {stored[0]}, and has no such end")


def _is_short(rows: Rows, present: Period) -> bool:
    """Whether too few are left to play, so that a level of hands ends in time."""
    return present.hands is not None and rows.event.players_left < least_players(rows.structure)


def played(rows: Rows) -> Findings:
    """Hands end at levels and in rounds that never fall, and decide levels of hands."""
    event = rows.event
    for name, least, last in ("level", 1, event.level), ("round", 0, event.round):
        those = [getattr(row, name) for row in rows.ended]
        if those != sorted(those) or (those and not least <= those[0] <= those[-1] <= last):
            yield Found("level", f"hands ended in each {name} of {sorted(set(those))} up to {last}")
    began = event.level_began_at
    for row in rows.ended:
        early = began is not None and row.at < began and not event.on_break
        if early and row.level == event.level and stage_of(event).has_levels:
            yield Found("level", f"hand {row.hand_id} ended at level {row.level} before it began")
    if rows.structure.late_registration_level:
        # A level in which too few were left ended after a time.
        return
    for number, level in enumerate(rows.structure.levels[: max(0, event.level - 1)], 1):
        counts = Counter(row.table_id for row in rows.ended if row.level == number and not row.void)
        if level.hands is not None and max(counts.values(), default=0) < level.hands:
            yield Found("level", f"no table played the {level.hands} hands of level {number}")


def rounds(rows: Rows) -> Findings:
    """The stage and the round are those that have begun."""
    event = rows.event
    in_rounds = event.stage == ROUNDS_STAGE
    if event.stage not in (1, ROUNDS_STAGE) or (in_rounds and rows.structure.rounds is None):
        yield Found("stage", f"it is in stage {event.stage}")
    if rows.structure.rounds is not None and bool(event.round) > in_rounds:
        yield Found("stage", f"it is in round {event.round} of stage {event.stage}")
    if event.kind == DUPLICATE:
        begun = sum(deal.number == 1 and deal.began_at is not None for deal in rows.deals)
        if event.round != begun:
            yield Found("stage", f"it is in round {event.round}, and {begun} have begun")


CHECKS = (states, pauses, period, played, rounds)
