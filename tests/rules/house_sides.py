"""Rounds with a bonus bet against the house, for tests."""

from games.rules.cards import parse_cards
from games.rules.house.sides import SideContext
from games.rules.settlement import Settlement
from tests.rules.boxes import GAME, STAKES, Boxes
from tests.rules.harness import Moves, settled_by


def settled(
    cards: str, moves: Moves, context: SideContext | None = None, game: Boxes = GAME
) -> Settlement:
    """The settlement of a round that closes after the bets, checked by the harness."""
    return settled_by(game, STAKES, parse_cards(cards), context or SideContext(), moves)
