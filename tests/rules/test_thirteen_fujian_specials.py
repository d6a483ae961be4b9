"""Fujian thirteen cards: what each special is worth, and which of two wins."""

import pytest

from games.rules.errors import Illegal
from tests.rules.fujian_table import ALL, BLACK, RED_BIG, RED_SMALL, SPECIALS, dealt_to_first, table
from tests.rules.thirteen_table import passed, read_hand, reasons, settle

DRAGONS = ("pure dragon", "dragon")


@pytest.mark.parametrize("case", SPECIALS)
def test_value_of_a_special_from_each(case: str) -> None:
    hand, waters = SPECIALS[case]
    # A dragon that beats all three opponents is doubled, nothing else is.
    doubled = [("dragon_over_all", waters)] if case in DRAGONS else []
    result = settle(ALL, hand)
    for loser in (2, 3, 4):
        assert reasons(result, 1, loser) == [("natural", waters), *doubled]


def test_a_dragon_over_all_is_52_from_each_and_a_pure_one_104() -> None:
    for case, waters in (("dragon", 52), ("pure dragon", 104)):
        result = settle(ALL, SPECIALS[case][0])
        assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [waters] * 3
        won = [line for line in result.lines if line.target == 1]
        assert [line.values["points"] for line in won] == [waters // 2] * 6


@pytest.mark.parametrize(
    ("option", "special"),
    [
        ("all_big", "all big"),
        ("all_small", "all small"),
        ("one_colour", "one colour, red"),
        ("double_full_house", "two full houses and a pair"),
        ("four_trips", "four trips"),
        ("trips_five_pairs", "trips and five pairs"),
    ],
)
def test_waters_that_are_an_option(option: str, special: str) -> None:
    result = settle(table(**{option: 77}), SPECIALS[special][0])
    assert reasons(result, 1, 2) == [("natural", 77)]


@pytest.mark.parametrize(
    "hand",
    [
        "twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Tc",
        "all_big: 7c8d8h 9c9d TcTd JhJs Qc KdKh As",
        "all_small: Ac2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d",
        "one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAd",
        "dragon: 2c3d4h5c6d7h8c9dThJcQdKhKc",
        "pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAc",
        "double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c7d 9h",
        "trips_five_pairs: 2c2d2h 4c4d 6c6d 8c8d TcTd QcKd",
        "six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcJd Ks",
        "three_straights: KcAd2h 4c5d6h7c8d 4d5h6c7d8h",
        "three_flushes: 2c5c9cTc 3d4d8dTdQd 2h6h7hJh",
    ],
)
def test_hands_without_the_special_cannot_declare_it(hand: str) -> None:
    cards, arranged = read_hand(hand)
    assert arranged is not None
    assert arranged.declare not in ALL.held_naturals(cards)
    with pytest.raises(Illegal) as refusal:
        ALL.apply(dealt_to_first(cards), 1, arranged)
    assert refusal.value.code == "natural_not_held"


RED_DRAGON = "dragon: 2d3h4d5h6d7h8d9hTdJhQdKhAd"


SMALL = "all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h7s 8s"


DUELS = {
    "pure dragon over dragon": (SPECIALS["pure dragon"][0], RED_DRAGON, 104),
    "dragon over twelve royals": (
        "dragon: 2c3c4d5d6h7h8c9dTcJsQsKsBJ",
        "twelve_royals: JcJdJhQcQdQhKcKdKhAcAdAhAs",
        52,
    ),
    "twelve royals over all small": (SPECIALS["twelve royals"][0], SMALL, 24),
    "three straight flushes over three fours": (
        "three_straight_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h3h4h",
        "three_fours: 8c8d8h8s 9c9d9h9s TcTdThTs Kc",
        18,
    ),
    "three fours over all big": (
        "three_fours: 2c2d2h2s 3c3d3h3s 4c4d4h4s 5c",
        SPECIALS["all big"][0],
        16,
    ),
    "one colour over two full houses": (
        "one_colour: 2c4c6c8cTcQcAc 3s5s7s9sJsKs",
        "double_full_house: 2d2h2s4d4h 6d6h6s8d8h TdTh Qd",
        10,
    ),
    "two full houses over four trips": (
        "double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c8d 9h",
        "four_trips: TcTdTh JcJdJh QcQdQh KcKdKh As",
        8,
    ),
    "four trips over trips and five pairs": (
        "four_trips: TcTdTh JcJdJh QcQdQh KcKdKh As",
        "trips_five_pairs: 2c2d2h 4c4d 5c5d 6c6d 7c7d 8c8d",
        6,
    ),
    "trips and five pairs over six pairs": (
        "trips_five_pairs: 2c2d2h 4c4d 5c5d 6c6d 7c7d 8c8d",
        "six_pairs: 4h4s 5h5s 6h6s 7h7s 8h8s 9h9s 3s",
        5,
    ),
    # At equal value the one that is printed earlier.
    "all big over all small": (RED_BIG, RED_SMALL, 10),
    "all small over one colour": (RED_SMALL, BLACK, 10),
    "all big over one colour": (RED_BIG, BLACK, 10),
    "six pairs over three straights": (
        "six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcQd Kc",
        "three_straights: 2h3h4s 3s4h5s6s7s 8s9hThJhQs",
        3,
    ),
    "three straights over three flushes": (
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdAc",
        "three_flushes: 2h3h5h 7h9hJhQhKh 2s3s6s9sTs",
        3,
    ),
    # Real above wild of the same type, however high the cards; a higher type wins all the same.
    "real six pairs over wild ones": (
        "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8s",
        "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhBJ 2s",
        3,
    ),
    "wild six pairs over real three flushes": (
        "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhBJ 2s",
        "three_flushes: 2c3c5c 7c9cJcQcKc 3d4d6d9dTd",
        3,
    ),
    "wild three straights below real ones": (
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdAc",
        "three_straights: 2h3s4h5s6h 7h8s9h ThJsQhKsBJ",
        3,
    ),
    "a joker as the odd card is wild": (
        "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8s",
        "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhAs BJ",
        3,
    ),
    "wild all big over real all small": ("all_big: 8h9d9hTdThJdJhQdQhKdKhAdBJ", RED_SMALL, 10),
}


@pytest.mark.parametrize("case", DUELS)
def test_which_special_wins(case: str) -> None:
    winner, loser, waters = DUELS[case]
    assert passed(settle(ALL, winner, loser), 1, 2) == waters
    assert passed(settle(ALL, loser, winner), 2, 1) == waters


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (RED_DRAGON, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc"),
        (
            "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7cRJ 8s",
            "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhBJ 2s",
        ),
        (
            "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdRJ",
            "three_straights: 2h3s4h5s6h 7h8s9h ThJsQhKsBJ",
        ),
    ],
    ids=["real", "wild six pairs", "wild straights"],
)
def test_two_specials_of_one_type_both_real_or_both_wild_draw(first: str, second: str) -> None:
    assert reasons(settle(ALL, first, second), 1, 2) == []


