"""What the tests of blackjack share: rounds written as cards and words.

Cards stand in dealing order: with one box its first card, the dealer's, its second, then as drawn.
A word is a move of the seat that is to act, on the hand that is to be played.
"""

from collections.abc import Sequence

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import (
    Bet,
    BlackjackState,
    Decline,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insure,
    Split,
    Stand,
    Surrender,
)
from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action, Party, SeatStack
from games.rules.house.actions import Close
from games.rules.house.sides import SideContext
from games.rules.settlement import Settlement

STAKES = [SeatStack(seat, 1_000_000) for seat in (1, 2, 3, 4)]
NOTHING_NAMED = SideContext()
HUNDRED: list[tuple[int, Bet]] = [(1, Bet(1, 100))]
# On one box: seat 1 is the controller with 100; seats 2 and 3 are guests with 200 and 50.
THREE: list[tuple[int, Bet]] = [(1, Bet(1, 100)), (2, Bet(1, 200)), (3, Bet(1, 50))]
TWO = THREE[:2]
SMALL = Blackjack(min=50)


def closed(
    cards: str,
    bets: Sequence[tuple[int, Bet]] = HUNDRED,
    game: Blackjack | None = None,
    stakes: Sequence[SeatStack] = STAKES,
    context: SideContext = NOTHING_NAMED,
) -> BlackjackState:
    """The round when the bets are placed and the betting is closed."""
    game = game or Blackjack()
    state = game.open(stakes, parse_cards(cards), context)
    for seat, bet in bets:
        state = game.apply(state, seat, bet)
    return game.apply(state, HOUSE, Close())


def action_of(state: BlackjackState, word: str) -> Action:
    box, hand = state.box.number, state.at_hand
    name, _, value = word.partition(":")
    if name == "decline":
        return Decline()
    if name == "insure":
        amount, _, other = value.partition("@")
        return Insure(int(other or box), int(amount))
    if name in ("yes", "no"):
        return Follow(box, name == "yes")
    if name in ("surrender", "even"):
        return Surrender(box) if name == "surrender" else EvenMoney(int(value or box))
    return {"hit": Hit, "stand": Stand, "double": Double, "split": Split}[name](box, hand)


def moved(state: BlackjackState, words: str, game: Blackjack | None = None) -> BlackjackState:
    """The round after these words; one that begins with a number is said by that seat."""
    game = game or Blackjack()
    for word in words.split():
        said_by, _, rest = word.rpartition("=")
        seat: Party = int(said_by) if said_by else state.waiting[0]
        state = game.apply(state, seat, action_of(state, rest))
    return state


def settle(
    cards: str,
    words: str = "",
    bets: Sequence[tuple[int, Bet]] = HUNDRED,
    game: Blackjack | None = None,
    context: SideContext = NOTHING_NAMED,
) -> Settlement:
    """How a round ends that takes all of these cards and no more."""
    game = game or Blackjack()
    state = moved(closed(cards, bets, game, context=context), words, game)
    assert game.to_act(state) == frozenset(), "the round is not over"
    assert state.drawn == len(state.cards), "other cards were drawn than these"
    return game.settle(state)
