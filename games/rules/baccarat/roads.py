"""The five road maps of baccarat, drawn from the results of a shoe, and what is asked of them.

The **bead plate** (珠盤路) lists every result, six to a column. The **big road** (大路) lists
player and banker only: a new column begins when the winner changes, and a tie is counted on the
cell of the result before it, or waits for the first result. Cells stand in six rows. A column that
is longer, or that meets cells of an earlier one below it, turns right and runs on in its row: the
dragon's tail.

The three derived roads look at how regular the big road is, and by its true columns, tails not
bent. The **big eye boy** (大眼仔路) compares with the column one before, the **small road** (小路)
two before, the **cockroach road** (曱甴路) three before. An entry that begins a column is red
when the two columns before it that far apart are equally long. An entry that continues down a
column is red when the column compared has an entry beside it, or ended at least two rows higher; it
is blue when that column ended just above. Red and blue entries are laid out like the big road.

Asking the road (問路) shows which entries the next result would add to the derived roads, were it
player or banker.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from games.rules.baccarat.coup import Coup, Winner

Side = Literal["player", "banker"]
Colour = Literal["red", "blue"]
ROWS: Final = 6
SIDES: Final[tuple[Side, ...]] = ("player", "banker")


class Result(Struct, frozen=True):
    """The result of a round, with what the roads mark."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False


def result_of(coup: Coup) -> Result:
    """The part of a coup that the roads record."""
    return Result(coup.winner, coup.player_pair, coup.banker_pair, coup.natural)


class Bead(Struct, frozen=True):
    """A result in its place on the bead plate."""

    column: int
    row: int
    result: Result


class BigRoadCell(Struct, frozen=True):
    """A result in its place on the big road, with the ties that followed it.

    `result` is None in the one case that a shoe has begun with ties and nothing else.
    """

    column: int
    row: int
    result: Result | None
    ties: int


class ColourCell(Struct, frozen=True):
    """An entry of a derived road in its place."""

    column: int
    row: int
    colour: Colour


class Answer(Struct, frozen=True):
    """The entries that a further result would add to the derived roads; None if not begun."""

    big_eye_boy: Colour | None
    small_road: Colour | None
    cockroach_road: Colour | None


class Counts(Struct, frozen=True):
    """The number of times that each result has come."""

    rounds: int
    player: int
    banker: int
    tie: int
    player_pair: int
    banker_pair: int
    natural: int


class Roads(Struct, frozen=True):
    """All five maps of a shoe, its counts, and the answers for player and banker."""

    bead_plate: tuple[Bead, ...]
    big_road: tuple[BigRoadCell, ...]
    big_eye_boy: tuple[ColourCell, ...]
    small_road: tuple[ColourCell, ...]
    cockroach_road: tuple[ColourCell, ...]
    counts: Counts
    if_player: Answer
    if_banker: Answer


def roads(results: Sequence[Result]) -> Roads:
    """Everything that is drawn for the results of a shoe."""
    winners = _decided(results)
    eye, small, cockroach = (derived_road(winners, distance) for distance in (1, 2, 3))
    return Roads(
        bead_plate(results),
        big_road(results),
        eye,
        small,
        cockroach,
        count(results),
        *(ask(results, side) for side in SIDES),
    )


def bead_plate(results: Sequence[Result]) -> tuple[Bead, ...]:
    """Every result, six to a column."""
    return tuple(Bead(*divmod(number, ROWS), result) for number, result in enumerate(results))


def big_road(results: Sequence[Result]) -> tuple[BigRoadCell, ...]:
    """The results of player and banker in columns of one winner, with their ties."""
    decided: list[Result | None] = []
    ties: list[int] = []
    waiting = 0
    for result in results:
        if result.winner != "tie":
            decided.append(result)
            ties.append(waiting)
            waiting = 0
        elif decided:
            ties[-1] += 1
        else:
            waiting += 1
    if waiting:
        decided, ties = [None], [waiting]
    places = _places([result and result.winner for result in decided])
    return tuple(
        BigRoadCell(*place, result, tied)
        for place, result, tied in zip(places, decided, ties, strict=True)
    )


def derived_road(winners: Sequence[Winner], distance: int) -> tuple[ColourCell, ...]:
    """A derived road: 1 for the big eye boy, 2 for the small road, 3 for the cockroach road."""
    colours = derived_colours(winners, distance)
    return tuple(
        ColourCell(*place, colour) for place, colour in zip(_places(colours), colours, strict=True)
    )


def derived_colours(winners: Sequence[Winner], distance: int) -> list[Colour]:
    """The entries of a derived road in their order."""
    colours = (_colour(lengths, distance) for lengths in _column_lengths(winners))
    return [colour for colour in colours if colour]


def ask(results: Sequence[Result], side: Side) -> Answer:
    """The entries that the derived roads would add if this side won next."""
    *_, lengths = _column_lengths([*_decided(results), side])
    return Answer(*(_colour(lengths, distance) for distance in (1, 2, 3)))


def count(results: Sequence[Result]) -> Counts:
    """Return how often each winner and each mark has come."""
    winners = [result.winner for result in results]
    return Counts(
        len(results),
        winners.count("player"),
        winners.count("banker"),
        winners.count("tie"),
        sum(result.player_pair for result in results),
        sum(result.banker_pair for result in results),
        sum(result.natural for result in results),
    )


def _decided(results: Sequence[Result]) -> list[Winner]:
    return [result.winner for result in results if result.winner != "tie"]


def _column_lengths(winners: Sequence[Winner]) -> Iterator[list[int]]:
    """The lengths of the true columns of the big road, as they grow with every winner."""
    lengths: list[int] = []
    for number, winner in enumerate(winners):
        if number and winner == winners[number - 1]:
            lengths[-1] += 1
        else:
            lengths.append(1)
        yield lengths


def _colour(lengths: Sequence[int], distance: int) -> Colour | None:
    """The entry for the last cell of the big road, whose true columns are so long."""
    row = lengths[-1]
    if row == 1:
        if len(lengths) < distance + 2:
            return None
        return "red" if lengths[-2] == lengths[-2 - distance] else "blue"
    if len(lengths) < distance + 1:
        return None
    return "blue" if lengths[-1 - distance] == row - 1 else "red"


def _places(entries: Sequence[object]) -> list[tuple[int, int]]:
    """Column and row of each entry: equal ones run down a column, and right at its end."""
    places: list[tuple[int, int]] = []
    taken: set[tuple[int, int]] = set()
    first_column = -1
    for number, entry in enumerate(entries):
        if number and entry == entries[number - 1]:
            column, row = places[-1]
            below = column, row + 1
            bent = column > first_column
            place = (column + 1, row) if bent or row + 1 == ROWS or below in taken else below
        else:
            # A tail in the top row can reach as far as the next column.
            first_column += 1
            while (first_column, 0) in taken:
                first_column += 1
            place = first_column, 0
        places.append(place)
        taken.add(place)
    return places
