"""The Russian poker bots: within their stacks always, and each decision as the odds say."""

from random import Random
from typing import Any

import pytest

from games.bots.russian_poker import STRATEGIES
from games.bots.simulate import simulate
from games.rules.cards import DECK, parse_cards
from games.rules.contract import HOUSE, Action, SeatStack
from games.rules.house.actions import Close, Done
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import SideContext
from games.rules.russian_poker.boxes import Accept, Bet, Buy, BuyDealer, Exchange, Insure
from games.rules.russian_poker.explain import explain
from games.rules.russian_poker.game import RussianPoker
from tests.rules.cases import each, every, unreadable
from tests.rules.harness import Moves
from tests.rules.russian_poker_round import (
    ACE_KING,
    GAME,
    NOTHING,
    THREE,
    UNQUALIFIED,
    dealt,
    opened,
)

BIG = 10**6
PAIR_UP = "4c 4h 8s 6h Kd"


def decision(
    name: str,
    cards: str,
    dealer: str,
    *before: Action,
    stack: int = BIG,
    rest: str = "2h 7c Jd Js Qs",
    game: RussianPoker = GAME,
) -> Action:
    """What a bot does with these cards in its one box, after these earlier actions."""
    moves: Moves = [(1, Ante(1, 100)), (HOUSE, Close())]
    moves += [(1, action) for action in before]
    state = opened(dealt([cards], dealer, rest), moves, game, [SeatStack(1, stack)])
    return STRATEGIES[name](game, game.view(state, 1))


@every(name=list(STRATEGIES), stack=[99, 100, 299, 300, 350, 400, 450, 600, BIG])
def test_every_strategy_plays_a_round_within_its_stack(name: str, stack: int) -> None:
    random = Random(f"{name} {stack}")
    for _ in range(3):
        state = GAME.open([SeatStack(1, stack)], random.sample(DECK, 52), SideContext())
        while waiting := GAME.to_act(state):
            (seat, *_) = sorted(waiting, key=str)
            action = STRATEGIES[name](GAME, GAME.view(state, 1))
            state = GAME.apply(state, seat, action)
        assert bool(state.boxes) == (name != "house" and stack >= 300)
        assert GAME.settle(state).net[1] >= -stack


def test_each_bot_takes_the_first_free_box_once() -> None:
    state = GAME.open([SeatStack(1, BIG), SeatStack(2, BIG)], (), SideContext())
    state = GAME.apply(state, 1, Ante(1, 200))
    assert STRATEGIES["simple"](GAME, GAME.view(state, 2)) == Ante(2, 100)
    assert STRATEGIES["best"](GAME, GAME.view(state, 2)) == Ante(2, 100)
    assert STRATEGIES["best"](GAME, GAME.view(state, 1)) == Done()
    assert STRATEGIES["house"](GAME, GAME.view(state, 2)) == Done()
    for box in (2, 3, 4):
        state = GAME.apply(state, 1, Ante(box, 200, blind=True))
    assert STRATEGIES["best"](GAME, GAME.view(state, 2)) == Done()


@each(
    ("Qc Qd 7h 4s 2d", ACE_KING, [], Exchange(1, parse_cards("7h4s2d"))),
    ("9c 8d 7h 6s 5d", ACE_KING, [], Buy(1)),
    ("9c 8d 7h 6s 5d", ACE_KING, [Buy(1)], Bet(1)),
    ("Jc 9h 7h 5d 3d", ACE_KING, [], Fold(1)),
    ("9c 9d 9h 9s 2d", ACE_KING, [], Bet(1)),
    # Three aces and a king against a two: insured for all that they would win.
    ("Ac Ad Ah 2s Kc", "2c Kh 8s 6h 4d", [Buy(1)], Insure(1, 800)),
    ("Ac Ad Ah 2s Kc", "2c Kh 8s 6h 4d", [Buy(1), Insure(1, 800)], Bet(1)),
)
def test_best_draws_insures_and_bets(
    cards: str, dealer: str, before: list[Action], expected: Action
) -> None:
    assert decision("best", cards, dealer, *before, rest="3s") == expected


