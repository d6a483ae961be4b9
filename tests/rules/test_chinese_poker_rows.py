"""Chinese poker: the order of rows, and which arrangements are fouls."""

from itertools import pairwise

import pytest

from games.rules.cards import parse_cards
from games.rules.poker import Category
from games.rules.thirteen.chinese_poker import ChinesePoker
from tests.rules.thirteen_table import duel, opened, read_hand

PLAIN = ChinesePoker(point=1)
RESIDUAL_TIE = ChinesePoker(point=1, residual_tie=True)

# Rows of five from the highest to the lowest: each beats the one that follows it.
FIVES = {
    "royal flush in spades": "TsJsQsKsAs",
    "royal flush in hearts": "ThJhQhKhAh",
    "royal flush in clubs": "TcJcQcKcAc",
    "royal flush in diamonds": "TdJdQdKdAd",
    "king-high straight flush in spades": "9sTsJsQsKs",
    "king-high straight flush in diamonds": "9dTdJdQdKd",
    "six-high straight flush in diamonds": "2d3d4d5d6d",
    "lowest straight flush in spades": "As2s3s4s5s",
    "lowest straight flush in hearts": "Ah2h3h4h5h",
    "lowest straight flush in clubs": "Ac2c3c4c5c",
    "lowest straight flush in diamonds": "Ad2d3d4d5d",
    "four aces": "AsAhAcAd2c",
    "four kings": "KsKhKcKdAc",
    "four twos": "2s2h2c2dAs",
    "aces full of kings": "AsAhAcKdKh",
    "aces full of twos": "AdAhAc2s2h",
    "kings full of aces": "KdKhKcAsAh",
    "twos full of aces": "2s2h2cAsAh",
    "ace-king-queen-jack-nine flush in spades": "AsKsQsJs9s",
    "ace-king-queen-jack-nine flush in hearts": "AhKhQhJh9h",
    "ace-king-queen-jack-nine flush in clubs": "AcKcQcJc9c",
    "ace-king-queen-jack-nine flush in diamonds": "AdKdQdJd9d",
    "flush with the last rank lower, though in spades": "AsKsQsJs8s",
    "flush with the second rank lower": "AsQsJs9s8s",
    "seven-five-four-three-two flush": "7d5d4d3d2d",
    "highest straight, ace of spades": "AsKdQdJdTc",
    "highest straight, ace of hearts": "AhKsQsJsTs",
    "highest straight, ace of clubs": "AcKsQsJsTs",
    "highest straight, ace of diamonds": "AdKsQsJsTs",
    "king-high straight, king of diamonds": "KdQdJdTd9c",
    "six-high straight, six of spades": "6s5d4d3d2d",
    "six-high straight, six of diamonds": "6d5s4s3s2s",
    "lowest straight, five of spades and ace of diamonds": "Ad2d3d4d5s",
    "lowest straight, five of hearts and ace of spades": "As2s3s4s5h",
    "lowest straight, five of clubs": "As2s3s4s5c",
    "lowest straight, five of diamonds": "As2s3s4s5d",
    "three aces": "AdAcAh3d2d",
    "three kings": "KdKcKhAsQs",
    "three twos": "2d2c2hAsKs",
    "aces and kings, fifth card a queen of spades": "AcAdKcKdQs",
    "aces and kings, fifth card a queen of hearts": "AsAhKsKhQh",
    "aces and kings, fifth card a queen of clubs": "AsAhKsKhQc",
    "aces and kings, fifth card a queen of diamonds": "AsAhKsKhQd",
    "aces and kings, fifth card a jack of spades": "AsAhKsKhJs",
    "aces and queens": "AsAhQsQhKs",
    "fours and twos": "4d4c2d2c3d",
    "threes and twos": "3s3h2s2hAs",
    "aces with king, five, four, the king of diamonds": "AcAdKd5c4c",
    "aces with king, three, two, the king of spades": "AcAdKs3c2c",
    "aces with king, three, two, the king of hearts": "AsAdKh3s2s",
    "aces with king, three, two, the king of clubs": "AsAhKc3s2s",
    "aces with king, three, two, the king of diamonds": "AsAhKd3s2s",
    "aces with queen, jack, ten": "AsAhQsJsTs",
    "twos with ace, king, queen": "2s2hAsKsQs",
    "high card ace, king, queen, jack, nine, the ace of diamonds": "AdKcQcJc9s",
    "high card ace, king, queen, jack, eight, the ace of spades": "AsKdQdJd8d",
    "high card ace, king, queen, jack, eight, the ace of hearts": "AhKsQsJs8s",
    "high card ace, king, queen, jack, eight, the ace of clubs": "AcKsQsJs8s",
    "high card ace, king, queen, jack, eight, the ace of diamonds": "AdKsQsJs8s",
    "high card seven": "7s5h4s3s2s",
}
# Rows of three; the rows of one suit and of neighbours are nothing but their high card.
THREES = {
    "three aces in front": "AsAcAd",
    "three twos in front": "2s2c2d",
    "aces in front with a two": "AcAd2d",
    "kings in front with ace of spades": "KcKdAs",
    "kings in front with ace of diamonds": "KsKhAd",
    "kings in front with a queen": "KsKhQs",
    "twos in front with a three": "2c2d3d",
    "ace-king-queen in front, all of spades": "AsKsQs",
    "ace-king-queen in front, ace of hearts": "AhKsQs",
    "ace-king-jack in front": "AsKsJs",
    "king-queen-jack in front, all of hearts": "KhQhJh",
    "five-three-two in front": "5s3s2s",
    "four-three-two in front, all of spades": "4s3s2s",
}


