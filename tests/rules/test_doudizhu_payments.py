"""What a hand is worth and who pays it, to the last unit, with stacks of every size."""

from typing import Any

from games.rules.doudizhu.game import Doudizhu
from games.rules.messages import sentence
from games.rules.settlement import Settlement
from tests.rules.cases import each
from tests.rules.doudizhu_table import STACK, Turns, after, dealt, finished

RICH = (STACK, STACK, STACK)
BOMB = "3c3d3h3s"
ROCKET = "BJRJ"
# Turns in which everybody plays and the landlord, seat 1, plays twice: nothing is doubled.
PLAIN = ((1, "4c"), (2, "5c"), (3, "6c"), (1, "7c"))


def settled(
    call: int, turns: Turns, stacks: tuple[int, int, int] = RICH, landlord: int = 1, **options: Any
) -> Settlement:
    game = Doudizhu(**{"point": 1, "rake_bp": 0, **options})
    return game.settle(finished(call, turns, stacks, landlord))


@each(
    # The call alone: of two points the landlord gets two from each, or gives two to each.
    (2, (*PLAIN, (1, "8c")), {1: 4, 2: -2, 3: -2}),
    (2, (*PLAIN, (2, "8c")), {1: -4, 2: 2, 3: 2}),
    (1, (*PLAIN, (3, "8c")), {1: -2, 2: 1, 3: 1}),
    (3, (*PLAIN, (1, "8c")), {1: 6, 2: -3, 3: -3}),
    # The source's example: two points, one bomb and one rocket are eight from each, or to each.
    (2, (*PLAIN, (1, BOMB), (1, ROCKET), (1, "8c")), {1: 16, 2: -8, 3: -8}),
    (2, (*PLAIN, (2, BOMB), (3, ROCKET), (2, "8c")), {1: -16, 2: 8, 3: 8}),
    (2, (*PLAIN, (1, BOMB), (2, ROCKET), (3, "8c")), {1: -16, 2: 8, 3: 8}),
    # Every bomb doubles, by either side; the last play too.
    (1, (*PLAIN, (2, BOMB), (3, "4c4d4h4s"), (1, "5c5d5h5s")), {1: 16, 2: -8, 3: -8}),
    # Four with two is no bomb.
    (1, (*PLAIN, (1, "3c3d3h3s4c5c"), (1, "8c")), {1: 2, 2: -1, 3: -1}),
    (1, (*PLAIN, (1, "3c3d3h3s4c4d5c5d"), (1, "8c")), {1: 2, 2: -1, 3: -1}),
    # Spring: neither farmer has played.
    (3, ((1, "4c"), (2, ""), (3, ""), (1, "8c")), {1: 12, 2: -6, 3: -6}),
    (3, ((1, "4c"), (2, "5c"), (3, ""), (1, "8c")), {1: 6, 2: -3, 3: -3}),
    # Anti-spring: the landlord has played once.
    (3, ((1, "4c"), (2, "5c"), (3, ""), (1, ""), (2, "6c")), {1: -12, 2: 6, 3: 6}),
    (3, ((1, "4c"), (2, "5c"), (3, ""), (1, "7c"), (2, "8c")), {1: -6, 2: 3, 3: 3}),
    # Out with the first play: both, and a bomb beside them.
    (1, ((1, "4c"),), {1: 8, 2: -4, 3: -4}),
    (1, ((1, BOMB),), {1: 16, 2: -8, 3: -8}),
)
def test_points(call: int, turns: Turns, net: dict[int, int]) -> None:
    assert settled(call, turns).net == net


def test_both_springs_is_an_option() -> None:
    assert settled(1, ((1, "4c"),), both_springs=False).net == {1: 4, 2: -2, 3: -2}
    lost = ((1, "4c"), (2, "5c"), (3, ""), (1, ""), (2, "6c"))
    assert settled(1, lost, both_springs=False).net == {1: -4, 2: 2, 3: 2}


def test_the_example_of_the_source_played_out() -> None:
    hands = ("3c3d3h3sBJRJ4c5c6c7c8c9cTcJcQcKcAc", "5d6d7d", "6h7h8h")
    state = after(dealt(hands, "2c2d2h"), "1 call 2", "2 call 0", "3 call 0")
    state = after(state, "1 play 4c", "2 play 5d", "3 pass", "1 play 2c", "2 pass", "3 pass")
    state = after(state, "1 play 3c3d3h3s", "2 pass", "3 pass", "1 play BJRJ", "2 pass", "3 pass")
    state = after(state, "1 play 5c6c7c8c9cTcJcQcKcAc", "2 pass", "3 pass", "1 play 2d2h")
    settlement = Doudizhu(point=100).settle(state)
    assert settlement.net == {1: 1_520, 2: -800, 3: -800}
    assert settlement.rake == {1: 80}
    assert [sentence(line) for line in settlement.lines[:3]] == [
        "1 wins the call of 2 from 2, at 100 a point",
        "1 has played a bomb of 3: doubled to 4",
        "1 has played the rocket: doubled to 8",
    ]
    assert {transfer.reason for transfer in settlement.transfers} == {"landlord"}