@each(
    # The draw would leave too little for the bet.
    ("9c 8d 7h 6s 5d", 399, Bet(1)),
    ("Qc Qd 7h 4s 2d", 399, Bet(1)),
    ("Qc Qd 7h 4s 2d", 299, Fold(1)),
)
def test_best_keeps_the_bet_in_its_stack(cards: str, stack: int, expected: Action) -> None:
    assert decision("best", cards, PAIR_UP, stack=stack) == expected


@each((520, 120), (450, 50), (449, None))
def test_best_insures_with_what_the_bet_leaves(stack: int, expected: int | None) -> None:
    cards, dealer = "Ac Ad Ah 2s Kc", "2c Kh 8s 6h 4d"
    action = decision("best", cards, dealer, Buy(1), stack=stack, rest="3s")
    assert action == (Bet(1) if expected is None else Insure(1, expected))


@each(
    (THREE, BIG, BuyDealer(1)),
    (THREE, 400, BuyDealer(1)),
    (THREE, 399, Accept(1)),
    (NOTHING, BIG, Accept(1)),
    ("9c 9d 5h 5s 3c", BIG, Accept(1)),
    ("9c 9d As Ks 3c", BIG, Accept(1)),
)
def test_best_buys_the_dealer_a_card_where_that_wins_more(
    cards: str, stack: int, expected: Action
) -> None:
    assert decision("best", cards, UNQUALIFIED, Bet(1), stack=stack) == expected


@every(name=["best", "simple"])
def test_a_seat_with_blind_boxes_is_played_too(name: str) -> None:
    """The open box is played by its cards; a blind one accepts."""
    moves: Moves = [(1, Ante(2, 100)), (1, Ante(1, 100, blind=True)), (HOUSE, Close())]
    cards = dealt([NOTHING, "9d 9c 9s 2c 2d"], UNQUALIFIED, "QcJdJs")
    state = opened(cards, moves)
    while GAME.to_act(state):
        action = STRATEGIES[name](GAME, GAME.view(state, 1))
        state = GAME.apply(state, 1, action)
    blind, own = state.boxes
    assert (blind.answer, own.bet) == ("accept", 200)
    assert own.answer == ("buy_dealer" if name == "best" else "accept")


@each(
    ("2c 2d 4c 5s 7h", BIG, Bet(1)),
    ("2c 2d 4c 5s 7h", 299, Fold(1)),
    ("Ac Kd 4c 5s 7h", BIG, Bet(1)),
    ("Ac Qd 4c 5s 7h", BIG, Fold(1)),
)
def test_simple_bets_on_what_would_qualify(cards: str, stack: int, expected: Action) -> None:
    assert decision("simple", cards, "Th Ts 8s 6h 4d", stack=stack) == expected


def test_simple_accepts() -> None:
    assert decision("simple", THREE, UNQUALIFIED, Bet(1)) == Accept(1)


def test_simulation_reports_what_was_bought() -> None:
    report: dict[str, Any] = simulate(GAME, 12, "1", "best")
    assert {"1", HOUSE} <= set(report["net"])
    assert report["frequencies"]["exchange_paid"] > 0
    assert sum(figure["mean"] for figure in report["net"].values()) == pytest.approx(0)


def test_cards_are_explained() -> None:
    assert explain(GAME, "9c 8d 7h 6s 5c 5d") == {
        "combinations": [
            {"name": "straight", "cards": ["9c", "8d", "7h", "6s", "5c"], "pays": 4},
            {"name": "straight", "cards": ["9c", "8d", "7h", "6s", "5d"], "pays": 4},
        ],
        "pays": 8,
        "qualifies": True,
        "insurable": True,
        "bonus": "straight",
    }
    assert explain(GAME, "AcQd9h5s3c") == {
        "combinations": [],
        "pays": 0,
        "qualifies": False,
        "insurable": False,
        "bonus": None,
    }


@each(
    ("", "card_count"),
    ("9c8d7h6s", "card_count"),
    ("9c8d7h6s5c4d3h", "card_count"),
    ("9c9c7h6s5c", "card_not_in_shoe"),
    ("9c8d7h6sBJ", "card_not_in_shoe"),
    ("9c8d7h6s1d", "card"),
)
def test_impossible_boxes_are_not_explained(cards: str, code: str) -> None:
    unreadable(code, explain, GAME, cards)
