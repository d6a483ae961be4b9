"""What cards can be played as, what beats what, and every play of a hand."""

from itertools import product
from random import Random
from typing import get_args

import pytest

from games.rules.cards import composition
from games.rules.doudizhu.combinations import Kind, Reading, Wings, first_beating, readings
from games.rules.doudizhu.hints import EVERYTHING
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import (
    RANK_NAMES,
    RankSet,
    count,
    holds,
    in_order,
    names,
    pick,
    rank_set,
)
from tests.rules.cases import each, every
from tests.rules.conftest import Share
from tests.rules.doudizhu_table import ranks

READ = {
    # Every kind of the source, the lowest and the highest of it.
    "3": "single 3",
    "RJ": "single RJ",
    "33": "pair 3",
    "22": "pair 2",
    "333": "trio 3",
    "222": "trio 2",
    "3336": "trio_single 3",
    "2223": "trio_single 2",
    "222RJ": "trio_single 2",
    "33399": "trio_pair 3",
    "22233": "trio_pair 2",
    "34567": "straight 7x5",
    "456789TJQKA": "straight Ax11",
    "3456789TJQKA": "straight Ax12",
    "334455": "pairs 5x3",
    "QQKKAA": "pairs Ax3",
    "778899TTJJ": "pairs Jx5",
    "33445566778899TTJJQQ": "pairs Qx10",
    "333444": "airplane 4x2",
    "KKKAAA": "airplane Ax2",
    "333444555666777888": "airplane 8x6",
    "44455579": "airplane_singles 5x2",
    "666777JK": "airplane_singles 7x2",
    "3334445557799JJ": "airplane_pairs 5x3",
    "77788899933TTQQ": "airplane_pairs 9x3",
    "555538": "four_singles 5",
    "222234": "four_singles 2",
    "44445577": "four_pairs 4",
    "222233KK": "four_pairs 2",
    "3333": "bomb 3",
    "2222": "bomb 2",
    "BJRJ": "rocket RJx2",
    # What may be carried: equal cards, both jokers, a 2, four equal cards, a trio beside the chain.
    "333355": "four_singles 3",
    "3333BJRJ": "four_singles 3",
    "33344455": "airplane_singles 4x2",
    "333444BJRJ": "airplane_singles 4x2",
    "3334442RJ": "airplane_singles 4x2",
    "3334445555": "airplane_pairs 4x2",
    "333444555777": "airplane_singles 5x3",
    "333444555222": "airplane_singles 5x3",
    "3334445556667777": "airplane_singles 6x4",
    "33344466": "airplane_singles 4x2",
    # Several readings: a bare airplane, else the longest, else the highest.
    "333444555666": "airplane 6x4, airplane_singles 6x3, airplane_singles 5x3",
    "3334445556667778": "airplane_singles 7x4, airplane_singles 6x4",
    "33334444": "four_pairs 4, four_pairs 3",
    "QQQKKKAAA222": "airplane_singles Ax3",
    "333444555666777": "airplane 7x5",
    "33344": "trio_pair 3",
}
NOTHING = """
333444555777888999 KKKAAA222333 333444666777 34 BJ2 3456 3344 3456678 TJQKA2 JQKA2 A2345
3456BJ QQKKAA22 KKAA22 AAA222 AAA22234 333555 333BJRJ 333445 33334 3333456 3333444 33334445
333344455 3334445 333444556 33344455RJ 333444BJRJ55 333355BJRJ 3333555 3333444455
"""


def text_of(reading: Reading) -> str:
    chain = f"x{reading.length}" if reading.length > 1 else ""
    return f"{reading.kind.value} {RANK_NAMES[reading.place]}{chain}"


@each(*READ.items())
def test_cards_have_these_readings(cards: str, expected: str) -> None:
    possible = readings(ranks(cards))
    assert ", ".join(map(text_of, possible)) == expected
    assert all(reading.size == count(ranks(cards)) for reading in possible)


def test_other_cards_have_no_reading() -> None:
    for cards in NOTHING.split():
        assert readings(ranks(cards)) == (), cards


REFUSED_BY_STRICT_WINGS = [
    "3333BJRJ",
    "333444BJRJ",
    "QQQKKKAAABJRJ3",
    "3334445555",
    "33334444",
    "3334445556668888",
    "3334445556667779",
    "555666777888BJRJ99",
]
ALLOWED_BY_STRICT_WINGS = [
    "3333BJ5",
    "33335566",
    "333344",
    "33344466",
    "333444RJ2",
    "333444555777",
    "QQQKKKAAA222",
    "333444555666",
    "3334446655",
]


@every(cards=REFUSED_BY_STRICT_WINGS)
def test_strict_wings_refuse(cards: str) -> None:
    assert readings(ranks(cards))
    assert readings(ranks(cards), "strict") == ()


@every(cards=ALLOWED_BY_STRICT_WINGS)
def test_strict_wings_allow(cards: str) -> None:
    assert readings(ranks(cards), "strict")


def test_strict_wings_leave_the_bare_reading_of_four_trios_alone() -> None:
    assert [text_of(reading) for reading in readings(ranks("333444555666"), "strict")] == [
        "airplane 6x4"
    ]


