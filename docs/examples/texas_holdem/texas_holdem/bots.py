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
# From what worth on a hand bets or raises; and goes on when a good part of the stack is at risk.
RAISES: Final = 70
STRONG: Final = 85
RISKED: Final = 8
# From what worth on a hand goes along with a raise before the flop; without one with the blinds.
RAISED: Final = 57
LIMPS: Final = 42
# How much better than its price a hand must be after the flop, and for each further opponent.
MARGIN: Final = 10
CROWD: Final = 6
# With so many big blinds a stack is short; and from what worth on it goes in.
SHORT: Final = 10
LOOSEST: Final = 26
SHORT_STEP: Final = 2


def best(game: TexasHoldem, view: HoldemView) -> Action:
    if not view.board and (action := _short(game, view)):
        return action
    pot, highest = sum(view.pots) + sum(view.bets.values()), max(view.bets.values())
    worth = _made(view) if view.board else _dealt(view.hand)
    # Once a good part of the stack is at risk, only the best hands pay for more.
    is_risky = RISKED * max(highest, view.staked[view.seat or 0]) > _stack(view)
    if worth >= (STRONG if is_risky else RAISES) and view.least is not None and view.most:
        amount = min(view.most, max(view.least, highest + (pot + view.to_call) * 2 // 3))
        return Raise(amount) if highest else Bet(amount)
    if not view.to_call:
        return Check()
    if not view.board:
        needed = RAISED if highest > game.point else LIMPS
    else:
        others = len(view.stakes) - len(view.folded) - 1
        needed = 100 * view.to_call // (pot + view.to_call) + MARGIN + CROWD * (others - 1)
    return Call() if worth >= max(needed, RAISES if is_risky else 0) else Fold()


def _stack(view: HoldemView) -> int:
    return next(stake.stack for stake in view.stakes if stake.seat == view.seat)


def _short(game: TexasHoldem, view: HoldemView) -> Action | None:
    """With few chips all of them go in before the flop, or none: the fewer, the sooner."""
    blinds = _stack(view) / game.point
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
