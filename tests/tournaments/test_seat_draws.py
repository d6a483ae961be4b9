"""First seats, balancing, breaking and byes, held against brute force on small fields."""

from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.mathematics.seating import (
    Field,
    Place,
    Plan,
    PlannedMove,
    Sizes,
    TableSeats,
    balance,
    byes,
    first_seats,
    hands_until_button,
)

SHORT = Sizes(2, 4)
THREES = Sizes(3, 3)
FOURS = Sizes(4, 4)
ALL_SIZES = (SHORT, THREES, FOURS, Sizes(2, 3), Sizes(2, 2))


@st.composite
def rooms(draw: st.DrawFn) -> tuple[Sizes, list[TableSeats], Field]:
    """Some tables with some of their seats taken, and some players who wait."""
    sizes = draw(st.sampled_from(ALL_SIZES))
    seats = st.sets(st.integers(1, sizes.most), min_size=1)
    taken = draw(st.lists(seats, max_size=6))
    numbers = draw(st.permutations(range(1, len(taken) + 1)))
    entry = iter(range(1, 100))
    button = st.none() | st.integers(1, sizes.most)
    tables = [
        TableSeats(number, {seat: next(entry) for seat in sorted(occupied)}, draw(button))
        for number, occupied in zip(numbers, taken, strict=True)
    ]
    waiting = [next(entry) for _ in range(draw(st.integers(0, 5)))]
    players = [seat for table in tables for seat in table.seats.values()] + waiting
    drawn = dict(zip(players, draw(st.permutations(range(len(players)))), strict=True))
    had = {player: draw(st.integers(0, 3)) for player in players}
    return sizes, tables, Field(waiting, drawn, had)


def carried_out(
    tables: Sequence[TableSeats], plan: Plan
) -> tuple[dict[int, dict[int, int]], set[int]]:
    """The tables after the moves, and who waits; each move has to be possible as it stands."""
    seats = {table.number: dict(table.seats) for table in tables}
    seats |= {number: {} for number in plan.opened}
    waits: set[int] = set()
    for move in plan.moves:
        if move.source is not None:
            assert seats[move.source.table].pop(move.source.seat) == move.entry
        if move.target is None:
            waits.add(move.entry)
    for move in plan.moves:
        if move.target is not None:
            assert move.target.seat not in seats[move.target.table]
            seats[move.target.table][move.target.seat] = move.entry
    assert all(not seats.pop(number) for number in plan.broken)
    return seats, waits


def fewest_moves(sizes: Sizes, tables: Sequence[TableSeats], waiting: int) -> int:
    """How many players have to leave their table, by trying every way to size the tables."""
    now = [len(table.seats) for table in tables]
    shape = sizes.shape(sum(now) + waiting)
    padded = shape + [0] * max(0, len(now) - len(shape))
    return min(
        sum(max(0, have - keep) for have, keep in zip(now, kept, strict=True))
        for kept in set(permutations(padded, len(now)))
    )


@given(rooms())
def test_balancing_moves_the_fewest_and_seats_everybody_once(
    room: tuple[Sizes, list[TableSeats], Field],
) -> None:
    sizes, tables, field = room
    plan = balance(tables, sizes, field, next_number=50)
    left = [move for move in plan.moves if move.source is not None]
    assert len(left) == fewest_moves(sizes, tables, len(field.waiting))
    assert len({move.entry for move in plan.moves}) == len(plan.moves)
    # Everybody has one place, and tables differ by one at most.
    seats, waits = carried_out(tables, plan)
    seated = [entry for table in seats.values() for entry in table.values()]
    everybody = {entry for table in tables for entry in table.seats.values()} | {*field.waiting}
    assert len(seated) == len(set(seated)) == sizes.seated(len(everybody))
    waiting = everybody - set(seated)
    assert waits <= waiting <= waits | {*field.waiting}
    counts = [len(table) for table in seats.values()]
    assert sorted(counts, reverse=True) == sizes.shape(len(everybody))
    assert max(counts, default=0) - min(counts, default=0) <= 1
    assert all(1 <= seat <= sizes.most for table in seats.values() for seat in table)
    # Of those without a table, who had the fewest byes rest.
    arrived = [
        move.entry
        for move in plan.moves
        if move.target is not None and (move.source is None or move.source.table in plan.broken)
    ]
    most = max((field.had[entry] for entry in waiting), default=0)
    assert all(field.had[entry] >= most for entry in arrived if waiting)
    # What is balanced is left alone.
    now = [TableSeats(number, taken) for number, taken in seats.items()]
    assert balance(now, sizes, Field(sorted(waiting))) == Plan((), (), ())
    # The order of the rows does not matter.
    other = balance(tables[::-1], sizes, field, next_number=50)
    assert set(plan.moves) == set(other.moves)
    assert (plan.broken, plan.opened) == (other.broken, other.opened)


