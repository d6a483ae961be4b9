"""What rows, fouls and special hands cost in Chinese poker, Hong Kong and the Philippines.

Of two hands the first is in seat 1; the second is in seat 2, which has the button or the bank.
"""

import pytest

from games.rules.errors import Unreadable
from games.rules.thirteen.banking import ThirteenHongkong, ThirteenPhilippine
from games.rules.thirteen.chinese_poker import ChinesePoker
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import Arrange, Bet, ThirteenContext
from tests.rules.cases import each, every, illegal, unreadable
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
CHINESE: list[ThirteenGame] = [PLAIN, PLAIN_NO_PREMIUM, BONUS, BONUS_NO_PREMIUM]
HONGKONG = ThirteenHongkong(bet_min=1)
EATS = ThirteenHongkong(bet_min=1, banker_eats_ties=True)
PHILIPPINE = ThirteenPhilippine(bet_min=1)
BANKED: list[ThirteenGame] = [HONGKONG, EATS, PHILIPPINE]
GAMES = [*CHINESE, *BANKED]

# What hands that win all three rows get for them where rows have prices; no price is one point.
PRICES = {
    "high card, pair, pair": (0, 0, 0),
    "front trips": (3, 0, 0),
    "middle full house": (0, 2, 0),
    "middle and back four": (0, 8, 4),
    "middle and back straight flush": (0, 10, 5),
    "back full house": (0, 0, 0),
    "back four": (0, 0, 4),
    "back straight flush": (0, 0, 5),
    "trips and two straight flushes": (3, 10, 5),
}
ROYAL_PRICES = {"middle and back royal flush": (0, 14, 7), "back royal flush": (0, 0, 7)}
# Where a royal flush is none, it is a straight flush to the ace.
PRICES_BANKED = {"middle and back royal flush": (0, 10, 5), "back royal flush": (0, 0, 5)}


def prices_at(game: ThirteenGame) -> dict[str, tuple[int, int, int]]:
    if isinstance(game, ChinesePoker):
        prices = PRICES | ROYAL_PRICES
        return prices if game.table == "bonus" else dict.fromkeys(prices, (0, 0, 0))
    return PRICES | PRICES_BANKED


def has_extra_point(game: ThirteenGame, prices: tuple[int, int, int]) -> bool:
    """Who wins more rows gets one point more: at plain tables, or where no row has a premium."""
    if not isinstance(game, ChinesePoker):
        return False
    return game.table == "plain" or (game.extra_point == "no_premium" and not any(prices))


@every(game=GAMES)
def test_three_rows_won(game: ThirteenGame) -> None:
    for name, prices in prices_at(game).items():
        points = sum(price or 1 for price in prices) + has_extra_point(game, prices)
        assert duel(game, WINNING[name], BEATEN, button=2) == points, name
        assert duel(game, BEATEN, WINNING[name], button=2) == -points, name


FALSE = f"dragon: {BEATEN.replace(' / ', '')}"


@every(game=GAMES, foul=[BEATEN_FOUL, FALSE])
def test_a_foul_loses(game: ThirteenGame, foul: str) -> None:
    """In Chinese poker three points and the premiums, elsewhere each row at its price."""
    for name, prices in prices_at(game).items():
        owed = sum(price or 1 for price in prices)
        if isinstance(game, ChinesePoker):
            owed = 3 + sum(prices)
        assert duel(game, foul, WINNING[name], button=2) == -owed, name
        assert duel(game, WINNING[name], foul, button=2) == owed, name


@each(
    (BONUS, [("foul", 3), *(("foul_royalty", price) for price in (3, 10, 5))]),
    (HONGKONG, [("foul_row", price) for price in (3, 10, 5)]),
)
def test_a_foul_says_what_it_owes(game: ThirteenGame, lines: list[tuple[str, int]]) -> None:
    settlement = settle(game, WINNING["trips and two straight flushes"], BEATEN_FOUL)
    assert reasons(settlement, 1, 2) == lines


@every(game=GAMES, mine=["foul", "false"], theirs=["foul", "false"])
def test_two_fouls_exchange_nothing(game: ThirteenGame, mine: str, theirs: str) -> None:
    settlement = settle(game, MINOR[mine], MAJOR[theirs], button=2)
    assert (passed(settlement, 1, 2), reasons(settlement, 1, 2)) == (0, [])


