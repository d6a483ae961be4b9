"""The clock of an event and the progress of its rounds."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple

from django.db.models import Count
from django.utils.formats import number_format

from tournaments.event.organiser import structure_of
from tournaments.mathematics.match_points import share_bp
from tournaments.mathematics.rounds import line_of
from tournaments.mathematics.stage import DUPLICATE, ROUNDS_STAGE
from tournaments.mathematics.structure import Level, Structure
from tournaments.models import Tournament
from tournaments.overview.words import (
    chips,
    duration,
    lasts_in_words,
    stakes_in_short,
    stakes_in_words,
)

# So many levels are listed at a time, the one before the present first.
LEVELS_SHOWN: Final = 7


class LevelLine(NamedTuple):
    number: int
    stakes: str
    lasts: str
    # Below so many chips a player of a knock-out is out.
    line: str
    is_now: bool
    is_past: bool
    # How long the break after it is; "" without one.
    pause: str
    # Until it ends players may enter.
    is_late: bool
    # How long its bar is, in per cent of the highest level that is listed.
    share: int


class ClockView(NamedTuple):
    """The present level, and the next one."""

    level: int
    levels: int
    figure: str
    stakes: str
    # "" where the present level is the last.
    next_figure: str
    next_stakes: str
    ends_at: datetime | None
    # The rest of the level while the clock is stopped, and its whole length.
    left_seconds: int | None
    whole_seconds: int | None
    hands: int | None
    line: str
    next_line: str
    is_paused: bool
    on_break: bool
    # The break that follows this level.
    pause: str
    round: int


def clock_view(tournament: Tournament) -> ClockView:
    """The clock of an event; before its start that of its first level."""
    structure = structure_of(tournament)
    number = max(1, tournament.level)
    level = _level_now(tournament, structure)
    later = None if number == len(structure.levels) else structure.levels[number]
    if tournament.stage == ROUNDS_STAGE or tournament.on_break:
        # On a break the next level begins when the break ends.
        later = later if tournament.on_break else None
    left = tournament.left_milliseconds
    return ClockView(
        level=number,
        levels=len(structure.levels),
        figure=stakes_in_short(level),
        stakes=stakes_in_words(structure, level),
        next_figure=stakes_in_short(later) if later else "",
        next_stakes=stakes_in_words(structure, later) if later else "",
        ends_at=tournament.level_ends_at,
        left_seconds=None if left is None else left // 1000,
        whole_seconds=_whole(structure, tournament),
        hands=level.hands if later else None,
        line="" if tournament.stage == ROUNDS_STAGE else _line(structure, level),
        next_line=_line(structure, later) if later else "",
        is_paused=tournament.paused_at is not None,
        on_break=tournament.on_break,
        pause=_pause_after(structure, number),
        round=tournament.round,
    )


def level_lines(tournament: Tournament, *, every: bool = False) -> list[LevelLine]:
    """The levels around the present one, or all of them."""
    structure = structure_of(tournament)
    count = len(structure.levels)
    first = 0 if every else max(0, min(tournament.level - 2, count - LEVELS_SHOWN))
    last = count if every else min(count, first + LEVELS_SHOWN)
    most = _unit(structure.levels[last - 1])
    return list(_lines(tournament, structure, most))[first:last]


def _lines(tournament: Tournament, structure: Structure, most: int) -> Iterator[LevelLine]:
    for number, level in enumerate(structure.levels, 1):
        yield LevelLine(
            number=number,
            stakes=stakes_in_short(level),
            lasts=lasts_in_words(level, number == len(structure.levels)),
            line=_line(structure, level),
            is_now=number == tournament.level and not tournament.on_break,
            is_past=number < tournament.level
            or (number == tournament.level and tournament.on_break),
            pause=_pause_after(structure, number),
            is_late=number <= structure.late_registration_level,
            share=max(2, round(100 * _unit(level) / most)),
        )


def _level_now(tournament: Tournament, structure: Structure) -> Level:
    if tournament.stage == ROUNDS_STAGE and structure.rounds is not None:
        return Level(point=structure.rounds.point)
    return structure.levels[max(1, tournament.level) - 1]


def _whole(structure: Structure, tournament: Tournament) -> int | None:
    """Return the full length of the present level or break."""
    number = max(1, tournament.level)
    if not tournament.on_break:
        return structure.levels[number - 1].seconds
    return next((pause.seconds for pause in structure.breaks if pause.after_level == number), None)


def _pause_after(structure: Structure, number: int) -> str:
    for pause in structure.breaks:
        if pause.after_level == number:
            return duration(pause.seconds)
    return ""


def _line(structure: Structure, level: Level) -> str:
    if structure.knock_out is None:
        return ""
    return chips(line_of(structure.knock_out, level.point or 0))


def _unit(level: Level) -> int:
    return level.point or level.bet_min or 1


class Progress(NamedTuple):
    """Round x of y, and in it a deal or a hand."""

    round: int
    rounds: int
    # Counted from 1; 0 before the first.
    number: int
    of: int
    # Duplicate rounds show deals, rounds of a knock-out show hands.
    of_deals: bool
    # Whether the last deal or hand has been finished by all.
    is_over: bool


def goes_out(tournament: Tournament) -> bool:
    """Whether players go out one by one: then it means something how many are left."""
    return tournament.kind != DUPLICATE and tournament.stage != ROUNDS_STAGE


def to_the_money(tournament: Tournament, paid: int) -> int:
    """Return how many eliminations are left before the money; 0 where there is no such line."""
    structure = structure_of(tournament)
    if not goes_out(tournament):
        return 0
    # Rounds follow for more players than are paid: they decide who is.
    if structure.rounds and structure.knock_out and structure.knock_out.until > paid:
        return 0
    return max(0, tournament.players_left - paid)


def progress(tournament: Tournament) -> Progress | None:
    """Return the progress of the rounds; None if the event has none, or not yet."""
    structure = structure_of(tournament)
    if structure.duplicate is not None:
        return _of_deals(tournament, structure.duplicate.rounds, structure.duplicate.deals)
    if structure.rounds is not None and tournament.stage == ROUNDS_STAGE:
        return _of_hands(tournament, structure.rounds.count, structure.rounds.hands)
    return None


def _of_deals(tournament: Tournament, rounds: int, deals: int) -> Progress:
    begun = tournament.deals.filter(began_at__isnull=False).order_by("-round", "-number").first()
    if begun is None:
        return Progress(0, rounds, 0, deals, of_deals=True, is_over=False)
    over = begun.compared_at is not None
    return Progress(begun.round, rounds, begun.number, deals, of_deals=True, is_over=over)


def _of_hands(tournament: Tournament, rounds: int, hands: int) -> Progress:
    """The hand that the slowest table plays."""
    now = tournament.round
    ended = tournament.hands_ended.filter(round=now, void=False)
    played = dict(ended.values_list("table").annotate(count=Count("pk")))
    playing = tournament.tables.filter(round=now, broken_at=None).values_list("table", flat=True)
    least = min((played.get(table, 0) for table in playing), default=hands)
    over = least >= hands
    return Progress(now, rounds, min(least + 1, hands), hands, of_deals=False, is_over=over)


def score_of(tournament: Tournament, chips: int) -> int | None:
    """Return a player's score in the rounds of a knock-out; None before the rounds."""
    rounds = structure_of(tournament).rounds
    if rounds is None or tournament.stage != ROUNDS_STAGE:
        return None
    return chips - rounds.chips


def percent(points: int, average: int) -> str:
    """Match points of the most that could be had, as readers write it: 62.5."""
    return str(number_format(Decimal(share_bp(points, average)) / 100, 1))
