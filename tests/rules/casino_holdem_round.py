"""Rounds of casino hold'em for tests: cards dealt hand by hand, and what is settled."""

from games.rules.cards import parse_cards
from games.rules.casino_holdem.game import CasinoHoldem, HoldemState
from games.rules.contract import HOUSE, SeatStack, replay
from games.rules.house.actions import Close
from games.rules.house.antes import Ante
from games.rules.house.sides import SideContext
from games.rules.settlement import Settlement
from tests.rules.harness import Moves, settled_by

GAME = CasinoHoldem()
STAKES = [SeatStack(1, 100_000), SeatStack(2, 100_000), SeatStack(3, 100_000)]


def dealing(hands: list[str], dealer: str, board: str) -> str:
    """The cards in dealing order: two rounds to the boxes and the dealer, then the board."""
    places = [parse_cards(hand) for hand in (*hands, dealer)]
    rounds = [place[at].text for at in (0, 1) for place in places]
    return "".join(rounds) + board.replace(" ", "")


def played(
    moves: Moves,
    cards: str = "",
    game: CasinoHoldem = GAME,
    context: SideContext | None = None,
    stakes: list[SeatStack] = STAKES,
) -> HoldemState:
    return replay(game, stakes, parse_cards(cards), context or SideContext(), moves)


def settled(
    moves: Moves, cards: str, game: CasinoHoldem = GAME, context: SideContext | None = None
) -> Settlement:
    """The settlement, checked by the harness."""
    return settled_by(game, STAKES, parse_cards(cards), context or SideContext(), moves)


ALL_BOXES: Moves = [
    (2, Ante(6, 200)),
    (1, Ante(3, 100)),
    (1, Ante(1, 100, blind=True)),
    (3, Ante(4, 300)),
    (HOUSE, Close()),
]
BOXES = dealing(["AcKd", "QcQd", "7c2d", "JcJd"], "TcTd", "Kh8s3c 6h9d")
