"""Chinese poker: what a comparison is worth at every table, and who pays it.

The orders of rows and the fouls stand in `test_chinese_poker_rows.py`, stacks and the order of
payment in `test_thirteen_stacks.py`.
"""

from itertools import combinations

import pytest

from games.rules.errors import Unreadable
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.chinese_poker import STAKES_TABLE, ChinesePoker
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import ThirteenContext
from tests.rules.cases import each, every, illegal
from tests.rules.thirteen_table import (
    BEATEN,
    BEATEN_FOUL,
    MAJOR,
    MINOR,
    SUITED,
    WINNING,
    duel,
    opened,
    passed,
    read_hand,
    reasons,
    row_results,
    settle,
)

PLAIN = ChinesePoker(point=1)
BONUS = ChinesePoker(point=1, table="bonus")
PLAIN_NO_PREMIUM = ChinesePoker(point=1, extra_point="no_premium")
BONUS_NO_PREMIUM = ChinesePoker(point=1, table="bonus", extra_point="no_premium")
TABLES = {
    "plain": PLAIN,
    "plain, no_premium": PLAIN_NO_PREMIUM,
    "bonus": BONUS,
    "bonus, no_premium": BONUS_NO_PREMIUM,
}
EACH_TABLE = every(game=TABLES.values())

# Loses its front to `BEATEN`, and wins the others.
TWO_OF_THREE = "2s3h4h / JcJdTh8c6d / AcAdTs9h5c"
TWO_OF_THREE_WITH_FOUR = "2s3h4h / JcJdTh8c6d / AcAdAhAs5c"


# Rows

ROWS_WON = {
    "plain: three of three rows are 4": (PLAIN, "high card, pair, pair", 4),
    "plain: premiums count for nothing": (PLAIN, "trips and two straight flushes", 4),
    "bonus: three rows are 3, no extra point": (BONUS, "high card, pair, pair", 3),
    "bonus: front trips 3": (BONUS, "front trips", 3 + 1 + 1),
    "bonus: middle full house 2": (BONUS, "middle full house", 1 + 2 + 1),
    "bonus: middle four 8": (BONUS, "middle and back four", 1 + 8 + 4),
    "bonus: middle straight flush 10": (BONUS, "middle and back straight flush", 1 + 10 + 5),
    "bonus: middle royal flush 14": (BONUS, "middle and back royal flush", 1 + 14 + 7),
    "bonus: back full house is no premium": (BONUS, "back full house", 3),
    "bonus: back four 4, so three rows are 6": (BONUS, "back four", 6),
    "bonus: back straight flush 5": (BONUS, "back straight flush", 1 + 1 + 5),
    "bonus: back royal flush 7": (BONUS, "back royal flush", 1 + 1 + 7),
    "bonus: three premiums": (BONUS, "trips and two straight flushes", 3 + 10 + 5),
    "no_premium, plain: the extra point stays": (PLAIN_NO_PREMIUM, "high card, pair, pair", 4),
    "no_premium, plain: a four is no premium there": (PLAIN_NO_PREMIUM, "back four", 4),
    "no_premium, bonus: the extra point too": (BONUS_NO_PREMIUM, "high card, pair, pair", 4),
    "no_premium, bonus: a back full house too": (BONUS_NO_PREMIUM, "back full house", 4),
    "no_premium, bonus: not beside a premium": (BONUS_NO_PREMIUM, "back four", 6),
}


@each(ROWS_WON)
def test_three_rows_won(game: ChinesePoker, winner: str, points: int) -> None:
    assert duel(game, WINNING[winner], BEATEN) == points
    assert duel(game, BEATEN, WINNING[winner]) == -points


@each(
    (PLAIN, TWO_OF_THREE, 2),  # plain: 2 of 3 rows are 1 net and 1 more
    (BONUS, TWO_OF_THREE, 1),  # bonus: 2 of 3 rows are 1 net
    (PLAIN_NO_PREMIUM, TWO_OF_THREE, 2),  # no_premium, plain
    (BONUS_NO_PREMIUM, TWO_OF_THREE, 2),  # no_premium, bonus
    (PLAIN, TWO_OF_THREE_WITH_FOUR, 2),  # plain with a four
    (BONUS, TWO_OF_THREE_WITH_FOUR, 4),  # bonus with a four: -1 + 1 + 4
    (BONUS_NO_PREMIUM, TWO_OF_THREE_WITH_FOUR, 4),  # no_premium with a four
)
def test_two_of_three_rows_won(game: ChinesePoker, winner: str, points: int) -> None:
    assert duel(game, winner, BEATEN) == points
    assert duel(game, BEATEN, winner) == -points


