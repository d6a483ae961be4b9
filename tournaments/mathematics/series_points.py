"""The points of a series of events, and its standings.

The points of an event follow from a player's place and the number of entrants. Of each player the
best few events count. Of two players with the same points the one with the better single event is
ahead, then the one with the better second, and so on; of two equal in all of them, the one with the
older account.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Annotated, Any, Final, Literal, NamedTuple

from msgspec import Meta, Struct

Points = Annotated[int, Meta(ge=0, le=100_000)]
EVENTS_MAX: Final = 100
# As many places as a table of points may name.
TABLE_MAX: Final = 50
# The fields and places for which a formula is shown before it is used.
FIELDS_SHOWN: Final = (8, 24, 60)
PLACES_SHOWN: Final = (1, 2, 3, 4, 5, 8, 12, 24)
# A fault has a code, which is also that of the refusal, and the figures of its sentence.
Fault = tuple[str, dict[str, Any]]


class Formula(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a place becomes points.

    `root` grows with the field: the base times the root of entrants by place. `field` is the base
    times the share of the field that a player has not been beaten by. `table` names the points of
    each place, whatever the field.
    """

    manner: Literal["root", "field", "table"] = "root"
    base: Points = 100
    table: tuple[Points, ...] = ()
    # Everybody who plays gets these as well.
    for_playing: Points = 0

    def points(self, place: int, entrants: int) -> int:
        return self.for_playing + self._for_place(place, entrants)

    def _for_place(self, place: int, entrants: int) -> int:
        if self.manner == "table":
            return self.table[place - 1] if place <= len(self.table) else 0
        if self.manner == "field":
            return self.base * (entrants - place + 1) // entrants
        return isqrt(self.base * self.base * entrants // place)


class SeriesRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a series: its formula, and how many of how many events count."""

    formula: Formula = Formula()
    events: Annotated[int, Meta(ge=1, le=EVENTS_MAX)] = 8
    best: Annotated[int, Meta(ge=1, le=EVENTS_MAX)] = 6
    # So many places are named at the end; they get a ticket if there is a final.
    finalists: Annotated[int, Meta(ge=0, le=1_000)] = 8

    def faults(self) -> list[Fault]:
        """What contradicts itself."""
        faults: list[Fault] = []
        if self.best > self.events:
            faults.append(("best_of_fewer", {"best": self.best, "events": self.events}))
        formula = self.formula
        if formula.manner == "table":
            falls = list(formula.table) == sorted(formula.table, reverse=True)
            if not 1 <= len(formula.table) <= TABLE_MAX or not falls:
                faults.append(("points_table", {"most": TABLE_MAX}))
        elif not formula.base:
            faults.append(("no_points", {}))
        return faults


class Result(NamedTuple):
    """A player's place in an event of a series that has ended."""

    event: int
    player: int
    place: int
    entrants: int


class Scored(NamedTuple):
    """What an event brought to a player, and whether it is one of the best."""

    event: int
    place: int
    points: int
    counts: bool


class Standing(NamedTuple):
    """A player's place in a series, with all events of the player in their order."""

    place: int
    player: int
    points: int
    scored: tuple[Scored, ...]


def standings(rules: SeriesRules, results: Iterable[Result]) -> list[Standing]:
    """Every player of a series, the first place first."""
    by_player: defaultdict[int, list[Result]] = defaultdict(list)
    for result in results:
        by_player[result.player].append(result)
    unplaced = [_standing(rules, player, own) for player, own in by_player.items()]
    ranked = sorted(unplaced, key=_rank)
    return [standing._replace(place=place) for place, standing in enumerate(ranked, 1)]


def _standing(rules: SeriesRules, player: int, results: Sequence[Result]) -> Standing:
    points = {one.event: rules.formula.points(one.place, one.entrants) for one in results}
    # Of two events with the same points the earlier counts.
    best = sorted(points, key=lambda event: (-points[event], event))[: rules.best]
    scored = tuple(
        Scored(one.event, one.place, points[one.event], one.event in best)
        for one in sorted(results, key=lambda result: result.event)
    )
    return Standing(0, player, sum(points[event] for event in best), scored)


def _rank(standing: Standing) -> tuple[int, list[int], int]:
    singles = sorted(-score.points for score in standing.scored if score.counts)
    return -standing.points, singles, standing.player


def preview(formula: Formula) -> list[tuple[int, list[int | None]]]:
    """For each shown place its points in fields of several sizes; None in smaller fields.

    Places without points are not shown.
    """
    named = range(1, len(formula.table) + 1) if formula.manner == "table" else PLACES_SHOWN
    rows: list[tuple[int, list[int | None]]] = [
        (place, [formula.points(place, size) if place <= size else None for size in FIELDS_SHOWN])
        for place in named
    ]
    return [row for row in rows if any(row[1])]


class Preset(NamedTuple):
    """A series to start from: its rules, the days between two events, and its events a day."""

    rules: SeriesRules
    every_hours: int


_DAY: Final = 24
_WEEK: Final = 7 * _DAY
PRESETS: Final = {
    "month": Preset(SeriesRules(events=4, best=3, finalists=8), _WEEK),
    "season": Preset(SeriesRules(events=10, best=7, finalists=16), _WEEK),
    "week": Preset(
        SeriesRules(formula=Formula(manner="field"), events=7, best=5, finalists=8), _DAY
    ),
    "weekend": Preset(
        SeriesRules(
            formula=Formula(manner="table", table=(25, 18, 15, 12, 10, 8, 6, 4, 2, 1)),
            events=6,
            best=4,
            finalists=4,
        ),
        6,
    ),
}
