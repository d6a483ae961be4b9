"""The bounds of what a seat can add to a standing bet."""

from games.rules.baccarat.game import Baccarat, BaccaratState, Bet
from games.rules.contract import HOUSE, Context, Party, PlayedMove, SeatStack
from games.rules.house.actions import Close, TopUp
from games.rules.house.betting import addition_bounds
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