def order(game: ChinesePoker, text: str) -> int:
    return game.rank_row(parse_cards(text)).order


def neighbours(rows: dict[str, str]) -> list[object]:
    return [
        pytest.param(rows[higher], rows[lower], id=f"{higher} over {lower}")
        for higher, lower in pairwise(rows)
    ]


@pytest.mark.parametrize(("higher", "lower"), neighbours(FIVES))
def test_rows_of_five_rank_from_royal_flush_to_high_card(higher: str, lower: str) -> None:
    assert order(PLAIN, higher) > order(PLAIN, lower)


@pytest.mark.parametrize(("higher", "lower"), neighbours(THREES))
def test_rows_of_three_rank_as_trips_pair_or_high_card(higher: str, lower: str) -> None:
    assert order(PLAIN, higher) > order(PLAIN, lower)


@pytest.mark.parametrize(
    ("row", "category"),
    [
        pytest.param("AsKsQs", Category.HIGH_CARD, id="no straight flush in front"),
        pytest.param("9s5s2s", Category.HIGH_CARD, id="no flush in front"),
        pytest.param("AsKdQh", Category.HIGH_CARD, id="no straight in front"),
        pytest.param("KsKdQh", Category.PAIR, id="a pair in front"),
        pytest.param("KsKdKh", Category.THREE, id="three of a kind in front"),
        pytest.param("AsKsQsJsTs", Category.ROYAL_FLUSH, id="royal flush is its own category"),
        pytest.param("KsAs2s3s4s", Category.FLUSH, id="no straight runs round the ace"),
    ],
)
def test_category(row: str, category: Category) -> None:
    assert PLAIN.rank_row(parse_cards(row)).category is category


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        pytest.param("KcKs9d5h3d", "KdKh9s", id="K-K-9-5-3 over K-K-9, whose suits are higher"),
        pytest.param("KdKh9s", "KcKs8d7h6d", id="K-K-9 over K-K-8-7-6"),
        pytest.param("AcKd4c3d2c", "AsKs4s", id="A-K-4-3-2 over A-K-4"),
        pytest.param("AsKsQs", "AcKdJcTd9c", id="A-K-Q over A-K-J-T-9"),
        pytest.param("3c3d3h", "2s2c2dAsKs", id="three threes in front over three twos behind"),
        pytest.param("2c3d4c5d6c", "AsAhAd", id="a straight behind over three aces in front"),
    ],
)
def test_a_row_of_three_against_a_row_of_five(higher: str, lower: str) -> None:
    assert order(PLAIN, higher) > order(PLAIN, lower)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        pytest.param("AcAdKs3c2c", "AsAhKh3s2s", id="pair"),
        pytest.param("AcAdKcKdQs", "AsAhKsKhQh", id="two pair"),
        pytest.param("AsKdQdJd8d", "AhKsQsJs8s", id="high card"),
        pytest.param("KcKdAs", "KsKhAd", id="pair in front"),
    ],
)
def test_with_residual_tie_other_rows_of_equal_ranks_tie(higher: str, lower: str) -> None:
    assert order(PLAIN, higher) > order(PLAIN, lower)
    assert order(RESIDUAL_TIE, higher) == order(RESIDUAL_TIE, lower)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        pytest.param("AsKdQdJdTc", "AhKsQsJsTs", id="straight"),
        pytest.param("As2s3s4s5h", "Ah2h3h4s5d", id="lowest straight"),
        pytest.param("AcKcQcJc9c", "AdKdQdJd9d", id="flush"),
        pytest.param("9sTsJsQsKs", "9hThJhQhKh", id="straight flush"),
        pytest.param("TcJcQcKcAc", "TdJdQdKdAd", id="royal flush"),
    ],
)
def test_with_residual_tie_suits_still_decide_straights_and_flushes(
    higher: str, lower: str
) -> None:
    assert order(RESIDUAL_TIE, higher) > order(RESIDUAL_TIE, lower)


