"""What the lines of a Dou Dizhu settlement tell, and the refusals that only a program can meet."""

from collections.abc import Sequence
from typing import Any

from games.rules.doudizhu.game import Doudizhu
from games.rules.settlement import Line, Settlement, Transfer
from games.rules.thirteen.state import Arrange
from tests.rules.cases import each, illegal
from tests.rules.doudizhu_table import Turns, after, dealt, finished

BOMB = "3c3d3h3s"
ROCKET = "BJRJ"
PLAIN = ((1, "4c"), (2, "5c"), (3, "6c"), (1, "7c"), (1, "8c"))


def settled(
    call: int, turns: Turns, stacks: Sequence[int] = (10**6,) * 3, **options: Any
) -> Settlement:
    game = Doudizhu(**{"point": 10, "rake_bp": 0, **options})
    return game.settle(finished(call, turns, stacks))


def lines(settlement: Settlement, source: int, target: int) -> list[Line]:
    return [line for line in settlement.lines if {line.source, line.target} == {source, target}]


def test_call_bombs_and_spring_are_lines_to_the_landlord() -> None:
    settlement = settled(3, ((1, "4c"), (2, ""), (3, ""), (1, BOMB)))
    for farmer in (2, 3):
        assert lines(settlement, farmer, 1) == [
            Line("call", farmer, 1, 30, {"points": 3, "point": 10}),
            Line("bomb", farmer, 1, 30, {"seat": 1, "rank": "3", "points": 6}),
            Line("spring", farmer, 1, 60, {"points": 12}),
        ]
    assert settlement.transfers == (
        Transfer(2, 1, 120, "landlord"),
        Transfer(3, 1, 120, "landlord"),
    )


def test_call_rocket_and_anti_spring_are_lines_to_the_farmers() -> None:
    settlement = settled(2, ((1, "4c"), (2, "5c"), (3, ""), (1, ""), (2, ROCKET)))
    for farmer in (2, 3):
        assert lines(settlement, 1, farmer) == [
            Line("call", 1, farmer, 20, {"points": 2, "point": 10}),
            Line("rocket", 1, farmer, 20, {"seat": 2, "points": 4}),
            Line("anti_spring", 1, farmer, 40, {"points": 8}),
        ]
    assert settlement.transfers == (Transfer(1, 2, 80, "farmers"), Transfer(1, 3, 80, "farmers"))


@each(((1_000, 5, 1_000), "farmer_short", 5, 2), ((41, 1_000, 1_000), "landlord_limit", 20, 1))
def test_a_limit_gives_back_what_it_cuts(
    stacks: tuple[int, int, int], key: str, paid: int, seat: int
) -> None:
    settlement = settled(3, PLAIN, stacks)
    values: dict[str, int | str] = {"due": 30, "paid": paid, "seat": seat}
    for farmer in (2, 3):
        assert lines(settlement, farmer, 1)[1:] == [Line(key, 1, farmer, 30 - paid, values)]


def test_a_tournament_takes_no_rake_however_much_is_won() -> None:
    settlement = settled(3, PLAIN, point=10_000, tournament=True, rake_bp=500)
    assert (settlement.net[1], settlement.rake) == (60_000, {})


def test_a_hand_that_goes_on_cannot_be_settled() -> None:
    illegal("hand_not_over", Doudizhu().settle, dealt())


def test_an_action_of_another_game_is_refused() -> None:
    for state in (dealt(), after(dealt(), "1 call 3")):
        illegal("not_now", Doudizhu().apply, state, 1, Arrange())


def test_a_table_of_its_own_defaults() -> None:
    game = Doudizhu()
    assert (game.key, game.rules_version) == ("doudizhu", 1)
    assert (game.point, game.rake_bp, game.wings) == (100, 500, "literal")
