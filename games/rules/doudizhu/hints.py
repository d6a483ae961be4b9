"""The plays of a hand in the order in which a good player would think of them.

Each play is judged by what it leaves behind: the price of the rest, split as well as it can be, and
the chance that the play holds the lead. Plays that keep combinations together come first, and bombs
last unless they end the hand.
"""

from collections import Counter
from typing import Final, NamedTuple

from games.rules.doudizhu.combinations import SHAPES, Kind, Reading, Wings, first_beating, readings
from games.rules.doudizhu.outlook import Outlook
from games.rules.doudizhu.plays import follows
from games.rules.doudizhu.ranks import Mask, RankSet, digits, masks
from games.rules.doudizhu.splitting import Splitter

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
        found = [self.judge(hand, ranks, other) for ranks in plays]
        return sorted(found, key=lambda hint: (hint.worth, hint.ranks))

    def judge(self, hand: RankSet, ranks: RankSet, other: Reading | None) -> Hint:
        found = readings(ranks, self.wings)
        reading = found[0] if other is None else first_beating(found, other)
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
        found = self._split_by_doubt(hand)
        if found.cost > 1:
            return None
        return min(found.groups, key=lambda group: group.price).ranks

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
