"""The value of a combination to its holder, judged by the cards that it cannot see.

The price of a combination is how many leads it takes, more or less, to get rid of it: one, less the
chance that it is unbeaten and wins the lead back, less the chance that it ends on another's lead. A
hand whose prices add up to one or less can be played out when its holder has the lead. Low cards
cost a whole lead; the rocket brings one.
"""

from functools import cache
from typing import Final

from games.rules.doudizhu.ranks import (
    CHAINABLE,
    ROCKET,
    TWO_PLACE,
    Mask,
    RankSet,
    above,
    masks,
    place,
    runs,
)

# By how many equal cards: what is left of the chance to stand for each rank, or for each card in
# the case of singles, that could still beat it.
STANDING: Final = {1: 0.78, 2: 0.78, 3: 0.88, 4: 0.95}
CHAIN_STANDING: Final = 0.88
# The gain of the highest of its kind from going out on another's lead; lower ones in proportion.
FOLLOWING: Final = {1: 0.5, 2: 0.4, 3: 0.25}
CHAIN_FOLLOWING: Final = 0.1
BOMB_PRICE: Final = -0.9
ROCKET_PRICE: Final = -1.0
# The chance that an unseen four, or the rocket, is a bomb in one hand and is spent on this.
BOMB_RISK: Final = 0.04
ROCKET_RISK: Final = 0.1
EVERYTHING: Final[RankSet] = 4 * (CHAINABLE | 1 << 4 * TWO_PLACE) + ROCKET


class Outlook:
    """The cards that a seat cannot see, and how they may beat something.

    `largest_hand` is the largest hand among the opponents, `share` their share of these cards.
    """

    def __init__(self, unseen: RankSet, largest_hand: int = 17, share: float = 1.0) -> None:
        self.unseen = unseen
        self.share = share
        self.largest_hand = largest_hand
        self._held = masks(unseen)
        self._rocket = unseen & ROCKET == ROCKET and largest_hand >= 2
        self._bombs = self._held[3].bit_count() if largest_hand >= 4 else 0
        self._safety = (1 - BOMB_RISK * share) ** self._bombs * (
            1 - ROCKET_RISK * share * self._rocket
        )
        self.standing = cache(self._standing)
        self.price = cache(self._price)

    def beaten_by(self, copies: int, main: Mask, size: int) -> int:
        """Return how many combinations of the same kind among the unseen cards beat this one."""
        length = main.bit_count()
        if size > self.largest_hand:
            return 0
        higher = self._held[copies - 1]
        if length == 1:
            return (higher & above(place(main))).bit_count()
        return sum(
            run > main and run.bit_count() == length for run in runs(higher & CHAINABLE, length)
        )

    def is_sure(self, copies: int, main: Mask, size: int) -> bool:
        """Whether no hand can beat this, for any distribution of the cards."""
        if main == ROCKET:
            return True
        if copies == 4 and size == 4:
            return not self._rocket and not self.beaten_by(4, main, 4)
        return not self._rocket and not self._bombs and not self.beaten_by(copies, main, size)

    def _standing(self, copies: int, main: Mask, size: int) -> float:
        """The chance that this wins the lead."""
        if main == ROCKET:
            return 1.0
        if copies == 4 and size == 4:
            return STANDING[4] ** self.beaten_by(4, main, 4) * (1 - ROCKET_RISK * self._rocket)
        beaten_by = self.beaten_by(copies, main, size)
        if size == 1:
            higher = self.unseen & 15 * above(place(main))
            beaten_by = sum(mask.bit_count() for mask in masks(higher)) if beaten_by else 0
        kept = STANDING[copies] if main.bit_count() == 1 else CHAIN_STANDING
        return float(kept ** (beaten_by * self.share)) * self._safety

    def _price(self, copies: int, main: Mask, size: int) -> float:
        if main == ROCKET:
            return ROCKET_PRICE
        if copies == 4 and size == 4:
            return BOMB_PRICE
        standing = self.standing(copies, main, size)
        if main.bit_count() > 1:
            return 1 - standing - CHAIN_FOLLOWING
        return 1 - standing - FOLLOWING.get(copies, 0) * place(main) / TWO_PLACE