def test_a_residual_tie_pays_nobody_for_the_row() -> None:
    # Middle and back have equal ranks, front A-Q-2 against A-J-3 does not: one row, one point more.
    first = "AcQd2c / 5c5d6c8d9c / 7c7dTcKdJc"
    second = "AhJd3s / 5s5h6s8h9s / 7s7hThKhJh"
    assert duel(RESIDUAL_TIE, first, second) == 2
    # Where suits decide, hearts and spades take the other two rows.
    assert duel(PLAIN, first, second) == 1 - 2 - 1


LEGAL = {
    "three of a kind under four of a kind under a straight flush": (
        "QcQdQh / 7c7d7h7s2d / 2h3h4h5h6h",
        None,
    ),
    "king-king-nine under king-king-nine-five-three": (
        "KcKd9c / KhKs9d5c3c / AcAdAh2c4c",
        None,
    ),
    "king-king-nine over king-king-eight": ("KcKd9c / KhKs8d5c3c / AcAd7h2c4c", "front_too_high"),
    "front a pair over no pair": ("2c2d3c / AsKsQd9s5h / 7c7d8s9c4h", "front_too_high"),
    "front three twos under three threes": ("2c2d2h / 3c3d3h5s6s / AsKsQsJs9s", None),
    "front three threes over three twos": ("3c3d3h / 2c2d2h5s6s / AsKsQsJs9s", "front_too_high"),
    "middle flush over back straight": ("2c4d6h / 2s4s6s8sTs / 5c6d7h8c9d", "middle_too_high"),
    "front too high is reported before middle too high": (
        "2c2d3c / AsKsQd9s5h / 7c6d4h3h2h",
        "front_too_high",
    ),
    "lowest straight in the middle": ("2h4d6h / Ac2s3s4s5s / 2c3c4c5c6d", None),
    "lowest straight in the back": ("2h4d6h / 2c3c4c5c6d / Ac2s3s4s5s", "middle_too_high"),
    "equal straights, the back's ace is of spades": (
        "2h4d6h / AhKsQsJsTs / AsKhQhJhTh",
        None,
    ),
    "equal straights, the middle's ace is of spades": (
        "2h4d6h / AsKhQhJhTh / AhKsQsJsTs",
        "middle_too_high",
    ),
    "equal high cards, the back's ace is of hearts": ("2c3d4h / AcKdQcJd9c / AhKsQhJs9h", None),
    "equal high cards, the middle's ace is of hearts": (
        "2c3d4h / AhKsQhJs9h / AcKdQcJd9c",
        "middle_too_high",
    ),
}


@pytest.mark.parametrize(("text", "code"), LEGAL.values(), ids=LEGAL)
def test_back_over_middle_over_front(text: str, code: str | None) -> None:
    assert foul_code(PLAIN, text) == code


@pytest.mark.parametrize(
    "text", ["2c3d4h / AcKdQcJd9c / AhKsQhJs9h", "2c3d4h / AhKsQhJs9h / AcKdQcJd9c"]
)
def test_with_residual_tie_equal_middle_and_back_are_a_foul(text: str) -> None:
    assert foul_code(RESIDUAL_TIE, text) == "middle_too_high"


def test_a_foul_is_shown_at_the_end() -> None:
    texts = ["2h4d6h / AsKhQhJhTh / AhKsQsJsTs", "2c3d5c / 6c6d7c8d9c / TcTdJcQdKc"]
    state = opened(PLAIN, *texts)
    for seat, text in enumerate(texts, start=1):
        state = PLAIN.apply(state, seat, read_hand(text).arranged)
    assert [shown.foul for shown in PLAIN.view(state, None).shown] == [True, False]


def foul_code(game: ChinesePoker, text: str) -> str | None:
    rows = [game.rank_row(parse_cards(row)) for row in text.split("/")]
    refusal = game.out_of_order(rows)
    return refusal.code if refusal else None