def test_a_foul_pays_each_opponent() -> None:
    others = (WINNING["back four"], "2s3h4h / 5h6h7h8h9h / 9sTsJsQsKs")
    settlement = settle(BONUS, BEATEN_FOUL, *others)
    # Three to each, with four for the back, with 10 and 5 for the straight flushes.
    assert [passed(settlement, 2, 1), passed(settlement, 3, 1)] == [7, 18]


def test_a_false_declaration_is_a_foul_though_its_rows_are_in_order() -> None:
    state = opened(PLAIN, MINOR["none"], MAJOR["none"])
    rows = read_hand(MINOR["none"]).arranged
    assert rows is not None
    state = PLAIN.apply(state, 1, Arrange(*rows.rows, declare=Natural.SIX_PAIRS))
    state = PLAIN.apply(state, 2, PLAIN.fallback(state, 2))
    assert PLAIN.settle(state).net[1] == -3


# The first loses its front to `BEATEN`, and wins the others.
TWO_OF_THREE = "2s3h4h / JcJdTh8c6d / AcAdTs9h5c"
TWO_WITH_FOUR = "2s3h4h / JcJdTh8c6d / AcAdAhAs5c"
ONE_WITH_FOUR = "2s3h4h / 6h7h9s5h3s / AcAdAhAs5c"
TWO_ROWS = "KcQd7c / JcJdTh8c6d / QcQs9h8h5s"


@each(
    (PLAIN, TWO_OF_THREE, BEATEN, 2),
    (BONUS, TWO_OF_THREE, BEATEN, 1),
    (PLAIN_NO_PREMIUM, TWO_OF_THREE, BEATEN, 2),
    (BONUS_NO_PREMIUM, TWO_OF_THREE, BEATEN, 2),
    (HONGKONG, TWO_OF_THREE, BEATEN, 1),
    (PLAIN, TWO_WITH_FOUR, BEATEN, 2),
    (BONUS, TWO_WITH_FOUR, BEATEN, -1 + 1 + 4),
    (BONUS_NO_PREMIUM, TWO_WITH_FOUR, BEATEN, 4),
    # A premium of the one who wins fewer rows counts.
    (PLAIN, TWO_ROWS, ONE_WITH_FOUR, 1 + 1 - 1 + 1),
    (BONUS, TWO_ROWS, ONE_WITH_FOUR, 1 + 1 - 4),
    (BONUS_NO_PREMIUM, TWO_ROWS, ONE_WITH_FOUR, 1 + 1 - 4),
)
def test_two_of_three_rows_won(game: ThirteenGame, first: str, second: str, points: int) -> None:
    assert duel(game, first, second) == points
    assert duel(game, second, first) == -points


@every(game=[BONUS, HONGKONG])
def test_a_dear_row_that_loses_costs_the_price_of_the_row_above_it(game: ThirteenGame) -> None:
    aces, twos = "KcQd7c / JcJdTh8c6d / AcAdAhAs5c", "JsQh7h / 9c9d6s4c3d / 2c2d2h2s5d"
    assert row_results(settle(game, aces, twos), 1, 2) == {"front": 1, "middle": 1, "back": 4}


@each(
    (BONUS, (), [("row", 1), ("row", 1), ("royalty", 4)]),
    (PLAIN, (), [("row", 1), ("row", 1), ("row", 1), ("extra_point", 1)]),
    (HONGKONG, (7,), [("row", 7), ("row", 7), ("royalty", 28)]),
)
def test_a_row_won_with_a_premium_says_so(
    game: ThirteenGame, bets: tuple[int, ...], lines: list[tuple[str, int]]
) -> None:
    settlement = settle(game, WINNING["back four"], BEATEN, bets=bets)
    assert reasons(settlement, 1, 2) == lines


# Naturals

# What the natural of a line gets from each natural in the same order, and from any other hand.
CHINESE_NATURALS = {
    "thirteen_suited": (0, 13, 13, 13, 13, 13, 13, 13),
    "dragon": (-13, 0, 13, 13, 13, 13, 13, 13),
    "twelve_one": (-13, -13, 0, 8, 8, 8, 8, 8),
    "trips_five_pairs": (-13, -13, -8, 0, 4, 4, 4, 4),
    "three_straights": (-13, -13, -8, -4, 0, 4, 4, 4),
    "three_flushes": (-13, -13, -8, -4, -4, 0, 3, 3),
    "six_pairs": (-13, -13, -8, -4, -4, -3, 0, 3),
}
# Elsewhere the banker pays a punter's special, whatever the banker has.
BANKED_NATURALS = {
    "pure_dragon": 13,
    "dragon": 13,
    "three_straights": 3,
    "three_flushes": 3,
    "six_pairs": 3,
}
OTHERS = ("none", "foul", "false")


