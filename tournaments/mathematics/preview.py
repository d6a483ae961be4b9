"""A forecast of a structure for operators: its prizes, and how long it is likely to last.

**Prizes.** As the structure says, for one entry a player. A field above the largest is cut off
there. A smaller field is not played, and stakes and fees are returned.

**How long a hand takes.** The pause before it, the betting if there is any, and so many clocks of a
decision as the game declares (`Speed`): players of thirteen cards arrange at the same time, and the
slowest takes most of the clock; a hand of Dou Dizhu has some thirty short turns. Tables in step
wait for the slowest, which costs half as much again.

**How many hands.** With n players left, who hold C chips together, the number of players falls by
0.35 n³ d² / C² in a hand, where d is the standard deviation of what a seat wins or loses in a hand:
the deviation in points that the game declares, which was counted over 400 hands of the house's
bots, times the point of the level or its smallest bet. That is how chips spread in a random walk.
The factor 0.35 was fitted to simulated events of 3 to 200 players, which it meets within a tenth
where levels rise.
Over a level 1/n² therefore grows by 0.7 d² / C² with each hand, which is what is computed here. The
last player is out when n would be 1.5.

A knock-out has a line, and C is what players hold above it. When the line rises by r and a player
holds e above it on average, n falls to n exp(-r / e), as if what players hold were spread like
waiting times, and those who stay hold e above the new line.

Rounds last for the number of their hands. All this is a rule of thumb: players who are careful take
longer.
"""

from math import exp
from typing import Final

from msgspec import Struct

from games.rules.catalogue import GAMES
from tournaments.mathematics.payouts import prizes
from tournaments.mathematics.rounds import line_of
from tournaments.mathematics.seating import Sizes
from tournaments.mathematics.structure import (
    Level,
    Period,
    Structure,
    first_period,
    game_at,
    period_after,
)

SAMPLES: Final = (20, 60, 300)
SPREAD: Final = 0.35
IN_STEP: Final = 1.5


class Preview(Struct, frozen=True, kw_only=True):
    """Estimate prizes and length for this many entrants."""

    entrants: int
    # Whether the field is large enough; nothing below counts if it is not.
    runs: bool
    tables: int
    pool: int
    # The house's addition to reach the guarantee.
    added: int
    fees: int
    prizes: tuple[int, ...]
    seconds: int
    # The level at the end.
    level: int


def previews(structure: Structure) -> tuple[Preview, ...]:
    return tuple(preview(structure, entrants) for entrants in SAMPLES)


def preview(structure: Structure, entrants: int) -> Preview:
    """Estimate prizes and length for this many entrants."""
    players = min(entrants, structure.field_max)
    if players < structure.field_min:
        return Preview(
            entrants=players,
            runs=False,
            tables=0,
            pool=0,
            added=0,
            fees=0,
            prizes=(),
            seconds=0,
            level=0,
        )
    stakes = players * structure.stake
    pool = max(stakes, structure.guarantee)
    seconds, level = likely_length(structure, players)
    return Preview(
        entrants=players,
        runs=True,
        tables=sizes_of(structure).tables(players),
        pool=pool,
        added=pool - stakes,
        fees=players * structure.fee,
        prizes=prizes(structure.payouts, pool, players, players),
        seconds=seconds,
        level=level,
    )


def sizes_of(structure: Structure) -> Sizes:
    """With how many players the tables of an event can play, and how many they have."""
    if structure.kind == "duplicate":
        return Sizes(structure.table_size, structure.table_size)
    return Sizes(game_at(structure, 1).seats[0], structure.table_size)


def hand_seconds(structure: Structure) -> float:
    """Return how long a hand is likely to take, with the pause before it."""
    betting = structure.betting_seconds if structure.levels[0].bet_min else 0
    play = GAMES[structure.game].speed.clocks * structure.decision_seconds
    return structure.pause_seconds + betting + play


def likely_length(structure: Structure, players: int) -> tuple[int, int]:
    """The seconds from the start to the end, and the level at the end."""
    hand = hand_seconds(structure)
    if structure.duplicate is not None:
        deals = structure.duplicate.rounds * structure.duplicate.deals
        return round(deals * hand * IN_STEP), 1
    if structure.knock_out is None:
        least = sizes_of(structure).least
        return _until(structure, players, least - 1, hand)
    seconds, level = _until(structure, players, structure.knock_out.until, hand * IN_STEP)
    if structure.rounds is not None:
        hands = structure.rounds.count * structure.rounds.hands
        seconds += round(hands * hand * IN_STEP)
    return seconds, level


def _until(structure: Structure, players: int, target: int, hand: float) -> tuple[int, int]:
    """The seconds until so many players are left, and the level then."""
    left, goal = float(players), target + 0.5
    seconds, period, line = 0.0, first_period(structure), 0.0
    above = float(structure.starting_chips)
    while True:
        level = structure.levels[period.level - 1]
        if period.on_break:
            seconds += period.seconds or 0
        else:
            raised = _line(structure, level)
            if line:
                left *= exp((line - raised) / above)
            else:
                above = max(above - raised, 1.0)
            line = raised
            gain = _gain(structure, level, left * above)
            lasts = _hands(period, hand)
            needed = max(0.0, (goal**-2 - left**-2) / gain)
            if lasts is None or needed <= lasts:
                return round(seconds + needed * hand), period.level
            chips = left * above
            left = (left**-2 + gain * lasts) ** -0.5
            above = chips / left
            seconds += lasts * hand
        period = period_after(structure, period)


def _line(structure: Structure, level: Level) -> float:
    if structure.knock_out is None:
        return 0.0
    return float(line_of(structure.knock_out, level.point or 0))


def _gain(structure: Structure, level: Level, chips: float) -> float:
    """By how much one over the square of the players left grows with a hand."""
    deviation = GAMES[structure.game].speed.deviation * (level.point or level.bet_min or 1)
    return 2 * SPREAD * (deviation / chips) ** 2


def _hands(period: Period, hand: float) -> float | None:
    """Return the length of a level in hands; None if it lasts until the end."""
    if period.hands is not None:
        return period.hands
    return None if period.seconds is None else period.seconds / hand
