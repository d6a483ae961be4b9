"""The bot of the thirteen-card games: it plays by its view, legally, and better than the house."""

from typing import Any

import msgspec
import pytest

from games.bots.simulate import play_hand, simulate, strategies
from games.bots.thirteen import play_best
from games.rules.cards import parse_cards
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import SeatStack
from games.rules.thirteen.state import Arrange, Bet, Exchange, Give, Phase, ThirteenContext
from games.rules.thirteen.view import ThirteenView
from tests.rules.cases import each

KEYS = [key for key, entry in GAMES.items() if entry.family == "thirteen"]


def a_game(key: str, options: dict[str, Any]) -> Any:
    return msgspec.convert(options, game_type(key))


@pytest.mark.slow
@each(
    *((key, {}) for key in KEYS),
    ("chinese_poker", {"table": "bonus", "extra_point": "no_premium"}),
    ("thirteen_taiwan", {"banker": "fixed", "banker_eats_ties": True}),
    ("thirteen_fujian", {"jokers": 0, "allow_foul": True}),
)
def test_the_bots_play_whole_hands_legally_and_the_money_balances(
    key: str, options: dict[str, Any]
) -> None:
    game = a_game(key, options)
    stakes = [SeatStack(seat, 10_000) for seat in range(1, game.seats[-1] + 1)]
    players = {stake.seat: strategies(game)["best"] for stake in stakes}
    for number in range(3):
        settlement = play_hand(game, stakes, players, bytes(32), number).settlement
        assert sum(settlement.net.values()) + sum(settlement.rake.values()) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "hands"),
    [("chinese_poker", 40), *(pytest.param(key, 150, marks=pytest.mark.release) for key in KEYS)],
)
def test_arranging_as_the_house_does_loses_to_the_bot(key: str, hands: int) -> None:
    """The first seat arranges by the fallback against three bots, on the same deals as a bot."""
    game = a_game(key, {"rake_bp": 0})
    as_house = simulate(game, hands, "margin", "house")["net"]["1"]["mean"]
    as_bot = simulate(game, hands, "margin", "best")["net"]["1"]["mean"]
    assert as_bot > as_house


def test_a_bot_bets_the_least_and_no_more_than_it_has() -> None:
    game = a_game("thirteen_hongkong", {"bet_min": 500, "bet_max": 900})
    stakes = [SeatStack(1, 10_000), SeatStack(2, 300)]
    state = game.open(stakes, game.composition(), ThirteenContext(banker=1))
    assert play_best(game, game.view(state, 2)) == Bet(300)
    rich = game.open(
        [SeatStack(1, 9), SeatStack(2, 1_000)], game.composition(), ThirteenContext(banker=1)
    )
    assert play_best(game, game.view(rich, 2)) == Bet(500)


def a_view(phase: Phase, cards: str) -> ThirteenView:
    """What the banker of a Philippine table sees with this hand."""
    stakes = tuple(SeatStack(seat, 10_000) for seat in (1, 2, 3, 4))
    return ThirteenView(
        seat=4,
        stakes=stakes,
        to_act=(4,),
        phase=phase,
        button=4,
        banker=4,
        bets={1: 100, 2: 100, 3: 100},
        exchanges=0,
        exchanges_left=0,
        direction=None,
        hand=parse_cards(cards),
    )


def test_a_banker_orders_an_exchange_with_a_poor_hand_only() -> None:
    game = a_game("thirteen_philippine", {})
    poor = a_view("exchange", "2c3d4h6s7c8d9hTcJdQsKhAc5d"[:-2] + "2d")
    rich = a_view("exchange", "AsAhAdKsKhKdQsQhQdJsJhJdTs")
    assert play_best(game, poor) == Exchange(1)
    assert play_best(game, rich) == Exchange(0)


def test_a_bot_keeps_its_two_best_rows_when_it_gives() -> None:
    game = a_game("thirteen_philippine", {})
    view = a_view("give", "AsAhAdAc9s KcKhKdQsQh 2c5d7h")
    action = play_best(game, view)
    assert isinstance(action, Give)
    assert set(action.cards) <= set(parse_cards("9s2c5d7h"))


def test_a_bot_declares_a_natural_that_expects_more_than_its_rows() -> None:
    game = a_game("thirteen_taiwan", {})
    dragon = a_view("arrange", "2c3d4h5s6c7d8h9sTcJdQhKsAc")
    assert play_best(game, dragon) == Arrange(declare=game.held_naturals(dragon.hand)[0])