@every(game=CHINESE, mine=CHINESE_NATURALS)
def test_a_natural_in_chinese_poker(game: ThirteenGame, mine: str) -> None:
    *against, other = CHINESE_NATURALS[mine]
    expected = dict(zip(CHINESE_NATURALS, against, strict=True)) | dict.fromkeys(OTHERS, other)
    for theirs, points in expected.items():
        settlement = settle(game, MINOR[mine], MAJOR[theirs])
        assert reasons(settlement, 1, 2) == ([("natural", points)] if points else []), theirs
        assert duel(game, MAJOR[theirs], MINOR[mine]) == -points, theirs


@every(game=BANKED, mine=BANKED_NATURALS)
def test_a_natural_against_a_banker_and_of_a_banker(game: ThirteenGame, mine: str) -> None:
    paid = 7 * BANKED_NATURALS[mine]
    bets = [7] if game is not PHILIPPINE else [7, 7, 7]
    for theirs in (*BANKED_NATURALS, *OTHERS):
        settlement = settle(game, MINOR[mine], MAJOR[theirs], bets=bets, button=2)
        assert reasons(settlement, 1, 2) == [("natural", paid)], theirs
    for theirs in OTHERS:
        assert duel(game, MAJOR[theirs], MINOR[mine], bets=bets, button=2) == -paid, theirs


def test_equal_naturals_tie_and_both_collect_from_the_others() -> None:
    hands = (MINOR["dragon"], MAJOR["dragon"], "2d3c4d / 5c6d7c8d9c / TdJcQdKcAd")
    assert settle(PLAIN, *hands).net == {1: 13, 2: 13, 3: -26}


@each((PLAIN, [("row", 1)] * 3 + [("extra_point", 1)]), (HONGKONG, [("row", 1)] * 3))
def test_a_natural_that_is_not_declared_plays_as_rows(
    game: ThirteenGame, lines: list[tuple[str, int]]
) -> None:
    six_pairs = "2c2d9c / 4c4d5c5d3c / 7c7d6c6d3d"
    assert game.holds_natural(Natural.SIX_PAIRS, read_hand(six_pairs).cards)
    assert reasons(settle(game, six_pairs, MAJOR["none"]), 1, 2) == lines


BLACK_BUT_ONE = "twelve_one: 2c4c6c8cTcQc3s5s7s9sJsKsAd"
LOW = "2h3d5h / 6h6d7h8d9h / ThTdJhQdKh"


@each(
    # Of one colour by default; by suit it is a false report.
    (PLAIN, BLACK_BUT_ONE, LOW, 8),
    (ChinesePoker(point=1, twelve="suit"), BLACK_BUT_ONE, LOW, -3),
    (PLAIN, BLACK_BUT_ONE.replace("Ad", "As"), LOW, 8),
    # Four of a kind are two pairs.
    (PLAIN, "six_pairs: 2c2d2h2s4c4d5c5d6c6d7c7d9c", "3h5h8h / TcTd9d8dJh / KcKdAcAdQc", 3),
    # Undeclared, it loses to any that is declared.
    (BONUS, SUITED["clubs"], MAJOR["six_pairs"], -3),
    (HONGKONG, "three_straights: 2c3d4c5d6c7d8c9dTcJdQcKdAc", MAJOR["none"], 3),
    # A price of its own for the green dragon, if it is declared as one.
    (ThirteenHongkong(bet_min=1, pure_dragon=100), MINOR["pure_dragon"], MAJOR["none"], 100),
    (
        ThirteenHongkong(bet_min=1, pure_dragon=100),
        MINOR["pure_dragon"].replace("pure_", ""),
        MAJOR["none"],
        13,
    ),
)
def test_what_counts_as_a_natural(game: ThirteenGame, first: str, second: str, points: int) -> None:
    assert duel(game, first, second) == points