def test_all_big_all_small_and_one_colour_in_one_hand() -> None:
    result = settle(ALL, BLACK, RED_SMALL, RED_BIG)
    assert [passed(result, 3, loser) for loser in (1, 2, 4)] == [10, 10, 10]
    assert passed(result, 2, 1) == passed(result, 2, 4) == passed(result, 1, 4) == 10


def test_a_moved_value_moves_the_special() -> None:
    result = settle(table(all_small=30), RED_SMALL, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc")
    assert reasons(result, 1, 2) == [("natural", 30)]


# Dragons and the other three


def test_a_dragon_that_draws_with_another_is_not_doubled() -> None:
    result = settle(ALL, RED_DRAGON, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc")
    assert [reasons(result, 1, loser) for loser in (3, 4)] == [[("natural", 26)]] * 2
    assert [reasons(result, 2, loser) for loser in (3, 4)] == [[("natural", 26)]] * 2


def test_a_dragon_below_a_pure_one_is_not_doubled_and_the_pure_one_is() -> None:
    result = settle(ALL, RED_DRAGON, SPECIALS["pure dragon"][0])
    assert [passed(result, 2, loser) for loser in (1, 3, 4)] == [104] * 3
    assert [passed(result, 1, loser) for loser in (3, 4)] == [26] * 2


def test_a_real_dragon_over_a_wild_one_is_doubled_and_the_wild_one_is_not() -> None:
    result = settle(ALL, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsBJ", RED_DRAGON)
    assert [passed(result, 2, loser) for loser in (1, 3, 4)] == [52] * 3
    assert [passed(result, 1, loser) for loser in (3, 4)] == [26] * 2


def test_a_dragon_over_lesser_specials_is_doubled() -> None:
    flushes = "three_flushes: 2c3c5c 7c9cJcQcKc 3s4s6s9sTs"
    result = settle(ALL, RED_DRAGON, flushes)
    assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [52] * 3