@each(
    (PLAIN, 1 + 1 - 1 + 1),  # plain
    (BONUS, 1 + 1 - 4),  # bonus: the loser of more rows is paid
    (BONUS_NO_PREMIUM, 1 + 1 - 4),  # no_premium: the loser's premium counts
)
def test_a_premium_won_by_who_wins_fewer_rows(game: ChinesePoker, points: int) -> None:
    one_row_with_four = "2s3h4h / 6h7h9s5h3s / AcAdAhAs5c"
    two_rows = "KcQd7c / JcJdTh8c6d / QcQs9h8h5s"
    assert duel(game, two_rows, one_row_with_four) == points


def test_a_premium_in_a_lost_row_earns_nothing() -> None:
    aces = "KcQd7c / JcJdTh8c6d / AcAdAhAs5c"
    twos = "JsQh7h / 9c9d6s4c3d / 2c2d2h2s5d"
    assert duel(BONUS, aces, twos) == 1 + 1 + 4


def test_a_row_won_with_a_premium_says_so() -> None:
    settlement = settle(BONUS, WINNING["back four"], BEATEN)
    assert reasons(settlement, 1, 2) == [("row", 1), ("row", 1), ("royalty", 4)]
    settlement = settle(PLAIN, WINNING["back four"], BEATEN)
    assert reasons(settlement, 1, 2) == [("row", 1)] * 3 + [("extra_point", 1)]


def test_the_printed_example_of_three_players() -> None:
    # A wins all rows from B; C the front and the middle from A, A the back; C all rows from B.
    a = "KcQd7c / JcJdTh8c6d / AcAdTs9h5c"
    b = BEATEN
    c = "AhQc8d / QhQs9s6h5h / KdKhJsTc7h"
    settlement = settle(PLAIN, a, b, c)
    assert [passed(settlement, 1, 2), passed(settlement, 3, 1), passed(settlement, 3, 2)] == [
        4,
        2,
        4,
    ]
    assert settlement.net == {1: 2, 2: -8, 3: 6}
    assert row_results(settlement, 1, 3) == {"front": -1, "middle": -1, "back": 1}


@every(count=[2, 3, 4])
def test_everyone_is_compared_with_everyone(count: int) -> None:
    # Spades win all rows from the rest, hearts from clubs, and clubs from diamonds.
    settlement = settle(PLAIN, *list(SUITED.values())[:count])
    for first, second in combinations(range(1, count + 1), 2):
        assert passed(settlement, first, second) == 4


@every(count=[1, 5])
def test_two_to_four_players(count: int) -> None:
    with pytest.raises(Unreadable, match="2 to 4"):
        opened(PLAIN, *[BEATEN] * count)


# Naturals

NATURALS = (
    "thirteen_suited",
    "dragon",
    "twelve_one",
    "trips_five_pairs",
    "three_straights",
    "three_flushes",
    "six_pairs",
)
# What the natural of a line gets from each natural in the same order, from none, and from a foul.
AGAINST = {
    "thirteen_suited": ((0, 13, 13, 13, 13, 13, 13), 13, 13),
    "dragon": ((-13, 0, 13, 13, 13, 13, 13), 13, 13),
    "twelve_one": ((-13, -13, 0, 8, 8, 8, 8), 8, 8),
    "trips_five_pairs": ((-13, -13, -8, 0, 4, 4, 4), 4, 4),
    "three_straights": ((-13, -13, -8, -4, 0, 4, 4), 4, 4),
    "three_flushes": ((-13, -13, -8, -4, -4, 0, 3), 3, 3),
    "six_pairs": ((-13, -13, -8, -4, -4, -3, 0), 3, 3),
}
MEETINGS = [
    (mine, theirs, points)
    for mine, (naturals, none, foul) in AGAINST.items()
    for theirs, points in zip(
        (*NATURALS, "none", "foul", "false"), (*naturals, none, foul, foul), strict=True
    )
]


