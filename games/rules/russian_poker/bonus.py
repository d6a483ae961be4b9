"""The bonus table: what the five cards that a box was dealt win, even after a fold.

Three of a kind pays 10:1, a straight 21:1, a flush 40:1, a full house 60:1 and four of a kind
150:1; a straight flush wins at least 15 and a royal flush at least 50 hundredths of the jackpot,
and never less than four of a kind pays.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.rules.cards import Card
from games.rules.house.sides import Combination
from games.rules.house.till import Odds
from games.rules.poker import CATEGORY_NAMES, category
from games.rules.russian_poker.hands import value_of

BONUS_TABLE: Final[dict[str, Odds]] = {
    "three": Odds(10),
    "straight": Odds(21),
    "flush": Odds(40),
    "full_house": Odds(60),
    "four": Odds(150),
}
JACKPOT_HANDS: Final = ("straight_flush", "royal_flush")


def bonus_combination(
    dealt: Sequence[Card], shares_bp: Mapping[str, int], least: Odds | None = None
) -> Combination | None:
    """Return what five cards win: fixed odds, or a share of the jackpot if the table has one.

    A share pays no less than `least`.
    """
    name = CATEGORY_NAMES[category(value_of(dealt))]
    if name in shares_bp:
        return Combination(name, None, shares_bp[name], least)
    odds = BONUS_TABLE["four"] if name in JACKPOT_HANDS else BONUS_TABLE.get(name)
    return Combination(name, odds) if odds else None
