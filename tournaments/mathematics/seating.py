"""Seating: first seats, balanced tables, broken tables, byes.

**First seats.** The event's draw puts the entrants in an order. Tables are as few as will do and
differ by one player at most; the first ones have the player more. The order fills table 1, then
table 2 and so on, each from seat 1 upwards. Where every table needs the same number of players (Dou
Dizhu three), only full tables are made, and those for whom there is none have a bye.

**How many tables.** As few as will seat all players; a table is broken as soon as the others have
room for its players. Where all tables need the same number, there are as many as are full, and the
rest wait.

**Balancing.** Tables that are kept differ by one player at most. Those with most players are kept;
of equal ones, those with the lowest numbers, so that table 1 is usually the last. Of the kept
tables, those with most players (of equal ones the lowest numbers) have the player more. No other
arrangement moves fewer players: all who can keep their table do.

**Who moves.** Free places are filled table by table, the lowest number first: from tables with a
player too many, the lowest number first; then from broken tables, in the order of the event's draw;
then by those who wait.

- From a table with a player too many, the button decides who moves, and to which of the free seats:
  a player who would have had it in so many hands should have it in as many hands again. Of all
  pairs of a player and a free seat, the pair counts for which the two numbers differ least; of
  these the one whose player would have had the button sooner, then that of the lower seat left,
  then that of the lower seat taken. So the one who is next to have the button usually moves, into a
  seat that is next to have it, and no player is passed over or has it twice.
- A player from a broken table takes a seat by the same rule.
- A player who has waited takes the seat that has the button last (of equal ones the lowest), as
  they have missed no turn.
- Dou Dizhu has no button. There the lowest free seat is taken.

**The button's way.** It moves to the next player with a higher seat number, and after the last to
the first. In how many hands a seat has it is counted in players who sit there now: the next player
has it in one hand, and the present holder after all others.

**Byes.** They go to those who have had the fewest so far; among equals, by the order that is given:
the draw, or in ranked rounds the ranking from the last place upwards. Where too many players are
left for full tables and those who rest are not given, those rest who have had the fewest byes among
the players without a table. Where tables play in step, a bye lasts for one hand, and any player may
have it; in rounds it lasts for a round.
"""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct


class TableSeats(Struct, frozen=True):
    """A table between two hands: who sits where, and which seat has the button."""

    number: int
    # Entry by seat.
    seats: Mapping[int, int]
    button: int | None = None


class Place(NamedTuple):
    table: int
    seat: int


class PlannedMove(NamedTuple):
    """A player moves from a place to a place; where one of them is missing, the player waits."""

    entry: int
    source: Place | None
    target: Place | None


class Plan(NamedTuple):
    """The moves that balance the tables."""

    moves: tuple[PlannedMove, ...]
    # Tables without players afterwards, and numbers of tables that are new.
    broken: tuple[int, ...]
    opened: tuple[int, ...]


class Sizes(NamedTuple):
    """With how many players a table can play, and how many it has at most."""

    least: int
    most: int

    def tables(self, players: int) -> int:
        """Return the number of tables for this many players."""
        return players // self.most if self.least == self.most else -(-players // self.most)

    def seated(self, players: int) -> int:
        """Return how many of this many players get a seat."""
        return self.tables(players) * self.most if self.least == self.most else players

    def shape(self, players: int) -> list[int]:
        """The sizes of the tables of so many players, the largest first."""
        tables = self.tables(players)
        each, more = divmod(self.seated(players), tables or 1)
        return [each + (number < more) for number in range(tables)]


