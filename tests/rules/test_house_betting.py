"""What a seat can add to a standing bet, and take back of it."""

import pytest

from games.rules.baccarat.game import Baccarat, BaccaratState, Bet, Remove
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet as BoxBet
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import HOUSE, Action, AnyGame, Context, Party, PlayedMove, Seat, SeatStack
from games.rules.house.actions import Close, Done, TopUp, addition_bounds
from games.rules.house.actions import Remove as BoxRemove
from games.rules.house.antes import Ante
from games.rules.russian_poker.boxes import Buy
from games.rules.russian_poker.game import RussianPoker
from tests.rules.cases import each, illegal


@each(
    (0, 1_000, (100, 500)),
    (0, 300, (100, 300)),
    (0, 100, (100, 100)),
    (0, 99, None),
    (60, 1_000, (40, 440)),
    (60, 39, None),
    (100, 1_000, (1, 400)),
    (499, 1_000, (1, 1)),
    (500, 1_000, None),
    (300, 0, None),
)
def test_limits_of_a_further_bet_between_100_and_500(
    standing: int, free: int, bounds: tuple[int, int] | None
) -> None:
    assert addition_bounds(standing, 100, 500, free) == bounds


GAME = Baccarat()
BET = (1, Bet("player", 400))


def after(*moves: PlayedMove) -> BaccaratState:
    """Two seats have a stack of 500 each, and these moves are made."""
    state = GAME.open([SeatStack(1, 500), SeatStack(2, 500)], GAME.composition(), Context())
    for seat, action in moves:
        state = GAME.apply(state, seat, action)
    return state


def test_chips_come_to_a_stack_before_its_first_bet() -> None:
    state = after((HOUSE, TopUp(1, 300)), (1, Bet("player", 800)))
    assert state.stakes == (SeatStack(1, 800), SeatStack(2, 500))
    # The other seats that have bet.
    assert after(BET, (HOUSE, TopUp(2, 1))).stakes[1] == SeatStack(2, 501)


@each(
    ([], 1, TopUp(1, 300), "house_only"),
    ([], HOUSE, TopUp(3, 300), "not_seated"),
    ([BET], HOUSE, TopUp(1, 300), "staked_already"),
    ([BET, (HOUSE, Close())], HOUSE, TopUp(2, 300), "hand_over"),
)
def test_chips_that_do_not_come(
    moves: list[PlayedMove], party: Party, top_up: TopUp, code: str
) -> None:
    illegal(code, GAME.apply, after(*moves), party, top_up)


# Bets that are taken back: what is bet, what is taken back, and what then stands.
OPEN, BLIND = Ante(2, 100), Ante(3, 100, blind=True)
TAKEN_BACK: dict[str, tuple[AnyGame, list[Action], list[Action]]] = {
    "whole": (GAME, [Bet("player", 200), Remove("player")], []),
    "in part": (GAME, [Bet("tie", 300), Remove("tie", 100)], [Bet("tie", 200)]),
    "one of two": (
        GAME,
        [Bet("tie", 100), Bet("banker", 100), Remove("tie")],
        [Bet("banker", 100)],
    ),
    "a box": (Blackjack(), [BoxBet(2, 100, 100), BoxRemove(2)], []),
    "a bonus": (Blackjack(), [BoxBet(2, 100, 200), BoxRemove(2, 0, 100)], [BoxBet(2, 100, 100)]),
    "bet and bonus": (
        Blackjack(),
        [BoxBet(2, 300, 200), BoxRemove(2, 200, 200)],
        [BoxBet(2, 100)],
    ),
    "the main bet of a bonus": (Blackjack(), [BoxBet(2, 100, 100), BoxRemove(2, 100)], []),
    "a blind box": (CasinoHoldem(), [OPEN, BLIND, BoxRemove(3)], [OPEN]),
    "both boxes": (CasinoHoldem(), [OPEN, BLIND, BoxRemove(3), BoxRemove(2)], []),
    "what was bought for it": (
        RussianPoker(),
        [OPEN, BLIND, Buy(3), BoxRemove(3)],
        [OPEN],
    ),
}


@pytest.mark.parametrize("case", TAKEN_BACK)
def test_a_bet_can_be_taken_back(case: str) -> None:
    game, moves, as_if = TAKEN_BACK[case]
    states = []
    for actions in (moves, as_if):
        state = game.open([SeatStack(1, 1_000), SeatStack(2, 1_000)], (), game.context_type())
        for action in actions:
            state = game.apply(state, 1, action)
        states.append(state)
    assert states[0] == states[1]


@each(
    ([BET], 1, Remove("banker"), "no_bet_on_spot"),
    ([BET], 2, Remove("player"), "no_bet_on_spot"),
    ([BET], 1, Remove("player", 401), "removed_too_much"),
    ([BET], 1, Remove("player", 301), "bet_too_small"),
    ([BET, (1, Done())], 1, Remove("player"), "no_more_bets"),
    ([BET, (HOUSE, Close())], 1, Remove("player"), "no_more_bets"),
)
def test_bets_that_stay(moves: list[PlayedMove], seat: Seat, action: Action, code: str) -> None:
    illegal(code, GAME.apply, after(*moves), seat, action)


@each(
    (Blackjack(), [BoxBet(2, 100)], BoxRemove(3), "no_bet_on_box"),
    (Blackjack(), [BoxBet(2, 150)], BoxRemove(2, 100), "bet_too_small"),
    (Blackjack(), [BoxBet(2, 100, 150)], BoxRemove(2, 0, 100), "bet_too_small"),
    (Blackjack(), [BoxBet(2, 100)], BoxRemove(2, 0, 1), "removed_too_much"),
    (CasinoHoldem(), [OPEN, BLIND], BoxRemove(2), "blind_boxes_first"),
    (CasinoHoldem(), [Ante(2, 200), Ante(3, 200, blind=True)], BoxRemove(3, 100), "blind_unequal"),
    (CasinoHoldem(), [OPEN], BoxRemove(4), "no_bet_on_box"),
)
def test_boxes_that_stay(game: AnyGame, moves: list[Action], action: Action, code: str) -> None:
    state = game.open([SeatStack(1, 1_000), SeatStack(2, 1_000)], (), game.context_type())
    for move in moves:
        state = game.apply(state, 1, move)
    illegal(code, game.apply, state, 1, action)


def test_the_controller_of_a_box_may_take_back_a_part() -> None:
    game = Blackjack()
    state = game.open([SeatStack(1, 1_000), SeatStack(2, 1_000)], (), game.context_type())
    for seat, action in ((1, BoxBet(2, 300)), (2, BoxBet(2, 100)), (1, BoxRemove(2, 100))):
        state = game.apply(state, seat, action)
    assert [player.seat for player in state.boxes[0].players] == [1, 2]
    state = game.apply(state, 1, BoxRemove(2))
    assert [player.seat for player in state.boxes[0].players] == [2]
