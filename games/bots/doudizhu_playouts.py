"""Quick playouts of Dou Dizhu: an open hand is played to its end, thousands of times a second.

Each seat follows a plan: its hand split once into combinations. It leads the lowest of them, beats
with the lowest of the same kind, and splits anew only when it breaks a combination. That is weaker
than `best`, which asks what each play leaves, but a hundred times as fast; and what many such games
say of a choice is worth more than what a few good ones say. An eager seat beats all it can, as
beginners do. No seat knows the others' cards.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from games.rules.doudizhu.combinations import SHAPES, Kind, Reading
from games.rules.doudizhu.hints import EVERYTHING, Outlook
from games.rules.doudizhu.plays import Group, Splitter
from games.rules.doudizhu.ranks import (
    CHAINABLE,
    ROCKET,
    TWO_PLACE,
    Mask,
    RankSet,
    above,
    count,
    digits,
    masks,
    place,
    runs,
)
from games.rules.doudizhu.state import SEATS

# A shape is the kind of a play and its length in one number, as enums are slow to compare: copies
# of each rank, ranks, and cards of each wing.
Shape = int
SINGLE: Final[Shape] = 1010
PAIR: Final[Shape] = 2010
BOMB: Final[Shape] = 4010
ROCKET_SHAPE: Final[Shape] = 5000

# How many places lower a lead with one card more may as well be.
PLACES_A_CARD: Final = 4
# A partner's play below this place is taken over, with a play below the other.
PARTNER_PLACE, TAKING_PLACE = 11, 12
# Below so many cards of an opponent combinations are broken, or a single one is for a single card.
BREAKING_CARDS, BREAKING_ONE_CARDS = 3, 8
# A bomb is spent below so many cards of an opponent, or with so few combinations left.
BOMBING_CARDS, BOMBING_PLAYS = 5, 3
# A 2 or a joker is not spent on a play below this place by who has so many plays left, while every
# opponent holds so many cards.
SPENDING_PLACE, SPENDING_PLAYS, SPENDING_CARDS = 9, 4, 9
REMEMBERED: Final = 1 << 15


class Play(NamedTuple):
    """A play: its shape, the place of its highest deciding rank, and its cards."""

    shape: Shape
    place: int
    ranks: RankSet
    size: int


Plan = tuple[Play, ...]
_split = Splitter(Outlook(EVERYTHING).price, "strict").split_anew


def move_of(ranks: RankSet, reading: Reading) -> Play:
    if reading.kind == Kind.ROCKET:
        return Play(ROCKET_SHAPE, reading.place, ranks, 2)
    copies, wing = SHAPES[reading.kind]
    return Play(shape_of(copies, reading.length, wing), reading.place, ranks, reading.size)


def shape_of(copies: int, length: int, wing: int) -> Shape:
    return 1000 * copies + 10 * length + wing


def _planned(group: Group) -> Play:
    if group.main == ROCKET:
        return Play(ROCKET_SHAPE, place(ROCKET), group.ranks, 2)
    length = group.main.bit_count()
    wing = (group.size - group.copies * length) // length
    return Play(shape_of(group.copies, length, wing), place(group.main), group.ranks, group.size)


@lru_cache(REMEMBERED)
def plan_of(hand: RankSet) -> Plan:
    """The combinations of a hand, low before high."""
    moves = map(_planned, _split(hand).groups if hand else ())
    return tuple(sorted(moves, key=lambda move: (move.place, -move.size)))


def _leading(move: Play) -> int:
    """Large and low leads come first."""
    return move.place - PLACES_A_CARD * move.size


@lru_cache(REMEMBERED)
def answer(hand: RankSet, shape: Shape, beaten: int) -> Play | None:
    """The lowest play of this shape above a place, also if it breaks combinations; it carries the
    lowest.
    """
    copies, length, wing = shape // 1000, shape % 1000 // 10, shape % 10
    if copies > 3:
        return None
    enough = masks(hand)[copies - 1]
    for main in _mains(enough, length, beaten):
        carried = _carried(hand & ~(15 * main), length, wing)
        if carried is not None:
            return Play(shape, place(main), copies * main + carried, (copies + wing) * length)
    return None


def _mains(enough: Mask, length: int, beaten: int) -> tuple[Mask, ...]:
    if length == 1:
        return digits(enough & above(beaten))
    higher = 1 << 4 * (beaten + 1)
    return tuple(
        run
        for run in runs(enough & CHAINABLE, length)
        if run >= higher and run.bit_count() == length
    )


def _carried(rest: RankSet, number: int, wing: int) -> RankSet | None:
    """So many single cards or pairs, without a bomb; single cards before those of pairs."""
    if not wing:
        return 0
    ones, twos, _, fours = masks(rest)
    pairs = digits(twos & ~fours)
    if wing == 2:
        return 2 * sum(pairs[:number]) if len(pairs) >= number else None
    loose = [*digits(ones & ~twos), *(digit for digit in pairs for _ in range(2))]
    return sum(loose[:number]) if len(loose) >= number else None


def has_answer(hand: RankSet, reading: Reading) -> bool:
    """Whether a hand could have beaten this with ease: no 2, no joker, and no rank broken."""
    copies, _ = SHAPES[reading.kind]
    if copies == 4 or reading.kind == Kind.ROCKET:
        return False
    held = masks(hand)
    if reading.length > 1:
        return bool(_mains(held[copies - 1], reading.length, reading.place))
    return bool(held[copies - 1] & ~held[copies] & above(reading.place) & CHAINABLE)


class Standing(NamedTuple):
    """The play on the table, and its player."""

    shape: Shape  # 0 for a lead
    place: int
    owner: int


class Playout:
    """One hand with open cards, and its play; seats count from the one that thinks."""

    __slots__ = ("bombs", "eager", "hands", "landlord", "left", "owner", "place", "plans", "shape")

    def __init__(
        self, hands: tuple[RankSet, ...], landlord: int, standing: Standing, eager: tuple[int, ...]
    ) -> None:
        self.hands = list(hands)
        self.left = [count(hand) for hand in hands]
        self.plans = [list(plan_of(hand)) for hand in hands]
        self.landlord = landlord
        self.shape, self.place, self.owner = standing
        self.eager = eager
        self.bombs = 0

    def winner(self, turn: int) -> int:
        """Play to the end; the seat that goes out."""
        while True:
            plan = self.plans[turn]
            move = self._follow(turn, plan) if self.shape else self._lead(turn, plan)
            if move is not None:
                self.shape, self.place, ranks, size = move
                self.owner = turn
                self.bombs += self.shape in (BOMB, ROCKET_SHAPE)
                self.left[turn] -= size
                if not self.left[turn]:
                    return turn
                self.hands[turn] -= ranks
                if move in plan:
                    plan.remove(move)
                else:
                    self.plans[turn] = list(plan_of(self.hands[turn]))
            turn = (turn + 1) % SEATS
            if turn == self.owner:
                self.shape = 0

    def _lead(self, turn: int, plan: list[Play]) -> Play:
        if turn in self.eager or len(plan) == 1:
            return plan[0]
        if len(plan) == 2:
            for move in plan:
                if move.shape >= BOMB or (move.place >= TWO_PLACE and move.shape < 3000):
                    return move
        fed = None if turn == self.landlord else self._feeding(turn)
        if fed is not None:
            return fed
        opponents = self._opponents(turn)
        ordinary = [move for move in plan if move.shape < BOMB]
        if min(opponents) <= 2:
            # Plays that an opponent could answer by going out are led last, and then high.
            safe = [move for move in ordinary if move.size not in opponents]
            ordinary = safe or ordinary[-1:]
        return min(ordinary, key=_leading) if ordinary else plan[0]

    def _feeding(self, turn: int) -> Play | None:
        """The lowest card or pair for a partner who holds no more."""
        partner = self.left[SEATS - turn - self.landlord]
        if partner == 1:
            return answer(self.hands[turn], SINGLE, -1)
        if partner == 2 and self.left[self.landlord] != 2:
            return answer(self.hands[turn], PAIR, -1)
        return None

    def _follow(self, turn: int, plan: list[Play]) -> Play | None:
        shape, beaten = self.shape, self.place
        lowest = next((m for m in plan if m.shape == shape and m.place > beaten), None)
        if len(plan) == 1:
            return lowest or self._bomb(plan)
        if shape == ROCKET_SHAPE or self.landlord not in (turn, self.owner):
            return self._take_over(turn, lowest)
        danger = min(self._opponents(turn))
        if danger == 1 and shape == SINGLE and place(self.hands[turn]) > beaten:
            # Against a seat with one card, lead the highest.
            highest = place(self.hands[turn])
            return Play(SINGLE, highest, 1 << 4 * highest, 1)
        if lowest is not None and self._wastes(lowest, len(plan), danger):
            return None
        broken = lowest or self._broken(turn, plan, danger)
        if broken is None and (danger <= BOMBING_CARDS or len(plan) <= BOMBING_PLAYS):
            return self._bomb(plan)
        return broken

    def _wastes(self, move: Play, plays: int, danger: int) -> bool:
        """Whether a high card would be spent on a low play early in a hand."""
        early = plays >= SPENDING_PLAYS and danger >= SPENDING_CARDS
        return (
            early and move.place >= TWO_PLACE and self.place < SPENDING_PLACE and move.shape < 3000
        )

    def _take_over(self, turn: int, lowest: Play | None) -> Play | None:
        """Beat the partner only to get rid of a low play, as an eager player always does."""
        if lowest is None or self.left[self.owner] <= 2:
            return None
        low = self.place < PARTNER_PLACE and lowest.place < TAKING_PLACE
        return lowest if low or turn in self.eager else None

    def _broken(self, turn: int, plan: list[Play], danger: int) -> Play | None:
        """A play that breaks a combination, if that costs nothing or must be."""
        move = answer(self.hands[turn], self.shape, self.place)
        if move is None or turn in self.eager:
            return move
        more = len(plan_of(self.hands[turn] - move.ranks)) - len(plan)
        near = danger <= BREAKING_CARDS
        nearly = more == 1 and danger <= BREAKING_ONE_CARDS and self.shape == SINGLE
        return move if more <= 0 or near or nearly else None

    def _bomb(self, plan: list[Play]) -> Play | None:
        for move in plan:
            if move.shape == ROCKET_SHAPE:
                return move
            if move.shape == BOMB and (self.shape != BOMB or move.place > self.place):
                return move
        return None

    def _opponents(self, turn: int) -> tuple[int, ...]:
        left, landlord = self.left, self.landlord
        if turn != landlord:
            return (left[landlord],)
        return (left[(turn + 1) % SEATS], left[(turn + 2) % SEATS])