class Seating(NamedTuple):
    """Tables, each with its players from seat 1 on, and those who have a bye."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


class Field(NamedTuple):
    """The players to be seated, with what the rules need to know about them."""

    # The players without a seat.
    waiting: Sequence[int] = ()
    # The number that each player drew, and how many byes each has had.
    drawn: Mapping[int, int] = {}
    had: Mapping[int, int] = {}


def first_seats(order: Sequence[int], sizes: Sizes, resting: Collection[int] = ()) -> Seating:
    """The first seats in the drawn order; byes go to those named, or to the last of the order."""
    spare = len(order) - sizes.seated(len(order))
    rest = set(resting) or set(order[len(order) - spare :])
    assert len(rest) == spare
    playing = iter([entry for entry in order if entry not in rest])
    tables = tuple(tuple(next(playing) for _ in range(size)) for size in sizes.shape(len(order)))
    return Seating(tables, tuple(entry for entry in order if entry in rest))


def byes(order: Sequence[int], count: int, had: Mapping[int, int]) -> tuple[int, ...]:
    """Return who has a bye: players with the fewest byes; among equals, the first in order."""
    return tuple(sorted(order, key=lambda entry: had.get(entry, 0))[:count])


def hands_until_button(seats: Mapping[int, int], button: int | None, seat: int) -> int:
    """In how many hands a seat has the button; a free seat as if a player sat there. 0: never."""
    if button is None:
        return 0
    order = sorted({*seats, seat}, key=lambda one: (one <= button, one))
    return order.index(seat) + 1


def balance(
    tables: Sequence[TableSeats],
    sizes: Sizes,
    field: Field,
    *,
    resting: Collection[int] = (),
    next_number: int = 1,
) -> Plan:
    """The fewest moves after which the tables are balanced.

    `resting` names players who have a bye now; all others are seated as far as full tables go.
    A table that has to be opened gets `next_number`, and the next one the number after it.
    """
    room = _Room(tables, sizes.most)
    moves = list(room.rest(frozenset(resting)))
    waiting = [entry for entry in field.waiting if entry not in resting]
    targets = _targets(room.seats, sizes, len(waiting), next_number)
    broken = sorted(room.seats.keys() - targets.keys())
    opened = sorted(targets.keys() - room.seats.keys())
    room.open(opened)
    free = deque(
        number
        for number in sorted(targets)
        for _ in range(targets[number] - len(room.seats[number]))
    )
    for number in sorted(targets):
        while len(room.seats[number]) > targets[number]:
            moves.append(room.relieve(number, free.popleft()))
    evicted = room.sources(broken, field.drawn)
    arriving = [*evicted, *waiting]
    by_draw = sorted(arriving, key=lambda entry: field.drawn.get(entry, 0))
    spare = set(byes(by_draw, len(arriving) - len(free), field.had))
    for entry in arriving:
        source = evicted.get(entry)
        if entry not in spare:
            moves.append(room.take(entry, source, free.popleft()))
        elif source is not None:
            moves.append(PlannedMove(entry, source, None))
    return Plan(tuple(moves), tuple(broken), tuple(opened))


def _targets(
    seats: Mapping[int, Mapping[int, int]], sizes: Sizes, waiting: int, next_number: int
) -> dict[int, int]:
    """Return how many players each table has that is kept or opened."""
    shape = sizes.shape(sum(map(len, seats.values())) + waiting)
    by_size = sorted(seats, key=lambda number: (-len(seats[number]), number))
    opened = range(next_number, next_number + max(0, len(shape) - len(by_size)))
    return dict(zip([*by_size, *opened], shape, strict=False))


class _Room:
    """The seats while moves are being planned."""

    def __init__(self, tables: Sequence[TableSeats], most: int) -> None:
        self.seats = {table.number: dict(table.seats) for table in tables}
        self.buttons = {table.number: table.button for table in tables}
        self.most = most

    def open(self, numbers: Sequence[int]) -> None:
        """Put up tables without players."""
        for number in numbers:
            self.seats[number], self.buttons[number] = {}, None

    def until(self, number: int, seat: int) -> int:
        """In how many hands a seat of a table has the button."""
        return hands_until_button(self.seats[number], self.buttons[number], seat)

    def free(self, number: int) -> list[int]:
        return [seat for seat in range(1, self.most + 1) if seat not in self.seats[number]]

    def rest(self, resting: frozenset[int]) -> Iterator[PlannedMove]:
        """Take those who have a bye from their seats."""
        for number, seats in self.seats.items():
            for seat, entry in list(seats.items()):
                if entry in resting:
                    yield PlannedMove(entry, Place(number, seat), None)
                    del seats[seat]

    def relieve(self, number: int, target: int) -> PlannedMove:
        """Move one player from a table to another, as the button decides."""
        waits = {seat: self.until(number, seat) for seat in self.seats[number]}
        finds = {seat: self.until(target, seat) for seat in self.free(target)}
        seat, new_seat = min(
            ((left, taken) for left in waits for taken in finds),
            key=lambda pair: (abs(waits[pair[0]] - finds[pair[1]]), waits[pair[0]], pair),
        )
        entry = self.seats[number].pop(seat)
        self.seats[target][new_seat] = entry
        return PlannedMove(entry, Place(number, seat), Place(target, new_seat))

    def sources(self, broken: Sequence[int], drawn: Mapping[int, int]) -> dict[int, Place]:
        """The places of the players of broken tables, in the order of the draw."""
        places = {
            entry: Place(number, seat)
            for number in broken
            for seat, entry in sorted(self.seats[number].items())
        }
        return dict(sorted(places.items(), key=lambda item: drawn.get(item[0], 0)))

    def take(self, entry: int, source: Place | None, target: int) -> PlannedMove:
        """Seat a player who has no table any more, or has none yet."""
        finds = {seat: self.until(target, seat) for seat in self.free(target)}
        if source is None:
            new_seat = min(finds, key=lambda seat: (-finds[seat], seat))
        else:
            waited = self.until(source.table, source.seat)
            new_seat = min(finds, key=lambda seat: (abs(waited - finds[seat]), seat))
        self.seats[target][new_seat] = entry
        return PlannedMove(entry, source, Place(target, new_seat))
