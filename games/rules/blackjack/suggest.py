"""Suggesting what to do with a hand against the dealer's card, as basic strategy has it."""

from collections.abc import Sequence

from msgspec import Struct

from games.rules.blackjack.analysis.strategy import held_of, rules_of, worths
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.refusals import Choice, open_moves
from games.rules.blackjack.state import Box, Hand
from games.rules.blackjack.totals import POINTS, points_of
from games.rules.cards import ACE, Card
from games.rules.contract import check_cards
from games.rules.errors import Unreadable


class Suggestion(Struct, frozen=True):
    """A move, and what it is worth on average in units of the original stake."""

    move: Choice
    worth: float


def suggest(game: Blackjack, cards: Sequence[Card]) -> list[Suggestion]:
    """The moves that are open to a hand, the best first; the last card is the dealer's."""
    check_cards(cards, game.composition(), 3)
    *own, up = cards
    hand = Hand(tuple(own), (0,))
    if points_of(own) >= 21:
        raise Unreadable("nothing_to_decide", "This hand has nothing to decide.")
    moves = open_moves(Box(1, (), (hand,)), hand, ace_up=up.rank == ACE, free=0)
    worth = worths(rules_of(game), held_of(own), POINTS[up])
    return [Suggestion(move, round(worth[move], 4)) for move in worth if move in moves]
