"""The casino hold'em bots, and what the command line tells of cards."""

import pytest

from games.bots.casino_holdem import STRATEGIES
from games.bots.simulate import simulate
from games.rules.cards import parse_cards
from games.rules.casino_holdem.explain import explain
from games.rules.casino_holdem.game import Call, CasinoHoldem, HoldemState
from games.rules.casino_holdem.suggest import suggest
from games.rules.contract import HOUSE, Action, SeatStack, replay
from games.rules.house.actions import Close, Done
from games.rules.house.antes import Ante, Fold
from games.rules.house.sides import SideContext
from tests.rules.cases import each, every, unreadable
from tests.rules.harness import Moves

GAME = CasinoHoldem()
# One box: its two cards around the dealer's, then the board.
TRASH = "7c4h2d4sTs9c4d8hJd"
GOOD = "Ac4hAd4sTs9c4d8hJd"
RULE_IS_WRONG = "Kc4h2s4d6cTh7h8hJd"


def state_after(moves: Moves, cards: str, stack: int = 10_000) -> HoldemState:
    stakes = [SeatStack(1, stack), SeatStack(2, 10_000)]
    return replay(GAME, stakes, parse_cards(cards), SideContext(), moves)


def decision(name: str, cards: str) -> Action:
    state = state_after([(1, Ante(3, 100)), (HOUSE, Close())], cards)
    return STRATEGIES[name](GAME, GAME.view(state, 1))


@every(name=list(STRATEGIES), stack=[99, 299, 300, 399, 400])
def test_every_strategy_bets_once_what_its_stack_can_follow(name: str, stack: int) -> None:
    state = state_after([(2, Ante(1, 100))], GOOD, stack)
    price = {"house": 10**9, "bonus": 400}.get(name, 300)
    first = STRATEGIES[name](GAME, GAME.view(state, 1))
    if stack < price:
        assert first == Done()
        return
    assert first == Ante(2, 100, 100 if name == "bonus" else 0)
    state = GAME.apply(state, 1, first)
    assert STRATEGIES[name](GAME, GAME.view(state, 1)) == Done()


@every(name=list(STRATEGIES))
def test_where_every_box_is_taken_nobody_bets(name: str) -> None:
    moves: Moves = [(2, Ante(1, 100))]
    moves += [(2, Ante(box, 100, blind=True)) for box in range(2, 8)]
    assert STRATEGIES[name](GAME, GAME.view(state_after(moves, GOOD), 1)) == Done()


@pytest.mark.slow
@each(
    ("best", (False, True, False)),
    ("bonus", (False, True, False)),
    ("rule", (False, True, True)),
    ("caller", (True, True, True)),
    ("house", (False, False, False)),
)
def test_when_each_strategy_calls(name: str, calls: tuple[bool, ...]) -> None:
    for cards, called in zip((TRASH, GOOD, RULE_IS_WRONG), calls, strict=True):
        assert decision(name, cards) == (Call(3) if called else Fold(3))


@each((600, True), (599, False))
def test_a_seat_taken_over_decides_for_its_open_box_within_its_stack(
    stack: int, calls: bool
) -> None:
    """The blind box in front of the open one holds three antes of the stack."""
    moves: Moves = [(1, Ante(5, 100)), (1, Ante(2, 100, blind=True)), (HOUSE, Close())]
    state = state_after(moves, "7cAc4h2dAd4sTs9c4d8hJd", stack)
    expected = Call(5) if calls else Fold(5)
    for name in ("best", "caller"):
        assert STRATEGIES[name](GAME, GAME.view(state, 1)) == expected
    assert STRATEGIES["house"](GAME, GAME.view(state, 1)) == Fold(5)


def test_the_simulator_plays_it() -> None:
    report = simulate(GAME, 5, "today", "caller")
    assert report["hands"] == 5
    assert set(report["net"]) == {"1", "house"}
    assert report == simulate(GAME, 5, "today", "caller")


def test_hole_cards_and_flop_are_explained_by_the_bonus() -> None:
    assert explain(GAME, "Ac Kd As 9c 3d") == {
        "flop_hand": "pair",
        "bonus": "pair_of_aces",
        "bonus_pays": 4,
    }
    assert explain(GAME, "Kc 2d Ks 9c 3d") == {"flop_hand": "pair", "bonus": None}
    assert explain(GAME, "AcKcQcJcTc") == {
        "flop_hand": "royal_flush",
        "bonus": "royal_flush",
        "jackpot_share_bp": 5_000,
    }


@each(
    ("ThTs", "two_pair", True, "player"),
    ("2h2s", "full_house", True, "dealer"),
    ("AhKh", "two_pair", True, "tie"),
)
def test_a_whole_round_is_explained_by_who_wins(
    dealer: str, hand: str, qualifies: bool, winner: str
) -> None:
    explained = explain(GAME, "AcKd As9c3d2c3h" + dealer)
    assert explained["hand"] == "two_pair"
    assert explained["ante_pays"] == 1
    assert (explained["dealer"], explained["qualifies"], explained["winner"]) == (
        hand,
        qualifies,
        winner,
    )
    assert "winner" not in explain(GAME, "AcKd As9c3d2c3h")


def test_a_dealer_who_does_not_play_meets_no_winner() -> None:
    explained = explain(GAME, "2c7dAs9c3dJhQs4h6h")
    assert (explained["qualifies"], explained["winner"]) == (False, None)


@each(
    ("AcKdAs9c", "too_few_cards"),
    ("AcKdAs9c3d2c", "card_count"),
    ("AcKdAs9c3d2c3hThTs4s", "card_count"),
    ("AcKdAcTd3d", "card_not_in_shoe"),
    ("AcKdBJTd3d", "card_not_in_shoe"),
    ("AcKd1cTd3d", "card"),
)
def test_impossible_hands_are_not_explained(cards: str, code: str) -> None:
    unreadable(code, explain, GAME, cards)


def test_both_decisions_are_suggested_the_better_one_first() -> None:
    first, second = suggest(GAME, parse_cards("7c2dTs9c4d"))
    assert (first.do, first.value, second.do) == ("fold", -1.0, "call")
    assert second.value == pytest.approx(-1.4899, abs=1e-4)
    first, second = suggest(GAME, parse_cards("AcAdTs9c4d"))
    assert (first.do, second.do) == ("call", "fold")
    assert first.value > 0


@each(("7c2dTs9c", "too_few_cards"), ("7c2dTs9c4d4h", "card_count"))
def test_no_suggestion_without_hole_cards_and_flop(cards: str, code: str) -> None:
    unreadable(code, suggest, GAME, parse_cards(cards))