@EACH_TABLE
@each(*MEETINGS)
def test_natural(mine: str, theirs: str, points: int, game: ChinesePoker) -> None:
    settlement = settle(game, MINOR[mine], MAJOR[theirs])
    assert passed(settlement, 1, 2) == points
    assert reasons(settlement, 1, 2) == ([("natural", points)] if points else [])
    assert duel(game, MAJOR[theirs], MINOR[mine]) == -points


def test_equal_naturals_tie_and_both_collect_from_the_others() -> None:
    settlement = settle(PLAIN, MINOR["dragon"], MAJOR["dragon"], "2d3c4d / 5c6d7c8d9c / TdJcQdKcAd")
    assert settlement.net == {1: 13, 2: 13, 3: -26}


def test_an_undeclared_natural_plays_as_an_ordinary_hand() -> None:
    six_pairs = "2c2d9c / 4c4d5c5d3c / 7c7d6c6d3d"
    assert PLAIN.holds_natural(Natural.SIX_PAIRS, read_hand(six_pairs).cards)
    settlement = settle(PLAIN, six_pairs, MAJOR["none"])
    assert reasons(settlement, 1, 2) == [("row", 1)] * 3 + [("extra_point", 1)]


def test_a_natural_undeclared_is_beaten_by_any_declared() -> None:
    undeclared = SUITED["clubs"]
    assert duel(BONUS, undeclared, MAJOR["six_pairs"]) == -3


def test_naturals_that_a_hand_holds_are_offered_to_its_seat() -> None:
    state = opened(PLAIN, MINOR["thirteen_suited"], MAJOR["none"])
    (choice,) = PLAIN.choices(state, 1)
    assert choice.among == (
        "thirteen_suited",
        "dragon",
        "twelve_one",
        "three_straights",
        "three_flushes",
    )
    assert PLAIN.choices(state, 2)[0].among == ()


@each(
    (PLAIN, 8),  # of one colour by default
    (ChinesePoker(point=1, twelve="suit"), -3),  # a false report by suit
)
def test_twelve_of_one_colour(game: ChinesePoker, points: int) -> None:
    black_but_one = "twelve_one: 2c4c6c8cTcQc3s5s7s9sJsKsAd"
    assert duel(game, black_but_one, "2h3d5h / 6h6d7h8d9h / ThTdJhQdKh") == points


def test_thirteen_of_one_colour_are_twelve_too() -> None:
    black = "twelve_one: 2c4c6c8cTcQc3s5s7s9sJsKsAs"
    assert duel(PLAIN, black, "2h3d5h / 6h6d7h8d9h / ThTdJhQdKh") == 8


def test_four_of_a_kind_counts_as_two_pairs() -> None:
    fours = "six_pairs: 2c2d2h2s4c4d5c5d6c6d7c7d9c"
    assert duel(PLAIN, fours, "3h5h8h / TcTd9d8dJh / KcKdAcAdQc") == 3


def test_a_natural_that_this_table_does_not_play_is_refused() -> None:
    state = opened(PLAIN, MINOR["none"], MAJOR["none"])
    illegal("natural_not_played", PLAIN.apply, state, 1, Arrange(declare=Natural.ALL_BIG))


# Fouls

PREMIUMS_OWED = {
    "high card, pair, pair": 0,
    "front trips": 3,
    "middle full house": 2,
    "middle and back four": 8 + 4,
    "middle and back straight flush": 10 + 5,
    "middle and back royal flush": 14 + 7,
    "back full house": 0,
    "back four": 4,
    "back straight flush": 5,
    "back royal flush": 7,
    "trips and two straight flushes": 3 + 10 + 5,
}


@EACH_TABLE
@every(winner=PREMIUMS_OWED, false=[False, True])
def test_a_foul_pays_three_and_premiums_at_bonus_tables(
    game: ChinesePoker, winner: str, false: bool
) -> None:
    foul = f"dragon: {''.join(BEATEN.split(' / '))}" if false else BEATEN_FOUL
    owed = 3 + (PREMIUMS_OWED[winner] if game.table == "bonus" else 0)
    assert duel(game, foul, WINNING[winner]) == -owed
    assert duel(game, WINNING[winner], foul) == owed