def seats(*taken: int, start: int = 10) -> dict[int, int]:
    return {seat: start + seat for seat in taken}


@pytest.mark.parametrize(
    ("taken", "button", "seat", "hands"),
    [
        ((1, 2, 3, 4), 1, 2, 1),
        ((1, 2, 3, 4), 1, 4, 3),
        ((1, 2, 3, 4), 1, 1, 4),
        ((1, 2, 4), 2, 4, 1),
        ((1, 2, 4), 4, 1, 1),
        # A free seat, as if a player sat there.
        ((1, 4), 1, 3, 1),
        ((1, 4), 4, 2, 2),
        # The button's last seat is free now.
        ((1, 4), 2, 4, 1),
        ((1, 4), None, 2, 0),
    ],
)
def test_in_how_many_hands_a_seat_has_the_button(
    taken: tuple[int, ...], button: int | None, seat: int, hands: int
) -> None:
    assert hands_until_button(seats(*taken), button, seat) == hands


@pytest.mark.parametrize(
    ("giving", "taking", "move"),
    [
        # Next to have the button, into the seat that is next to have it.
        (
            TableSeats(1, seats(1, 2, 3, 4), 2),
            TableSeats(2, seats(1, 4, start=20), 1),
            PlannedMove(13, Place(1, 3), Place(2, 2)),
        ),
        # The free seats have the button in two hands: so does the one who moves.
        (
            TableSeats(1, seats(1, 2, 3, 4), 2),
            TableSeats(2, seats(1, 2, start=20), 1),
            PlannedMove(14, Place(1, 4), Place(2, 3)),
        ),
        # One free seat has it in one hand, the other in two: the sooner of two fair moves.
        (
            TableSeats(1, seats(1, 2, 3, 4), 2),
            TableSeats(2, seats(1, 3, start=20), 1),
            PlannedMove(13, Place(1, 3), Place(2, 2)),
        ),
        # A new table has no button yet.
        (
            TableSeats(1, seats(1, 2, 3, 4), 4),
            TableSeats(2, seats(3, 4, start=20)),
            PlannedMove(11, Place(1, 1), Place(2, 1)),
        ),
    ],
)
def test_the_button_decides_who_moves_and_where(
    giving: TableSeats, taking: TableSeats, move: PlannedMove
) -> None:
    assert balance([giving, taking], SHORT, Field()).moves == (move,)


@given(st.integers(1, 4), st.sets(st.integers(1, 4), min_size=2, max_size=2), st.integers(1, 4))
def test_no_other_move_is_fairer_by_the_button(button: int, taken: set[int], other: int) -> None:
    giving = TableSeats(1, seats(1, 2, 3, 4), button)
    taking = TableSeats(2, seats(*taken, start=20), other)
    (move,) = balance([giving, taking], SHORT, Field()).moves
    assert move.source is not None
    assert move.target is not None

    def unfair(left: int, found: int) -> int:
        before = hands_until_button(giving.seats, giving.button, left)
        return abs(before - hands_until_button(taking.seats, taking.button, found))

    free = {1, 2, 3, 4} - taken
    best = min(unfair(left, seat) for left in (1, 2, 3, 4) for seat in free)
    assert unfair(move.source.seat, move.target.seat) == best


def test_a_broken_table_fills_free_seats_in_the_order_of_the_draw() -> None:
    tables = [
        TableSeats(1, seats(1, 2, 3), 3),
        TableSeats(2, seats(1, 2, 4, start=20), 4),
        TableSeats(3, seats(2, 3, start=30), 2),
    ]
    plan = balance(tables, SHORT, Field(drawn={32: 9, 33: 4}))
    assert plan.broken == (3,)
    assert plan.moves == (
        PlannedMove(33, Place(3, 3), Place(1, 4)),
        PlannedMove(32, Place(3, 2), Place(2, 3)),
    )


