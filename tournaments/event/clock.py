"""The clock of an event: levels and breaks, which end at deadlines in its row.

The sweep calls `advance` when one has passed; called twenty times, it is done once. An event that
was read in time continues from the deadline; after an outage it continues from now, so that no
level passes without play.
"""

from datetime import datetime, timedelta
from typing import Final

from games.tables import clock as tables_clock
from tournaments.event import registration
from tournaments.event.eliminations import hands_of_level
from tournaments.event.organiser import least_players, stage_of, structure_of
from tournaments.mathematics.structure import Period, first_period, period_after
from tournaments.models import HandEnded, Tournament

FIELDS: Final = ("level", "level_began_at", "level_ends_at", "on_break", "left_milliseconds")
# If the house is later than this, the missed time is added.
LATE: Final = timedelta(seconds=30)
# Where too few are left to play, those who are out have this long to enter again.
LAST_ENTRIES: Final = timedelta(minutes=2)


def start(tournament: Tournament, now: datetime) -> None:
    """Begin the first level; the caller saves `FIELDS`."""
    _begin(tournament, first_period(structure_of(tournament)), now)


def advance(tournament: Tournament, now: datetime) -> bool:
    """Begin the next level or break if the present one is over; whether anything began."""
    began = False
    while (ended := _ended_at(tournament, now)) is not None:
        structure = structure_of(tournament)
        period = Period(tournament.level, tournament.on_break)
        if not tournament.on_break and tournament.level == structure.late_registration_level:
            registration.close(tournament, now)
        _begin(tournament, period_after(structure, period), ended)
        began = True
    return began


def watch_short_field(tournament: Tournament, now: datetime) -> None:
    """Give a level of hands an end in time while too few are left to play a hand of it."""
    structure = structure_of(tournament)
    if tournament.paused_at is not None or hands_of_level(tournament, structure) is None:
        return
    if tournament.players_left >= least_players(structure):
        tournament.level_ends_at = None
    elif tournament.level_ends_at is None:
        tournament.level_ends_at = now + LAST_ENTRIES


def _ended_at(tournament: Tournament, now: datetime) -> datetime | None:
    """Return the end of the present level or break, to go on from there; None while it lasts."""
    if tournament.paused_at is not None or not stage_of(tournament).has_levels:
        return None
    ends = tournament.level_ends_at
    if ends is not None:
        return None if ends > now else ends if now - ends <= LATE else now
    hands = hands_of_level(tournament, structure_of(tournament))
    if hands is None or not _has_played(tournament, hands):
        return None
    return now


def _has_played(tournament: Tournament, hands: int) -> bool:
    """Whether any table has finished so many hands in the level."""
    ended = HandEnded.objects.filter(
        tournament=tournament, level=tournament.level, void=False
    ).values_list("table", flat=True)
    counts: dict[int, int] = {}
    for table in ended:
        counts[table] = counts.get(table, 0) + 1
    return max(counts.values(), default=0) >= hands


def _begin(tournament: Tournament, period: Period, at: datetime) -> None:
    tournament.level, tournament.on_break = period.level, period.on_break
    tournament.level_began_at, tournament.left_milliseconds = at, None
    seconds = period.seconds
    tournament.level_ends_at = None if seconds is None else at + timedelta(seconds=seconds)


def stop(tournament: Tournament, now: datetime) -> None:
    """Let the clock stand still, and keep what was left of the level."""
    if tournament.level_ends_at is not None:
        left = max(timedelta(), tournament.level_ends_at - now)
        tournament.left_milliseconds = left // timedelta(milliseconds=1)
        tournament.level_ends_at = None


def go_on(tournament: Tournament, now: datetime) -> None:
    """Let the clock run again with what was left."""
    if tournament.left_milliseconds is not None:
        tournament.level_ends_at = now + timedelta(milliseconds=tournament.left_milliseconds)
        tournament.left_milliseconds = None


def release(tournament: Tournament, now: datetime) -> None:
    """Have all open tables look whether they may deal."""
    tables = tournament.tables.filter(broken_at=None).values_list("table_id", flat=True)
    tables_clock.release(list(tables), now)