@every(game=[PLAIN, HONGKONG])
def test_other_naturals_are_not_played(game: ThirteenGame) -> None:
    state = opened(game, MINOR["none"], MAJOR["none"])
    if game.bet_limits is not None:
        state = game.apply(state, 1, Bet(1))
    others = set(Natural) - set(game.naturals)
    assert others
    for natural in others:
        illegal("natural_not_played", game.apply, state, 1, Arrange(declare=natural))


# Ties

# Hands of clubs and diamonds that meet the same of hearts and spades, and what a banker who eats
# ties wins then: the price of the own row.
MIRRORED = {
    "2c3d5c / 6c6d7c8d9c / TcTdJcJdKc": 1 + 1 + 1,
    "2c2d3c / 3d5d7d9dJd / 4c6c8cTcQc": 1 + 1 + 1,
    "2c3d8c / 4c5d6c7d8d / 9cTdJcQdKc": 1 + 1 + 1,
    "7c8d9c / KcQdJcTd9d / Ac2d3c4d5c": 1 + 1 + 1,
    "QcKdAc / 2c3c4c5c6c / 7d8d9dTdJd": 1 + 10 + 5,
}
OTHER_SUITS = str.maketrans("cd", "hs")
PHILIPPINE_EATS = ThirteenPhilippine(bet_min=1, banker_eats_ties=True)


@each(*MIRRORED.items())
def test_rows_equal_but_for_suits(hand: str, eaten: int) -> None:
    mirrored = hand.translate(OTHER_SUITS)
    for punter, banker in ((hand, mirrored), (mirrored, hand)):
        assert settle(HONGKONG, punter, banker).lines == ()
        assert duel(EATS, punter, banker) == -eaten
    assert duel(PHILIPPINE, SUITED["clubs"], SUITED["spades"], button=2) == 0
    assert duel(PHILIPPINE_EATS, SUITED["clubs"], SUITED["spades"], button=2) == -16


# Punter, banker, and the rows as the punter sees them when ties draw and when they are eaten.
@each(
    # A pair with a higher kicker, the same straight, a flush with a lower second card.
    (
        "KhKsAh / 3h4s5h6s7h / 2sTsJsQs8s",
        "KcKd2c / 3c4d5c6d7c / 2d8d9dTdQd",
        (1, 0, 1),
        (-1, -1, -1),
    ),
    # Each with higher cards beside, of the punter and of the banker.
    (
        "AhKsQh / 6h6sAsKh9h / JhJsThTsKd",
        "Ac3d2c / 6c6d5d4c3c / JcJd8c8d2d",
        (1, 1, 1),
        (-1, -1, -1),
    ),
    (
        "Ac3d2c / 6c6d5d4c3c / JcJd8c8d2d",
        "AhKsQh / 6h6sAsKh9h / JhJsThTsKd",
        (-1, -1, -1),
        (-1, -1, -1),
    ),
    # A higher biggest point wins still; three of a kind, full house and four by their own rank.
    ("7h7s2h / 8h8sAs3h4h / QhQs3s3c4s", "5c5dAc / 6c6dKdQc9c / TcTdJcJd9d", (1, 1, 1), (1, 1, 1)),
    ("3c3d3h / TcTdTh2c2d / JcJdJhJs4c", "2h2s4h / 9c9d9hAcAd / 5c5d5h5sKc", (3, 2, 4), (3, 2, 4)),
    # A higher category wins still, and the straight to the ace over A-2-3-4-5.
    ("2h2s3h / 4h4s5h5s6h / 7h7s7d8h9s", "AcKdQc / AdAhKh8c6c / KcKsQdQhJc", (1, 1, 1), (1, 1, 1)),
    ("2h2s3h / 9h8s7h6s5h / TcJdQcKdAc", "7c8c9c / 9d8d7d6d5c / Ad2c3d4d5d", (1, 0, 1), (1, -1, 1)),
)
def test_a_banker_who_eats_ties_compares_category_and_biggest_point(
    punter: str, banker: str, drawn: tuple[int, ...], eaten: tuple[int, ...]
) -> None:
    for game, expected in ((HONGKONG, drawn), (EATS, eaten)):
        results = row_results(settle(game, punter, banker), 1, 2)
        assert tuple(results.get(row, 0) for row in ("front", "middle", "back")) == expected


# Who plays, and the rake