def test_a_foul_says_what_it_owes() -> None:
    settlement = settle(BONUS, WINNING["trips and two straight flushes"], BEATEN_FOUL)
    assert reasons(settlement, 1, 2) == [
        ("foul", 3),
        ("foul_royalty", 3),
        ("foul_royalty", 10),
        ("foul_royalty", 5),
    ]


@EACH_TABLE
@every(mine=["foul", "false"], theirs=["foul", "false"])
def test_two_fouls_exchange_nothing(game: ChinesePoker, mine: str, theirs: str) -> None:
    settlement = settle(game, MINOR[mine], MAJOR[theirs])
    assert settlement.net == {1: 0, 2: 0}
    assert settlement.lines == ()


def test_a_foul_pays_each_opponent() -> None:
    settlement = settle(
        BONUS, BEATEN_FOUL, WINNING["back four"], "2s3h4h / 5h6h7h8h9h / 9sTsJsQsKs"
    )
    # Three to each, with four for the back, with 10 and 5 for the straight flushes.
    assert [passed(settlement, 2, 1), passed(settlement, 3, 1)] == [7, 18]


def test_a_false_declaration_is_a_foul_though_its_rows_are_in_order() -> None:
    state = opened(PLAIN, MINOR["none"], MAJOR["none"])
    rows = read_hand(MINOR["none"]).arranged
    assert rows is not None
    state = PLAIN.apply(state, 1, Arrange(*rows.rows, declare=Natural.SIX_PAIRS))
    state = PLAIN.apply(state, 2, PLAIN.fallback(state, 2))
    assert PLAIN.settle(state).net[1] == -3


# Stakes and rake


def test_the_printed_stakes() -> None:
    printed = {
        "0.50": ("15.00", "2.50"),
        "0.75": ("22.00", "3.75"),
        "1.00": ("30.00", "5.00"),
        "1.50": ("45.00", "7.50"),
        "2.00": ("60.00", "10.00"),
        "2.50": ("75.00", "12.50"),
        "3.00": ("90.00", "15.00"),
        "5.00": ("150.00", "25.00"),
        "7.50": ("225.00", "37.50"),
        "10.00": ("300.00", "50.00"),
        "15.00": ("450.00", "75.00"),
        "20.00": ("600.00", "100.00"),
        "25.00": ("750.00", "125.00"),
        "50.00": ("2500.00", "250.00"),
    }
    table = [tuple(f"{amount // 100}.{amount % 100:02}" for amount in row) for row in STAKES_TABLE]
    assert table == [(point, *minimums) for point, minimums in printed.items()]


@each(
    (5, 20, 1),  # 5% of 20 is 1
    (4, 16, 0),  # 5% of 16 is rounded down to 0
    (333, 1332, 66),  # 5% of 1332 is 66.6, rounded down
    (100, 400, 20),  # 5% of 400
)
def test_rake_is_five_per_cent_of_the_winnings_rounded_down(
    point: int, won: int, rake: int
) -> None:
    settlement = settle(ChinesePoker(point=point), WINNING["high card, pair, pair"], BEATEN)
    assert settlement.net == {1: won - rake, 2: -won}
    assert settlement.rake == ({1: rake} if rake else {})


def test_rake_is_of_what_a_seat_wins_in_the_whole_hand() -> None:
    # The printed example at 3.33 a point: A wins 4 and loses 2, C wins 2 and 4.
    a = "KcQd7c / JcJdTh8c6d / AcAdTs9h5c"
    c = "AhQc8d / QhQs9s6h5h / KdKhJsTc7h"
    settlement = settle(ChinesePoker(point=333), a, BEATEN, c)
    assert settlement.rake == {1: 33, 3: 99}
    assert settlement.net == {1: 666 - 33, 2: -2664, 3: 1998 - 99}


def test_no_rake_in_tournaments() -> None:
    game = ChinesePoker(point=333, tournament=True)
    settlement = settle(game, WINNING["high card, pair, pair"], BEATEN)
    assert settlement.rake == {}
    assert settlement.net == {1: 1332, 2: -1332}


def test_there_is_no_banker() -> None:
    state = opened(PLAIN, MINOR["none"], MAJOR["none"])
    with pytest.raises(Unreadable, match="no banker"):
        PLAIN.open(state.stakes, state.cards, ThirteenContext(banker=1))
