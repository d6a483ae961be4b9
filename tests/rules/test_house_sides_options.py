"""What the draws and options of a bonus bet must keep to."""

from typing import ClassVar

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.contract import HOUSE
from games.rules.errors import Unreadable
from games.rules.house.actions import Close
from games.rules.house.sides import COMMON_FIELDS, Segment, SideContext, drawn_multiple
from tests.rules.boxes import GAME, STAKES, Bet, Boxes
from tests.rules.cases import each, every
from tests.rules.harness import Moves
from tests.rules.house_sides import settled


@each(
    ({"bonus_card": "BJ"}, "joker_named", "bonus_card"),
    ({"wheel_card": "RJ", "wheel": 0}, "joker_named", "wheel_card"),
    ({"lucky_card": "RJ", "lucky_game": 0}, "joker_named", "lucky_card"),
    ({"wheel_card": "2c", "wheel": 4}, "draw_out_of_range", "wheel"),
    ({"lucky_card": "2c", "lucky_game": 6}, "draw_out_of_range", "lucky_game"),
)
def test_draws_that_cannot_be_are_refused(draws: dict[str, object], code: str, name: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        GAME.open(STAKES, (), convert(draws, SideContext))
    assert (refusal.value.code, refusal.value.path) == (code, f"$.context.{name}")
    assert name in refusal.value.sentence


@every(draws=[{"wheel": -1}, {"wheel": 1_000}, {"mystery_left": 0}, {"bonus_card": "1c"}])
def test_draws_out_of_bounds_are_unreadable(draws: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        convert(draws, SideContext)


def test_a_game_without_a_feature_ignores_its_draw() -> None:
    class Plain(Boxes, frozen=True, kw_only=True):
        features: ClassVar[tuple[str, ...]] = COMMON_FIELDS

    draws = SideContext(bonus_card=Card.C2, lucky_card=Card.C2, lucky_game=0, mystery_left=10**6)
    assert Plain().open(STAKES, (), draws).draws == SideContext(mystery_left=10**6)


@each((0, 7), (1, 0), (2, 0), (3, 20))
def test_the_number_falls_into_the_weights_in_order(number: int, multiple: int) -> None:
    assert drawn_multiple(GAME.wheel_segments, number) == multiple


@every(
    options=[
        {"wheel_segments": ()},
        {"lucky_prizes": ()},
        {"wheel_segments": [{"weight": 999, "multiple": 1}, {"weight": 2, "multiple": 1}]},
        {"wheel_segments": [{"weight": 0, "multiple": 1}]},
        {"bonus_min": 101, "bonus_max": 100},
        {"min": 101, "max": 100},
        {"jackpot_bp": 10_001},
    ]
)
def test_options_that_cannot_be_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        convert(options, Boxes)


def test_a_table_may_take_bets_of_one_size_only() -> None:
    game = Boxes(min=100, max=100, bonus_min=50, bonus_max=50)
    state = game.open(STAKES, (), SideContext())
    assert game.apply(state, 1, Bet(1, 100, 50)).bets[0].bonus == 50


def test_default_options_of_a_table() -> None:
    game = Boxes()
    assert (game.bonus_min, game.bonus_max) == (100, 10_000)
    assert (game.jackpot_bp, game.mystery_bp) == (1_000, 100)
    assert [(segment.weight, segment.multiple) for segment in game.wheel_segments] == [
        *((40, 1), (30, 2), (15, 5), (10, 10), (4, 20), (1, 50))
    ]
    assert [(prize.weight, prize.multiple) for prize in game.lucky_prizes] == [
        (60, 2),
        (30, 5),
        (10, 10),
    ]


def test_a_wheel_that_pays_the_bet_once_takes_nothing_back() -> None:
    game = replace(GAME, wheel_segments=(Segment(1, 1),))
    moves: Moves = [(1, Bet(1, 100, 50)), (HOUSE, Close())]
    settlement = settled("2c3c", moves, SideContext(wheel_card=Card.C2, wheel=0), game)
    assert settlement.net[1] == 50 - 100


def test_the_line_of_a_lost_bonus_bet_names_the_bonus() -> None:
    settlement = settled("2c3c", [(1, Bet(1, 100, 50)), (HOUSE, Close())])
    lost = [line for line in settlement.lines if line.key == "box_lost"]
    assert [(line.amount, line.values["bet"]) for line in lost] == [(100, "bet"), (50, "bonus")]


def test_the_smallest_share_makes_a_jackpot() -> None:
    assert replace(GAME, jackpot_bp=1).has_jackpot