def test_rake_is_taken_from_each_winner_rounded_down_and_not_in_tournaments() -> None:
    lost = (*PLAIN, (2, "8c"))
    settlement = settled(3, lost, point=333, rake_bp=500)
    assert settlement.rake == {2: 49, 3: 49}
    assert settlement.net == {1: -1_998, 2: 950, 3: 950}
    assert settled(3, lost, point=333, rake_bp=500, tournament=True).rake == {}


WON = (*PLAIN, (1, "8c"))
LOST = (*PLAIN, (2, "8c"))


def limits(settlement: Settlement) -> list[str]:
    return [line.key for line in settlement.lines if line.key != "call"]


@each(
    # The landlord cannot pay both: halves, an odd unit to the left.
    (LOST, (400, 900, 900), {1: -400, 2: 200, 3: 200}, ["landlord_short"] * 2),
    (LOST, (401, 900, 900), {1: -401, 2: 201, 3: 200}, ["landlord_short"] * 2),
    (LOST, (1, 900, 900), {1: -1, 2: 1, 3: 0}, ["landlord_short"] * 2),
    (LOST, (599, 900, 900), {1: -599, 2: 300, 3: 299}, ["landlord_short"]),
    (LOST, (600, 900, 900), {1: -600, 2: 300, 3: 300}, []),
    # What one farmer may not take goes to the other, and no further than is due.
    (LOST, (400, 100, 900), {1: -400, 2: 100, 3: 300}, ["purse_limit"]),
    (LOST, (400, 900, 100), {1: -400, 2: 300, 3: 100}, ["purse_limit"]),
    (LOST, (350, 900, 100), {1: -350, 2: 250, 3: 100}, ["landlord_short", "purse_limit"]),
    (LOST, (900, 100, 900), {1: -400, 2: 100, 3: 300}, ["purse_limit"]),
    (LOST, (900, 100, 200), {1: -300, 2: 100, 3: 200}, ["purse_limit"] * 2),
    (
        LOST,
        (150, 100, 90),
        {1: -150, 2: 75, 3: 75},
        ["purse_limit", "landlord_short", "purse_limit", "landlord_short"],
    ),
    # A farmer cannot pay all: both pay the smaller amount.
    (WON, (900, 100, 900), {1: 200, 2: -100, 3: -100}, ["farmer_short"] * 2),
    (WON, (900, 900, 1), {1: 2, 2: -1, 3: -1}, ["farmer_short"] * 2),
    (WON, (900, 200, 100), {1: 200, 2: -100, 3: -100}, ["farmer_short"] * 2),
    # The landlord wins no more than the own stack, half from each.
    (WON, (500, 900, 900), {1: 500, 2: -250, 3: -250}, ["landlord_limit"] * 2),
    (WON, (501, 900, 900), {1: 500, 2: -250, 3: -250}, ["landlord_limit"] * 2),
    (WON, (1, 900, 900), {1: 0, 2: 0, 3: 0}, ["landlord_limit"] * 2),
    (WON, (150, 100, 900), {1: 150, 2: -75, 3: -75}, ["farmer_short", "landlord_limit"] * 2),
    (WON, (600, 900, 900), {1: 600, 2: -300, 3: -300}, []),
)
def test_short_stacks_in_cash(
    turns: Turns, stacks: tuple[int, int, int], net: dict[int, int], expected: list[str]
) -> None:
    settlement = settled(3, turns, stacks, point=100)
    assert settlement.net == net
    assert limits(settlement) == expected


@each(
    # Payers are short in the same way; what is won knows no limit.
    (LOST, (400, 100, 900), {1: -400, 2: 200, 3: 200}),
    (LOST, (401, 1, 1), {1: -401, 2: 201, 3: 200}),
    (LOST, (900, 1, 1), {1: -600, 2: 300, 3: 300}),
    (WON, (1, 900, 900), {1: 600, 2: -300, 3: -300}),
    (WON, (1, 100, 900), {1: 200, 2: -100, 3: -100}),
)
def test_short_stacks_in_tournaments(
    turns: Turns, stacks: tuple[int, int, int], net: dict[int, int]
) -> None:
    assert settled(3, turns, stacks, point=100, tournament=True).net == net


def test_the_odd_unit_goes_to_the_left_of_the_landlord() -> None:
    turns = ((3, "4c"), (1, "5c"), (2, "6c"), (3, "7c"), (1, "8c"))
    assert settled(3, turns, (900, 900, 401), landlord=3, point=100).net == {
        1: 201,
        2: 200,
        3: -401,
    }
    turns = ((2, "4c"), (3, "5c"), (1, "6c"), (2, "7c"), (1, "8c"))
    assert settled(3, turns, (900, 401, 900), landlord=2, point=100).net == {
        1: 200,
        2: -401,
        3: 201,
    }


def test_smallest_stack_to_sit_and_to_play_on() -> None:
    game = Doudizhu(point=20)
    assert (game.stack_to_sit, game.stack_to_continue) == (1_000, 200)
