"""The plays of a hand as a good player would think of them, and what a combination is worth.

The price of a combination is how many leads it takes, more or less, to get rid of it: one, less the
chance that it is unbeaten and wins the lead back, less the chance that it ends on another's lead. A
hand whose prices add up to one or less can be played out when its holder has the lead. Low cards
cost a whole lead; the rocket brings one.

Each play is judged by what it leaves behind: the price of the rest, split as well as it can be, and
the chance that the play holds the lead. Plays that keep combinations together come first, and bombs
last unless they end the hand.
"""

from collections import Counter
from functools import cache
from typing import Final, NamedTuple

from games.rules.doudizhu.combinations import SHAPES, Kind, Reading, Wings, first_beating, readings
from games.rules.doudizhu.plays import Splitter, follows
from games.rules.doudizhu.ranks import (
    CHAINABLE,
    ROCKET,
    TWO_PLACE,
    Mask,
    RankSet,
    above,
    digits,
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


# The gain in leads from which a bomb is considered.
BOMB_RESERVE: Final = 0.5
# So many plays of one kind and rank that only carry different cards are looked at.
CARRIED_MAX: Final = 12
# The cost of an empty hand: less than any that still holds cards.
FINISHED: Final = -100.0


class Hint(NamedTuple):
    """A play, its shape, the chance that it holds, and what it and the rest will cost."""

    ranks: RankSet
    reading: Reading
    standing: float
    left: float

    @property
    def cost(self) -> float:
        """The leads still needed, less the one that this play may win."""
        return self.left - self.standing

    @property
    def worth(self) -> float:
        """The cost, by which plays are ordered; a bomb must bring more than another play does."""
        spent = self.reading.kind in (Kind.BOMB, Kind.ROCKET) and self.left > FINISHED
        return self.cost + BOMB_RESERVE * spent


class Planner:
    """Judges the plays of one hand against one outlook."""

    def __init__(self, outlook: Outlook, wings: Wings = "literal") -> None:
        self.outlook = outlook
        self.wings = wings
        self.split = Splitter(outlook.price, wings).split
        self._split_by_doubt = Splitter(self._doubt, wings).split
        self._split_by_turns = Splitter(lambda copies, main, size: 1.0, wings).split

    def hints(self, hand: RankSet, other: Reading | None = None) -> list[Hint]:
        """Every play worth a thought, the best first."""
        plays = self._leads(hand) if other is None else self._follows(hand, other)
        hints = [self.judge(hand, ranks, other) for ranks in plays]
        return sorted(hints, key=lambda hint: (hint.worth, hint.ranks))

    def judge(self, hand: RankSet, ranks: RankSet, other: Reading | None) -> Hint:
        meanings = readings(ranks, self.wings)
        reading = meanings[0] if other is None else first_beating(meanings, other)
        assert reading is not None
        rest = hand - ranks
        left = self.split(rest).cost if rest else FINISHED
        return Hint(ranks, reading, self.standing(reading), left)

    def standing(self, reading: Reading) -> float:
        """The chance that this holds the lead."""
        copies, _ = SHAPES[reading.kind]
        return self.outlook.standing(copies, reading.main, reading.size)

    def is_sure(self, reading: Reading) -> bool:
        """Whether this holds the lead however the cards lie."""
        copies, _ = SHAPES[reading.kind]
        return self.outlook.is_sure(copies, reading.main, reading.size)

    def certain_lead(self, hand: RankSet) -> RankSet | None:
        """The lead that plays the hand out against all cards of the others, if there is one."""
        split = self._split_by_doubt(hand)
        if split.cost > 1:
            return None
        return min(split.groups, key=lambda group: group.price).ranks

    def _doubt(self, copies: int, main: Mask, size: int) -> float:
        return 0 if self.outlook.is_sure(copies, main, size) else 1

    def _leads(self, hand: RankSet) -> list[RankSet]:
        """The combinations of good splits, and the lowest card and pair by themselves."""
        ones, twos, _, _ = masks(hand)
        lowest = [digits(ones)[0], *(2 * digit for digit in digits(twos)[:1])]
        whole = [hand] if readings(hand, self.wings) else []
        groups = [*self.split(hand).groups, *self._split_by_turns(hand).groups]
        return list(dict.fromkeys([*whole, *(group.ranks for group in groups), *lowest]))

    def _follows(self, hand: RankSet, other: Reading) -> list[RankSet]:
        """Everything that beats the other; of one kind and rank those that carry the least."""
        copies, wing_size = SHAPES[other.kind]
        plays = follows(hand, other, self.wings)
        if not wing_size:
            return plays
        fewer: list[RankSet] = []
        seen: Counter[Mask] = Counter()
        for play in sorted(plays):
            main = masks(play)[copies - 1]
            seen[main] += 1
            if seen[main] <= CARRIED_MAX:
                fewer.append(play)
        return fewer
