"""Specials of Taiwanese and Fujianese thirteen cards: values, which of two wins, and draws."""

from math import comb
from pathlib import Path

from games.rules.cards import parse_cards
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import Arrange
from games.rules.thirteen.taiwan import ThirteenTaiwan
from tests.rules.cases import each, every, illegal
from tests.rules.test_thirteen_four import (
    BOTH,
    FUJIAN,
    TAIWAN,
    dealt_to_first,
    from_each,
    fujian,
    taiwan,
)
from tests.rules.thirteen_table import passed, read_hand, reasons, row_results, settle

PAGES = Path(__file__).parents[2] / "docs" / "rules"
# Each special, in the printed order, with its value in Taiwan and in Fujian.
SPECIALS = {
    "pure dragon": ("pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAs", 108, 52),
    "dragon": ("dragon: 2c3d4h5c6d7h8c9dThJcQdKhAc", 36, 26),
    "twelve royals": ("twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Ac", 32, 24),
    "straight flushes": ("three_straight_flushes: 2c3c4c 5d6d7d8d9d 6h7h8h9hTh", 24, 18),
    "from the ace": ("three_straight_flushes: Ac2c3c Ad2d3d4d5d 9hThJhQhKh", 24, 18),
    "three fours": ("three_fours: 2c2d2h2s 5c5d5h5s 9c9d9h9s Kc", 20, 16),
    "all big": ("all_big: 8c8d8h 9c9d TcTd JhJs Qc KdKh As", 12, 10),
    "all small": ("all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d", 12, 10),
    "black": ("one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAc", 10, 10),
    "red": ("one_colour: 2d2h4d4h5d6h7d9d9hJdKdKhAd", 10, 10),
    "two full houses": ("double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c8d 9h", None, 8),
    "four trips": ("four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdJh Ks", 8, 6),
    "four trips and the fourth": ("four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdJh Js", 8, 6),
    "trips and five pairs": ("trips_five_pairs: 2c2d2h 4c4d 6c6d 8c8d TcTd QcQd", None, 5),
    "six pairs": ("six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcQd Ks", None, 3),
    "three straights": ("three_straights: 2c3d4h 3c4c5d6h7s 8c9dThJcQd", 4, 3),
    "from and to the ace": ("three_straights: Ac2d3h 4c5c6d7h8s TcJdQhKcAd", 4, 3),
    "Q-K-A in front": ("three_straights: QcKdAh 2c3d4h5c6d 2s3h4c5d6h", None, 3),
    "three flushes": ("three_flushes: 2c5c9c 3d4d8dTdQd 2h6h7hJhKh", 3, 3),
}
HANDS = {name: hand for name, (hand, *_) in SPECIALS.items()}
RED_DRAGON = "dragon: 2d3h4d5h6d7h8d9hTdJhQdKhAd"
BLACK_DRAGON = "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc"
SMALL = "all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h7s 8s"
RED_SMALL = "all_small: 2d2h3d3h4d4h5d5h6d6h7d7h8d"
RED_BIG = "all_big: 8h9d9hTdThJdJhQdQhKdKhAdAh"
BIG, BLACK = HANDS["all big"], HANDS["black"]


@each(*SPECIALS.values())
def test_value_of_a_special_from_each(hand: str, in_taiwan: int | None, in_fujian: int) -> None:
    """In Fujian a dragon that beats all three opponents is doubled, and nothing else is."""
    dragon = hand.startswith(("dragon", "pure_dragon"))
    doubled = [("dragon_over_all", in_fujian)] if dragon else []
    for game, points, more in ((TAIWAN, in_taiwan, []), (FUJIAN, in_fujian, doubled)):
        if points:
            result = settle(game, hand)
            won = [reasons(result, 1, loser) for loser in (2, 3, 4)]
            assert won == [[("natural", points), *more]] * 3
            # A line names its points, from each.
            assert {line.values["points"] for line in result.lines if line.target == 1} == {points}


@each(
    ("three_straights: KcAd2h 4c5d6h7c8d 4d5h6c7d8h", True),
    ("twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Tc", True),
    ("all_big: 7c8d8h 9c9d TcTd JhJs Qc KdKh As", True),
    ("all_small: Ac2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d", True),
    ("all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h 8s9d", True),
    ("one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAd", True),
    ("dragon: 2c3d4h5c6d7h8c9dThJcQdKhKc", True),
    ("pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAc", True),
    ("three_fours: 2c2d2h2s 5c5d5h5s 9c9d9hTs Kc", True),
    ("four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdTh Ks", True),
    ("three_flushes: 2c5c9cTc 3d4d8dTdQd 2h6h7hJh", True),
    ("double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c7d 9h", True),
    ("trips_five_pairs: 2c2d2h 4c4d 6c6d 8c8d TcTd QcKd", True),
    ("six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcJd Ks", True),
    # In Taiwan no front of Q-K-A; in no game a straight around the ace.
    ("three_straights: QcKdAh 2c3d4h5c6d 2s3h4c5d6h", False),
    ("three_straights: JcQdKhAc2d 4c5d6h7c8d 4d5h6c", True),
    ("three_straight_flushes: QcKcAc 2c3c4c5c6c 2d3d4d5d6d", False),
    ("three_straight_flushes: KcAc2c 4c5c6c7c8c 4d5d6d7d8d", True),
)
def test_hands_without_the_special_cannot_declare_it(hand: str, nowhere: bool) -> None:
    cards, arranged = read_hand(hand)
    assert arranged is not None
    for game in (TAIWAN, fujian()) if nowhere else (TAIWAN,):
        assert arranged.declare not in game.held_naturals(cards)
    if nowhere:
        state = dealt_to_first(fujian(), cards)
        illegal("natural_not_held", fujian().apply, state, 1, arranged)


