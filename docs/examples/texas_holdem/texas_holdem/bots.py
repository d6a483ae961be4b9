"""Players of hold'em: `best` bets what its hand is worth, and `house` plays for the absent."""

from typing import Final

from games.bots.simulate import Bot
from games.rules.cards import ACE, Card
from games.rules.contract import Action
from texas_holdem.game import Bet, Call, Check, Fold, HoldemView, Raise, TexasHoldem
from texas_holdem.paying import WORDS, word_of

# How much a hand of this name is worth, from 0 to 100, more or less: how often it wins against one
# hand that stays in.
WORTH: Final = dict(zip(WORDS.values(), (15, 45, 65, 78, 85, 89, 95, 99, 100), strict=True))
# By the highest card before the flop, as Bill Chen counts.
POINTS: Final = {ACE: 10.0, 13: 8.0, 12: 7.0, 11: 6.0}
GAPS: Final = (0, 1, 2, 4)
FAR: Final = 5
RAISES: Final = 70
# With so many big blinds a stack is short; and from what worth on it goes in.
SHORT: Final = 10
LOOSEST: Final = 26
SHORT_STEP: Final = 2
STRONG: Final = 85
PART: Final = 8


def best(game: TexasHoldem, view: HoldemView) -> Action:
    if not view.board and (action := _short(game, view)):
        return action
    pot = sum(view.pots) + sum(view.bets.values())
    worth = _made(view) if view.board else _dealt(view.hand)
    price = 100 * view.to_call // (pot + view.to_call) if view.to_call else 0
    highest = max(view.bets.values())
    if worth >= RAISES and view.least is not None and view.most is not None:
        seat = view.seat or 0
        stack = next(stake.stack for stake in view.stakes if stake.seat == seat)
        # Once a good part of the stack is in, only the best hands go on raising.
        if worth >= STRONG or PART * max(highest, view.staked[seat]) <= stack:
            amount = min(view.most, max(view.least, highest + (pot + view.to_call) * 2 // 3))
            return Raise(amount) if highest else Bet(amount)
    if not view.to_call:
        return Check()
    return Call() if worth > price + (10 if view.board else 0) else Fold()


def _short(game: TexasHoldem, view: HoldemView) -> Action | None:
    """With few chips all of them go in before the flop, or none: the fewer, the sooner."""
    seat = view.seat or 0
    (stack,) = [stake.stack for stake in view.stakes if stake.seat == seat]
    blinds = stack / game.point
    if blinds > SHORT:
        return None
    if _dealt(view.hand) < LOOSEST + SHORT_STEP * blinds:
        return house(game, view)
    if view.most is not None:
        return Raise(view.most)
    return Call() if view.to_call else Check()


def house(_game: TexasHoldem, view: HoldemView) -> Action:
    return Fold() if view.to_call else Check()


def _dealt(hand: tuple[Card, ...]) -> int:
    """What two cards are worth before the flop."""
    low, high = sorted(hand, key=lambda card: card.rank)
    points = POINTS.get(high.rank, high.rank / 2)
    if low.rank == high.rank:
        return round(35 + 3 * max(5.0, 2 * points))
    gap = high.rank - low.rank - 1
    points += 2 * (low.suit == high.suit)
    points -= GAPS[gap] if gap < len(GAPS) else FAR
    points += gap <= 1 and high.rank < 12
    return round(20 + 4.5 * points)


def _made(view: HoldemView) -> int:
    """What a hand is worth with the board, less where the board alone makes as much."""
    own = (*view.hand, *view.board)
    worth = WORTH[word_of(own)]
    highest = max(card.rank for card in view.board)
    if worth == WORTH["pair"]:
        ranks = [card.rank for card in own]
        paired = max((rank for rank in ranks if ranks.count(rank) > 1), default=0)
        holds = any(card.rank == paired for card in view.hand)
        worth = 20 if not holds else 72 if paired >= highest else 45
    elif len({card.rank for card in view.board}) < len(view.board):
        worth -= 12
    return worth


STRATEGIES: Final[dict[str, Bot[TexasHoldem, HoldemView]]] = {"best": best, "house": house}