@each((PLAIN, "2 to 4", (1, 5)), (HONGKONG, "2 to 4", (1, 5)), (PHILIPPINE, "4 to 4", (3, 5)))
def test_how_many_play(game: ThirteenGame, words: str, counts: tuple[int, ...]) -> None:
    for count in counts:
        with pytest.raises(Unreadable, match=words):
            opened(game, *[BEATEN] * count)


@every(count=[2, 3, 4])
def test_two_to_four_meet_as_the_game_says(count: int) -> None:
    """Each each other in Chinese poker; the banker alone in Hong Kong, for each one's own bet."""
    hands = list(SUITED.values())[:count]
    settlement = settle(PLAIN, *hands)
    # Spades win all rows from the rest, hearts from clubs, and clubs from diamonds.
    pairs = [(first, second) for second in range(1, count + 1) for first in range(1, second)]
    assert [passed(settlement, *pair) for pair in pairs] == [4] * len(pairs)
    assert HONGKONG.to_act(opened(HONGKONG, *hands)) == frozenset(range(1, count))


@every(game=[HONGKONG, PHILIPPINE], banker=[1, 2, 3, 4])
def test_punters_are_compared_with_the_banker_only(game: ThirteenGame, banker: int) -> None:
    reports = [f"dragon: {hand.replace(' / ', '')}" for hand in SUITED.values()]
    punters = [seat for seat in (1, 2, 3, 4) if seat != banker]
    settlement = settle(game, *reports, button=banker, bets=punters)
    # Each bets as much as its seat's number, and the banker pays thirteen bets.
    assert [passed(settlement, seat, banker) for seat in punters] == [
        13 * punter for punter in punters
    ]
    assert not any(passed(settlement, punter, other) for punter in punters for other in punters)


# The printed example: A wins all rows from B; C the front and the middle from A, A the back; C all
# rows from B.
A, C = "KcQd7c / JcJdTh8c6d / AcAdTs9h5c", "AhQc8d / QhQs9s6h5h / KdKhJsTc7h"


def test_the_printed_example_of_three_players() -> None:
    settlement = settle(PLAIN, A, BEATEN, C)
    assert [passed(settlement, *pair) for pair in ((1, 2), (3, 1), (3, 2))] == [4, 2, 4]
    assert row_results(settlement, 1, 3) == {"front": -1, "middle": -1, "back": 1}
    # At 3.33 a point A wins 4 and loses 2, C wins 2 and 4; the rake is of what is left.
    settlement = settle(ChinesePoker(point=333), A, BEATEN, C)
    assert settlement.rake == {1: 33, 3: 99}
    assert settlement.net == {1: 666 - 33, 2: -2664, 3: 1998 - 99}


# 5% of 20 is 1, of 16 nothing, and of 1332 it is 66.6: it is rounded down. No rake in tournaments.
@each((5, False, 20, 1), (4, False, 16, 0), (333, False, 1332, 66), (333, True, 1332, 0))
def test_rake_in_chinese_poker(point: int, tournament: bool, won: int, rake: int) -> None:
    game = ChinesePoker(point=point, tournament=tournament)
    settlement = settle(game, WINNING["high card, pair, pair"], BEATEN)
    assert settlement.net == {1: won - rake, 2: -won}
    assert settlement.rake == ({1: rake} if rake else {})


def test_rake_is_taken_of_the_bankers_win_of_the_whole_hand() -> None:
    # The banker wins three rows at 700 from seat 1 and loses a dragon at 100 to seat 2.
    punter = "dragon: 2s3h4h5h6h7h8h9sTcJsQhKhAh"
    settlement = settle(HONGKONG, BEATEN, punter, WINNING["high card, pair, pair"], bets=[700, 100])
    assert settlement.net == {1: -2100, 2: 1300 - 65, 3: 800 - 40}
    assert settlement.rake == {2: 65, 3: 40}


def test_there_is_no_banker_in_chinese_poker() -> None:
    state = opened(PLAIN, MINOR["none"], MAJOR["none"])
    unreadable("no_banker", PLAIN.open, state.stakes, state.cards, ThirteenContext(banker=1))


def test_limits_that_leave_no_bet_are_refused() -> None:
    with pytest.raises(ValueError, match="smallest bet"):
        ThirteenHongkong(bet_min=2, bet_max=1)
