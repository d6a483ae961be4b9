"""The paytables of ante and bonus, and the hands with which the dealer qualifies."""

from typing import Final

from games.rules.cards import ACE
from games.rules.house.sides import Combination
from games.rules.house.till import EVEN, Odds
from games.rules.poker import CATEGORY_SHIFT, MAIN_RANK_SHIFT, Category, category, main_rank

# The win of an ante with a hand; below a flush it is even money.
ANTE_ODDS: Final[dict[Category, Odds]] = {
    Category.FLUSH: Odds(2),
    Category.FULL_HOUSE: Odds(3),
    Category.FOUR: Odds(10),
    Category.STRAIGHT_FLUSH: Odds(20),
    Category.ROYAL_FLUSH: Odds(100),
}
PAIR_OF_ACES: Final = "pair_of_aces"
BONUS_ODDS: Final[dict[str, Odds]] = {
    PAIR_OF_ACES: Odds(4),
    "two_pair": Odds(4),
    "three": Odds(8),
    "straight": Odds(10),
    "flush": Odds(20),
    "full_house": Odds(40),
    "four": Odds(100),
}
# The dealer plays from here on: above every pair of threes, and below every pair of fours.
QUALIFYING_VALUE: Final = Category.PAIR << CATEGORY_SHIFT | 4 << MAIN_RANK_SHIFT


def ante_odds(value: int) -> Odds:
    return ANTE_ODDS.get(category(value), EVEN)


def qualifies(value: int) -> bool:
    """Whether the dealer plays with a hand of this value."""
    return value >= QUALIFYING_VALUE


def bonus_combination(
    value: int, shares_bp: dict[str, int] | None, least: Odds | None = None
) -> Combination | None:
    """Return the line of the bonus table for two cards and the flop.

    `shares_bp` are the shares of the jackpot. A share pays no less than `least`.
    """
    kind = category(value)
    name = kind.name.lower()
    if kind in (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        if shares_bp is None:
            return Combination(name, BONUS_ODDS["four"])
        return Combination(name, None, shares_bp[name], least)
    if kind == Category.PAIR and main_rank(value) == ACE:
        name = PAIR_OF_ACES
    return Combination(name, BONUS_ODDS[name]) if name in BONUS_ODDS else None