@BOTH
def test_a_special_may_be_declared_or_not(game: ThirteenGame) -> None:
    cards = "2c3d4h5c6d7h8c9dThJcQdKhAc"
    rows, other = "2c3d4h / 5c6d7h8c9d / ThJcQdKhAc", "AdAhQs / 3h3s9s9hJh / 5s5dJsJdKs"
    (choice,) = game.choices(dealt_to_first(game, parse_cards(cards)), 1)
    assert choice.among == ("dragon", "three_straights")
    assert row_results(settle(game, rows, other), 1, 2) == {"front": -1, "middle": 1, "back": 1}
    declared = reasons(settle(game, f"three_straights: {cards}", other), 1, 2)
    assert declared == [("natural", game.naturals[Natural.THREE_STRAIGHTS])]


@BOTH
def test_a_foul_pays_a_special_what_it_is_worth(game: ThirteenGame) -> None:
    result = settle(game, HANDS["three fours"], "AdKdQd / JdJh3s4s6s / 3d4d6d7d8d")
    assert reasons(result, 1, 2) == [("natural", game.naturals[Natural.THREE_FOURS])]


def test_six_and_a_half_pairs_are_nothing_in_taiwan() -> None:
    pairs = parse_cards("2c2d 3c3d 4c4d 5c5d 6c6d 7c7d Ts")
    assert Natural.SIX_PAIRS not in TAIWAN.held_naturals(pairs)
    action = Arrange(declare=Natural.SIX_PAIRS)
    illegal("natural_not_played", TAIWAN.apply, dealt_to_first(TAIWAN, pairs), 1, action)


@each(
    ("dragon", 4**13, 9_462),
    ("pure_dragon", 4, 158_753_389_900),
    ("twelve_royals", comb(16, 13), 1_133_952_785),
)
def test_how_rare_a_special_is(special: str, hands: int, one_in: int) -> None:
    """The hands counted here are counted one by one with the naturals."""
    assert special in TAIWAN.naturals
    assert comb(52, 13) // hands == one_in


# Two that no card is in both of, the winner first; at equal value the one that is printed earlier.
DUELS_OF_BOTH = [
    (HANDS["pure dragon"], RED_DRAGON),
    (RED_DRAGON, BLACK),
    (HANDS["twelve royals"], SMALL),
    (
        "three_straight_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h3h4h",
        "three_fours: 8c8d8h8s 9c9d9h9s TcTdThTs Kc",
    ),
    ("three_fours: 2c2d2h2s 3c3d3h3s 4c4d4h4s 5c", BIG),
    (BIG, SMALL),
    (SMALL, "one_colour: 8c9cTcJcQcKcAc 9sTsJsQsKsAs"),
    ("one_colour: 2c4c6c8cTcQcAc 3s5s7s9sJsKs", "four_trips: 2d2h2s 4d4h4s 8d8h8s QdQhQs Kd"),
    ("four_trips: 2d2h2s 3d3h3s 4d4h4s 5d5h5s 6d", "three_straights: 2c3c4c5c6c 7c8c9c TcJcQdKdAd"),
    (
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdAc",
        "three_flushes: 2h3h5h 7h9hJhQhKh 2s3s6s9sTs",
    ),
]
SIX_PAIRS = "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8s"
WILD_SIX_PAIRS = "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhBJ 2s"
DUELS_OF_FUJIAN = [
    ("dragon: 2c3c4d5d6h7h8c9dTcJsQsKsBJ", "twelve_royals: JcJdJhQcQdQhKcKdKhAcAdAhAs"),
    ("one_colour: 2c4c6c8cTcQcAc 3s5s7s9sJsKs", "double_full_house: 2d2h2s4d4h 6d6h6s8d8h TdTh Qd"),
    (
        "double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c8d 9h",
        "four_trips: TcTdTh JcJdJh QcQdQh KcKdKh As",
    ),
    (
        "four_trips: TcTdTh JcJdJh QcQdQh KcKdKh As",
        "trips_five_pairs: 2c2d2h 4c4d 5c5d 6c6d 7c7d 8c8d",
    ),
    (
        "trips_five_pairs: 2c2d2h 4c4d 5c5d 6c6d 7c7d 8c8d",
        "six_pairs: 4h4s 5h5s 6h6s 7h7s 8h8s 9h9s 3s",
    ),
    (
        "six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcQd Kc",
        "three_straights: 2h3h4s 3s4h5s6s7s 8s9hThJhQs",
    ),
    (RED_SMALL, BLACK),
    (RED_BIG, BLACK),
    # Real above wild of the same type, however high the cards; a higher type wins all the same.
    (SIX_PAIRS, WILD_SIX_PAIRS),
    (WILD_SIX_PAIRS, "three_flushes: 2c3c5c 7c9cJcQcKc 3d4d6d9dTd"),
    (
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdAc",
        "three_straights: 2h3s4h5s6h 7h8s9h ThJsQhKsBJ",
    ),
    # A joker as the odd card is wild.
    (SIX_PAIRS, "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhAs BJ"),
    ("all_big: 8h9d9hTdThJdJhQdQhKdKhAdBJ", RED_SMALL),
]