def test_whoever_comes_from_a_broken_table_waits_for_the_button_as_long_as_before() -> None:
    # Seat 2 of table 1 has the button in one hand, seat 4 in two: as seats 3 and 1 of table 2.
    tables = [TableSeats(1, seats(1, 3), 1), TableSeats(2, seats(1, 3, start=20), 1)]
    plan = balance(tables, SHORT, Field(drawn={21: 0, 23: 1}))
    assert plan.moves == (
        PlannedMove(21, Place(2, 1), Place(1, 4)),
        PlannedMove(23, Place(2, 3), Place(1, 2)),
    )


def test_of_equal_tables_the_highest_number_is_broken() -> None:
    tables = [TableSeats(number, seats(1, 2, start=10 * number), 1) for number in (3, 1, 2)]
    assert balance(tables, SHORT, Field()).broken == (3,)


def test_whoever_has_waited_takes_the_seat_with_the_button_last() -> None:
    tables = [TableSeats(1, seats(1, 3), 1)]
    plan = balance(tables, SHORT, Field(waiting=[7]))
    assert plan.moves == (PlannedMove(7, None, Place(1, 4)),)


def test_a_table_is_opened_when_the_others_are_full() -> None:
    tables = [TableSeats(1, seats(1, 2, 3, 4), 1), TableSeats(2, seats(1, 2, 3, 4, start=20), 1)]
    plan = balance(tables, SHORT, Field(waiting=[7]), next_number=5)
    assert plan.opened == (5,)
    assert sorted(len(table) for table in carried_out(tables, plan)[0].values()) == [3, 3, 3]


def test_players_named_for_a_bye_make_room_for_those_who_waited() -> None:
    tables = [
        TableSeats(1, seats(1, 2, 3)),
        TableSeats(2, seats(1, 2, 3, start=20)),
    ]
    plan = balance(tables, THREES, Field(waiting=[7, 8]), resting=(12, 23))
    assert plan.moves == (
        PlannedMove(12, Place(1, 2), None),
        PlannedMove(23, Place(2, 3), None),
        PlannedMove(7, None, Place(1, 2)),
        PlannedMove(8, None, Place(2, 3)),
    )


@pytest.mark.parametrize(
    ("players", "sizes", "shape"),
    [
        (0, SHORT, []),
        (1, SHORT, [1]),
        (4, SHORT, [4]),
        (5, SHORT, [3, 2]),
        (9, SHORT, [3, 3, 3]),
        (11, SHORT, [4, 4, 3]),
        (2, THREES, []),
        (11, THREES, [3, 3, 3]),
        (7, FOURS, [4]),
    ],
)
def test_tables_are_as_few_as_will_do(players: int, sizes: Sizes, shape: list[int]) -> None:
    assert sizes.shape(players) == shape


@given(st.sampled_from(ALL_SIZES), st.integers(0, 60))
def test_first_seats_follow_the_draw_and_tables_differ_by_one_at_most(
    sizes: Sizes, players: int
) -> None:
    order = list(range(players))[::-1]
    seating = first_seats(order, sizes)
    assert [entry for table in seating.tables for entry in table] + [*seating.byes] == order
    assert [len(table) for table in seating.tables] == sizes.shape(players)
    assert first_seats(order, sizes) == seating


def test_byes_that_are_named_leave_the_others_in_their_order() -> None:
    seating = first_seats([5, 3, 1, 4, 2], THREES, resting=(3, 4))
    assert seating.tables == ((5, 1, 2),)
    assert seating.byes == (3, 4)


@pytest.mark.parametrize(
    ("order", "count", "had", "expected"),
    [
        ([5, 3, 1], 1, {}, (5,)),
        ([5, 3, 1], 2, {5: 1}, (3, 1)),
        ([5, 3, 1], 2, {5: 1, 3: 2, 1: 2}, (5, 3)),
        ([5, 3, 1], 0, {}, ()),
    ],
)
def test_byes_go_to_those_who_had_the_fewest(
    order: list[int], count: int, had: Mapping[int, int], expected: tuple[int, ...]
) -> None:
    assert byes(order, count, had) == expected


@given(st.integers(3, 20), st.integers(1, 40))
def test_nobody_has_two_byes_more_than_another(players: int, hands: int) -> None:
    had: dict[int, int] = {}
    order = list(range(players))
    for _ in range(hands):
        for entry in byes(order, players % 3, had):
            had[entry] = had.get(entry, 0) + 1
    counts = [had.get(entry, 0) for entry in order]
    assert max(counts) - min(counts) <= 1