@each(
    ("4", "3", True),
    ("2", "A", True),
    ("BJ", "2", True),
    ("RJ", "BJ", True),
    ("3", "3", False),
    ("44", "33", True),
    ("44", "3", False),
    ("KKK", "QQQ", True),
    ("4443", "333A", True),
    ("44433", "3336", False),
    ("4443", "33399", False),
    ("45678", "34567", True),
    ("456789", "34567", False),
    ("AAAKKK", "333444", True),
    ("555666TJ", "44455579", True),
    ("555666TTJJ", "44455579", False),
    ("444455", "333377", True),
    ("44445566", "333377", False),
    ("444455", "33", False),
    ("3333", "222", True),
    ("3333", "3456789TJQKA", True),
    ("7777", "5555", True),
    ("5555", "7777", False),
    ("3333", "222234", True),
    ("222234", "3333", False),
    ("BJRJ", "2222", True),
    ("BJRJ", "3", True),
    ("2222", "BJRJ", False),
    ("RJ", "3333", False),
)
def test_what_beats_what(cards: str, other: str, expected: bool) -> None:
    assert readings(ranks(cards))[0].beats(readings(ranks(other))[0]) is expected


def test_a_follower_is_read_as_whichever_wins() -> None:
    possible = readings(ranks("333444555666"))
    lower, same, bare = (Reading(Kind.AIRPLANE_SINGLES, place, 3) for place in (1, 2, 3))
    assert first_beating(possible, lower) == Reading(Kind.AIRPLANE_SINGLES, 3, 3)
    assert first_beating(possible, same) == Reading(Kind.AIRPLANE_SINGLES, 3, 3)
    assert first_beating(possible, bare) is None
    assert first_beating(readings(ranks("33334444")), Reading(Kind.FOUR_PAIRS, 0)) == (
        Reading(Kind.FOUR_PAIRS, 1)
    )


@pytest.mark.slow
@each(("literal", 33_675), ("strict", 27_471))
def test_the_deck_holds_so_many_combinations(wings: Wings, expected: int) -> None:
    plays = leads(EVERYTHING, wings)
    assert len(plays) == len(set(plays)) == expected
    assert max(map(count, plays)) == 20
    assert all(readings(play, wings) for play in plays)


def test_two_fours_that_carry_each_other_are_one_play() -> None:
    plays = leads(ranks("33334444"))
    assert plays.count(ranks("33334444")) == 1
    assert len(plays) == len(set(plays))


def parts(hand: RankSet) -> list[RankSet]:
    """Every sub-multiset of a hand but the empty one."""
    counts = [hand >> 4 * place & 7 for place in range(15)]
    held = [(place, number) for place, number in enumerate(counts) if number]
    choices = product(*(range(number + 1) for _, number in held))
    return [
        sum(taken << 4 * place for (place, _), taken in zip(held, choice, strict=True))
        for choice in choices
    ][1:]


def random_hand(random: Random) -> RankSet:
    """Some cards of the deck; of two hands one is of few ranks, which makes for long chains."""
    shoe = composition(jokers=True)
    if random.random() < 0.5:
        lowest = random.randrange(8)
        few = set(random.sample(RANK_NAMES[lowest : lowest + 4], 4)) | {"2", "BJ", "RJ"}
        shoe = tuple(card for card in shoe if {card.text, card.text[0]} & few)
    return rank_set(random.sample(shoe, random.randint(1, 13)))


@pytest.mark.long
def test_plays_are_those_of_brute_force(share: Share[int]) -> None:
    followed = 0
    seeds = share(range(2_800))
    for seed in seeds:
        random = Random(seed)
        hand, wings = random_hand(random), random.choice(get_args(Wings))
        read = {play: possible for play in parts(hand) if (possible := readings(play, wings))}
        plays = leads(hand, wings)
        assert len(plays) == len(set(plays)), seed
        assert set(plays) == set(read), seed
        kinds = {reading for possible in read.values() for reading in possible}
        lower = {
            Reading(kind.kind, kind.place - 1, kind.length)
            for kind in kinds
            if kind.place >= kind.length and kind.kind != Kind.ROCKET
        }
        sought = sorted({*kinds, *lower}, key=text_of)
        for other in random.sample(sought, min(5, len(sought))):
            beating = {play for play, possible in read.items() if first_beating(possible, other)}
            plays = follows(hand, other, wings)
            assert len(plays) == len(set(plays)), seed
            assert set(plays) == beating, seed
            followed += bool(plays)
    assert followed > len(seeds)


def test_rank_sets_say_what_they_hold() -> None:
    random = Random(0)
    for _ in range(300):
        cards = random.sample(composition(jokers=True), 20)
        hand = rank_set(cards)
        part = rank_set(random.sample(cards, 7))
        assert count(hand) == 20
        assert holds(hand, part)
        assert rank_set(pick(cards, part)) == part
        assert ranks(names(hand)) == hand
        other = rank_set(random.sample(composition(jokers=True), 4))
        counts = [(hand >> 4 * at & 7) >= (other >> 4 * at & 7) for at in range(15)]
        assert holds(hand, other) is all(counts)


def test_cards_are_picked_by_suit_from_the_lowest() -> None:
    hand = in_order(composition(jokers=True))
    assert [card.text for card in hand[:5]] == ["3c", "3d", "3h", "3s", "4c"]
    assert [card.text for card in hand[-3:]] == ["2s", "BJ", "RJ"]
    assert [card.text for card in pick(hand, ranks("3344RJ"))] == ["3c", "3d", "4c", "4d", "RJ"]


@each(
    ("44446666KBJRJ", "5555", ["6666", "BJRJ"]),
    ("44446666KBJRJ", "A", ["BJ", "RJ", "4444", "6666", "BJRJ"]),
    ("44446666KBJRJ", "BJRJ", []),
    ("55667788", "334455", ["556677", "667788"]),
    ("4445558", "3339", ["4445", "4448", "5554", "5558"]),
    ("555666", "333444", ["555666"]),
    # Either end may be what is carried: the same cards are one play.
    ("444555666777", "333444555678", ["444555666777"]),
)
def test_what_follows(hand: str, other: str, expected: list[str]) -> None:
    plays = follows(ranks(hand), readings(ranks(other))[0])
    assert sorted(plays) == sorted(map(ranks, expected))
