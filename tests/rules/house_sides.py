"""Rounds with a bonus bet against the house, for tests."""

from games.rules.cards import parse_cards
from games.rules.house.sides import SideContext
from games.rules.settlement import Settlement
from tests.rules.boxes import GAME, STAKES, Boxes
from tests.rules.harness import Moves, Played, check_settlement, check_turns


def settled(
    cards: str, moves: Moves, context: SideContext | None = None, game: Boxes = GAME
) -> Settlement:
    """The settlement of a round that closes after the bets, checked by the harness."""
    context = context or SideContext()
    path = [game.open(STAKES, parse_cards(cards), context)]
    for party, action in moves:
        path.append(game.apply(path[-1], party, action))
    settlement = game.settle(path[-1])
    played = Played(game, STAKES, list(parse_cards(cards)), context, moves, path, settlement)
    check_settlement(played)
    check_turns(played)
    return settlement