@each(
    *[(game, *duel) for game in (TAIWAN, FUJIAN) for duel in DUELS_OF_BOTH],
    *[(FUJIAN, *duel) for duel in DUELS_OF_FUJIAN],
)
def test_the_bigger_special_wins_in_full(game: ThirteenGame, winner: str, loser: str) -> None:
    points = game.naturals[Natural(winner.split(":", maxsplit=1)[0])]
    for order in ((winner, loser), (loser, winner)):
        place = order.index(winner) + 1
        payments = reasons(settle(game, *order), place, 3 - place)
        assert payments[0] == ("natural", points)
        assert len(payments) == 1 or payments[1:] == [("dragon_over_all", points)]


@each(
    (TAIWAN, RED_DRAGON, BLACK_DRAGON),
    (TAIWAN, BIG, "all_big: 8s9h9sThTsJcJdQdQhQsKcKsAc"),
    (
        TAIWAN,
        "three_flushes: 2c5c9c 3d4d8dTdQd 2h6h7hJhKh",
        "three_flushes: 3c4c6c 5d6d7d9dJd 2s3s6s9sTs",
    ),
    (FUJIAN, RED_DRAGON, BLACK_DRAGON),
    # Both wild.
    (FUJIAN, "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7cRJ 8s", WILD_SIX_PAIRS),
    (
        FUJIAN,
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdRJ",
        "three_straights: 2h3s4h5s6h 7h8s9h ThJsQhKsBJ",
    ),
)
def test_two_specials_of_one_type_draw(game: ThirteenGame, first: str, second: str) -> None:
    assert reasons(settle(game, first, second), 1, 2) == []


@each((20, 2, 36), (35, 2, 36), (36, 1, 36), (200, 1, 200))
def test_the_pure_dragon_is_worth_what_the_table_says(value: int, winner: int, points: int) -> None:
    result = settle(taiwan(pure_dragon=value), HANDS["pure dragon"], RED_DRAGON)
    assert reasons(result, winner, 3 - winner) == [("natural", points)]


@each(
    ("all_big", "all big"),
    ("all_small", "all small"),
    ("one_colour", "red"),
    ("double_full_house", "two full houses"),
    ("four_trips", "four trips"),
    ("trips_five_pairs", "trips and five pairs"),
)
def test_waters_that_are_an_option(option: str, special: str) -> None:
    result = settle(fujian(**{option: 77}), HANDS[special])
    assert reasons(result, 1, 2) == [("natural", 77)]
    # A moved value moves the special.
    moved = settle(fujian(all_small=30), RED_SMALL, BLACK_DRAGON)
    assert reasons(moved, 1, 2) == [("natural", 30)]


def test_all_big_all_small_and_one_colour_in_one_hand() -> None:
    result = settle(FUJIAN, BLACK, RED_SMALL, RED_BIG)
    assert from_each(result, 3) == [10, 10, 10]
    assert passed(result, 2, 1) == passed(result, 2, 4) == passed(result, 1, 4) == 10


@each(
    # Two that draw, one below a pure one, one over a wild one, and one over a lesser special: what
    # seats 1 and 2 win from each who has less.
    (RED_DRAGON, BLACK_DRAGON, [0, 26, 26], [0, 26, 26]),
    (RED_DRAGON, HANDS["pure dragon"], [-104, 26, 26], [104, 104, 104]),
    ("dragon: 2c3s4c5s6c7s8c9sTcJsQcKsBJ", RED_DRAGON, [-52, 26, 26], [52, 52, 52]),
    (RED_DRAGON, "three_flushes: 2c3c5c 7c9cJcQcKc 3s4s6s9sTs", [52, 52, 52], [-52, 3, 3]),
)
def test_only_a_dragon_over_all_three_is_doubled(
    first: str, second: str, won: list[int], others: list[int]
) -> None:
    result = settle(FUJIAN, first, second)
    assert (from_each(result, 1), from_each(result, 2)) == (won, others)


@every(game=[ThirteenTaiwan(), ThirteenFujian()])
def test_the_page_names_each_special_with_its_units(game: ThirteenGame) -> None:
    page = (PAGES / f"{game.key}.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines()]
    for natural, units in game.naturals.items():
        assert [row for row in rows if row[:1] == [f"`{natural}`"] and str(units) in row], natural
