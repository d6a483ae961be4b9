"""Rounds of Russian poker for tests: cards come hand by hand, and the end checks everything."""

from collections.abc import Sequence
from typing import Any

from games.rules.cards import Card, parse_cards
from games.rules.contract import HOUSE, Action, SeatStack
from games.rules.house.actions import Close
from games.rules.house.antes import Ante
from games.rules.house.sides import SideContext
from games.rules.russian_poker.boxes import RussianState
from games.rules.russian_poker.game import RussianPoker
from games.rules.settlement import Settlement
from tests.rules.harness import Moves, settled_by

GAME = RussianPoker(bonus_min=10, bonus_card=True, lucky_game=True)
STAKES = [SeatStack(1, 100_000), SeatStack(2, 100_000)]
NO_DRAWS = SideContext()

NOTHING = "Ac Qd 9h 5s 3c"
PAIR = "9c 9d Qh 5s 3c"
THREE = "9c 9d 9h 5s 3c"
OTHER = "Tc Ts Jd 7h 2c"
# What is drawn after the deal.
REST = "2h 7c 8c 8d 9s"
# Dealers: one without ace-king, one with it, and one with a pair.
UNQUALIFIED = "Kh Td 8s 6h 4d"
ACE_KING = "Ah Kh 8s 6h 4d"
PAIR_OF_TWOS = "2d 2h 8s 6h 4c"


def dealt(boxes: Sequence[str], dealer: str, rest: str = "") -> list[Card]:
    """The cards in dealing order: one to each box and to the dealer, five times, then the rest."""
    hands = [parse_cards(hand) for hand in (*boxes, dealer)]
    return [hand[at] for at in range(5) for hand in hands] + list(parse_cards(rest))


def opened(
    cards: Sequence[Card],
    moves: Moves,
    game: RussianPoker = GAME,
    stakes: Sequence[SeatStack] = STAKES,
    context: SideContext = NO_DRAWS,
) -> RussianState:
    state = game.open(stakes, cards, context)
    for seat, action in moves:
        state = game.apply(state, seat, action)
    return state


def one_box(*actions: Action, ante: int = 100, bonus: int = 0) -> Moves:
    """Seat 1 plays box 1: the ante, the close, and then what it does."""
    return [(1, Ante(1, ante, bonus)), (HOUSE, Close()), *[(1, action) for action in actions]]


def settled(
    cards: Sequence[Card],
    moves: Moves,
    game: RussianPoker = GAME,
    stakes: Sequence[SeatStack] = STAKES,
    context: SideContext = NO_DRAWS,
) -> Settlement:
    """The settlement of a round, checked by the harness at every state."""
    return settled_by(game, stakes, cards, context, moves)


def net(cards: str, dealer: str, *actions: Action, rest: str = "", **more: Any) -> int:
    """The win of seat 1 with these cards in box 1, at an ante of 100."""
    return settled(dealt([cards], dealer, rest), one_box(*actions), **more).net[1]
