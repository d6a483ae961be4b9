"""Every play that a hand can make, as rank sets: each of them once, for all suits.

Results that depend on one mask alone are cached by that mask, so that most of a hand's plays are
looked up. The cards carried along are all that is put together anew.
"""

from functools import lru_cache
from itertools import combinations
from typing import Final

from games.rules.doudizhu.combinations import (
    EQUALS,
    PLAY_SIZE_MAX,
    SHAPES,
    Kind,
    Reading,
    Wings,
    strictness,
)
from games.rules.doudizhu.ranks import (
    CHAINABLE,
    ROCKET,
    Mask,
    RankSet,
    above,
    digits,
    masks,
    pairs_in,
    runs,
)

FOUR: Final = 4


def leads(hand: RankSet, wings: Wings = "literal") -> list[RankSet]:
    """Everything the hand can lead."""
    ones, twos, threes, fours = masks(hand)
    plays = [*_equals(ones, 1), *_equals(twos, 2)]
    if hand & ROCKET == ROCKET:
        plays.append(ROCKET)
    if not threes:
        return plays
    plays += _equals(threes, 3)
    singles, pairs = digits(ones), digits(twos)
    for trio in digits(threes):
        bare = 3 * trio
        plays += [bare + single for single in singles if single != trio]
        plays += [bare + 2 * pair for pair in pairs if pair != trio]
    airplanes = runs(threes & CHAINABLE, 2)
    if fours or airplanes:
        plays += _carriers(hand, fours, airplanes, wings)
    return plays


def _carriers(
    hand: RankSet, fours: Mask, airplanes: tuple[Mask, ...], wings: Wings
) -> list[RankSet]:
    """Bombs, fours and airplanes with what they carry; these alone may come up several times."""
    plays = [FOUR * four for four in digits(fours)]
    for four in digits(fours):
        plays += carrying(hand, four, FOUR, 1, wings)
        plays += carrying(hand, four, FOUR, 2, wings)
    for chain in airplanes:
        plays += carrying(hand, chain, 3, 1, wings)
        plays += carrying(hand, chain, 3, 2, wings)
    if fours.bit_count() + len(airplanes) == 1:
        return plays
    bare = {3 * chain for chain in airplanes}
    return [play for play in dict.fromkeys(plays) if play not in bare]


def follows(hand: RankSet, other: Reading, wings: Wings = "literal") -> list[RankSet]:
    """Everything the hand can play upon a combination, without passing."""
    if other.kind == Kind.ROCKET:
        return []
    held = masks(hand)
    higher = above(other.place)
    bombs = held[3]
    if other.kind == Kind.BOMB:
        plays = []
        bombs &= higher
    else:
        plays = _same_kind(hand, held, other, wings)
    plays += [FOUR * four for four in digits(bombs)]
    if hand & ROCKET == ROCKET:
        plays.append(ROCKET)
    return plays


def _same_kind(
    hand: RankSet, held: tuple[Mask, ...], other: Reading, wings: Wings
) -> list[RankSet]:
    copies, wing_size = SHAPES[other.kind]
    enough = held[copies - 1]
    if other.length == 1:
        mains = digits(enough & above(other.place))
    else:
        higher = 1 << 4 * (other.place + 1)
        mains = tuple(
            run
            for run in runs(enough & CHAINABLE, other.length)
            if run >= higher and run.bit_count() == other.length
        )
    if not wing_size:
        return [copies * main for main in mains]
    plays: list[RankSet] = []
    for main in mains:
        plays += carrying(hand, main, copies, wing_size, wings)
    return plays if len(mains) < 2 else list(dict.fromkeys(plays))


def carrying(hand: RankSet, main: Mask, copies: int, wing_size: int, wings: Wings) -> list[RankSet]:
    """These ranks this many times, with everything that the rest of the hand lets them carry."""
    length = main.bit_count()
    wing_count = length if copies == 3 else 2
    if copies * length + wing_count * wing_size > PLAY_SIZE_MAX:
        return []
    rest = hand & ~(15 * main)
    bare = copies * main
    carried = (
        choose(rest, wing_count)
        if wing_size == 1
        else [2 * pairs for pairs in choose(pairs_in(rest), wing_count)]
    )
    if wings == "strict":
        carried = [wing for wing in carried if strictness(wing, main) is None]
    return [bare + wing for wing in carried]


def choose(ranks: RankSet, number: int) -> list[RankSet]:
    """Every choice of this many cards, each once."""
    ones, twos, _, _ = masks(ranks)
    if number == 1:
        return list(digits(ones))
    if number == 2:
        return [
            *[one + other for one, other in combinations(digits(ones), 2)],
            *[2 * pair for pair in digits(twos)],
        ]
    # The choices of each size among the ranks so far; the larger sizes grow first, so that no rank
    # is taken twice.
    choices: list[list[RankSet]] = [[0]] + [[] for _ in range(number)]
    for digit in digits(ones):
        held = ranks // digit & 7
        for size in range(number, 0, -1):
            for taken in range(1, min(held, size) + 1):
                more = taken * digit
                choices[size] += [smaller + more for smaller in choices[size - taken]]
    return choices[number]


@lru_cache(1 << 13)
def _equals(mask: Mask, copies: int) -> tuple[RankSet, ...]:
    """So many of each rank, and the chains of them."""
    _, _, least = EQUALS[copies]
    return tuple(
        copies * main
        for main in (*digits(mask), *runs(mask & CHAINABLE, least))
        if copies * main.bit_count() <= PLAY_SIZE_MAX
    )
