"""The thirteen-card games: what a row is, which of two rows is higher, and which rows are a foul.

Philippine thirteen cards reads rows as Hong Kong's does.
"""

from itertools import combinations

from games.rules.cards import parse_cards
from games.rules.thirteen.banking import ThirteenHongkong
from games.rules.thirteen.chinese_poker import ChinesePoker
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.showdown import compare_rows
from games.rules.thirteen.taiwan import ThirteenTaiwan
from tests.rules.cases import each
from tests.rules.thirteen_table import duel, opened, read_hand

CHINESE = ChinesePoker(point=1)
RESIDUAL_TIE = ChinesePoker(point=1, residual_tie=True)
HONGKONG = ThirteenHongkong()
TAIWAN = ThirteenTaiwan()
FUJIAN = ThirteenFujian()

# In each line from the highest row to the lowest: each beats all that follow it.
CHINESE_ORDER = """
TsJsQsKsAs ThJhQhKhAh TcJcQcKcAc TdJdQdKdAd 9sTsJsQsKs 9dTdJdQdKd 2d3d4d5d6d As2s3s4s5s
As2s3s4s5s Ah2h3h4h5h Ac2c3c4c5c Ad2d3d4d5d AsAhAcAd2c
AsAhAcAd2c KsKhKcKdAc 2s2h2c2dAs AsAhAcKdKh AdAhAc2s2h KdKhKcAsAh 2s2h2cAsAh AsKsQsJs9s
AsKsQsJs9s AhKhQhJh9h AcKcQcJc9c AdKdQdJd9d AsKsQsJs8s AsQsJs9s8s 7d5d4d3d2d AsKdQdJdTc
AsKdQdJdTc AhKsQsJsTs AcKsQsJsTs AdKsQsJsTs KdQdJdTd9c 6s5d4d3d2d 6d5s4s3s2s Ad2d3d4d5s
Ad2d3d4d5s As2s3s4s5h As2s3s4s5c As2s3s4s5d AdAcAh3d2d
AdAcAh3d2d KdKcKhAsQs 2d2c2hAsKs AcAdKcKdQs AsAhKsKhQh AsAhKsKhQc AsAhKsKhQd AsAhKsKhJs
AsAhKsKhJs AsAhQsQhKs 4d4c2d2c3d 3s3h2s2hAs AcAdKd5c4c AcAdKs3c2c
AcAdKs3c2c AsAdKh3s2s AsAhKc3s2s AsAhKd3s2s AsAhQsJsTs 2s2hAsKsQs AdKcQcJc9s AsKdQdJd8d
AsKdQdJd8d AhKsQsJs8s AcKsQsJs8s AdKsQsJs8s 7s5h4s3s2s
AsAcAd 2s2c2d AcAd2d KcKdAs KsKhAd KsKhQs 2c2d3d AsKsQs AhKsQs AsKsJs KhQhJh 5s3s2s 4s3s2s
KcKs9d5h3d KdKh9s KcKs8d7h6d
AsKsQs AcKdJcTd9c AcKd4c3d2c AsKs4s
2c3d4c5d6c AsAhAd 3c3d3h 2s2c2dAsKs
"""
# Where a residual tie is one, suits still decide straights and flushes.
RESIDUAL_TIE_ORDER = """
TcJcQcKcAc TdJdQdKdAd 9sTsJsQsKs 9hThJhQhKh
AcKcQcJc9c AdKdQdJd9d
AsKdQdJdTc AhKsQsJsTs
As2s3s4s5h Ah2h3h4s5d
"""
HONGKONG_ORDER = """
TdJdQdKdAd Ad2d3d4d5d 9sTsJsQsKs 2s3s4s5s6s AsAhAcAd2c 2s2h2c2dAs AsAhAc2s2h 2s2h2cAsAh
2s2h2cAsAh AdKdQdJd9d AsKsQsJs8s TcJdQdKdAd Ac2d3d4d5d 9sTsJsQsKh 2s3s4s5s6h AsAhAc3d2d
AsAhAc3d2d 2s2h2cAsKs AcAdKcKdQd AsAhKsKhJs AsAhQsQhKs 3s3h2s2hAs AcAdKd5c4c AsAhKs5s3s
AsAhKs5s3s 2s2hAsKsQs AdKdQdJd9c AsKsQsJs8h 7s5h4s3s2s
"""
TAIWAN_ORDER = """
2s3s4s5s6s 2s2d2h2c3s 2s2d2h3s3c 2s3s4s5s7s 2s3d4h5s6c 2s2d2h3s4c 2s2d3s3d4c 2s2d3h4s5c AsKdQhJs9c
AsAd2h KsKd2h QsQdAh JsJdAh TsTdAh 9s9dAh 8s8d2h 7s7d2h 6s6d2h 5s5d2h 4s4d2h 3s3d2h 2s2d3h
AsKdQh9s2c AsKdQh8s6c AsKdQh8s5c AsKdQh7s5c AsKdJhTs9d
KsKdTh3s2c KsKd9h4s2c KsKd9h3s2c KsKd9h
TsJdQhKsAc As2d3h4s5c 9sTdJhQsKc 8s9dThJsQc 2s3d4h5s6c
TsJsQsKsAs As2s3s4s5s 9sTsJsQsKs 2s3s4s5s6s
KsKdKh3s3c KsKdKh2s2c 3s3d3h2s2c 2s2d2hAsAc
"""
# The main rank, then real before wild, then kickers; of straights and flushes all points come
# before that. Some are the examples as they are printed.
FUJIAN_ORDER = """
4c4d4h4sBJ TsJsQsKsAs AsAdAhAcKs AsAdAhKsKd AsKsQsJs9s TsJdQhKsAc AsAdAhKsQd AsAdKhKsQd
AsAdKhKsQd AsAdKhQsJd AsKdQhJs9c
AcAd2h KcKdAh QcQdAh JcJdAh TcTdAh 9c9dAh 8c8dAh 7c7dAh 6c6dAh 5c5dAh 4c4dAh 3c3dAh 2c2dAh
TsJsQsKsAs TdJdQdKdBJ 7h8h9hThJh
AcAdAhAs2c AcAdAhBJKc 3c3d3h3s2c 3c3d3hBJAs 3c3dBJRJAs
AcAdAhAs2c AcAdAhBJ2c 3c3d3h3s2c 3c3d3hBJ2c 3c3dBJRJ2c
5c5d5hBJRJ 4c4d4h4sBJ 4c4d4hBJRJ
AsAdKhKsBJ KsKdKh2s2c KcKhQsQdBJ KcKhJsJdBJ
8s8dBJ3c2d 7s7d7h3c2d 7c7sBJAcQd 7c7sBJAcJd
AsBJ9d7h6c KsKd4h3s2c KhBJQdJc8s KhBJQdJc7s QsQdAhJc9s
AsBJRJ KsKdKh KsKdBJ AsAd2c AsBJKd AsBJQd KsKdQh
TsJdQhKsAc TsJdQhKsBJ As2d3h4s5c As2d3h4sBJ 9sTdJhQsKc 9sTdJhKsRJ 8sTdJhQsBJ
KdQd9d5dBJ AsKsTs5s3s AsKs9s5s3s Kd9d5d3dBJ AhKh9h5h2h
AsKs9s5s3s AsKs9s5s2s AsKs9s4s3s AsKs8s7s6s KsQsJsTs8s
AhQh9h5hBJ AsKsQsJs9s
2c3c4c5cBJ AsKdQhJsTc
KsKd9h5c3s KcKh9s KsKd8h5c3s
"""


@each(
    (CHINESE, CHINESE_ORDER),  # Chinese poker
    (RESIDUAL_TIE, RESIDUAL_TIE_ORDER),  # residual tie
    (HONGKONG, HONGKONG_ORDER),  # Hong Kong
    (TAIWAN, TAIWAN_ORDER),  # Taiwan
    (FUJIAN, FUJIAN_ORDER),  # Fujian
)
def test_which_row_is_higher(game: ThirteenGame, ladders: str) -> None:
    for ladder in ladders.strip().splitlines():
        for high, low in combinations(ladder.split(), 2):
            values = [game.rank_row(parse_cards(row)) for row in (high, low)]
            assert (compare_rows(*values), compare_rows(*values[::-1])) == (1, -1), (high, low)


@each(
    # Of equal ranks: a pair, two pair, high cards, a pair in front.
    (RESIDUAL_TIE, "AcAdKs3c2c=AsAhKh3s2s AcAdKcKdQs=AsAhKsKhQh AsKdQdJd8d=AhKsQsJs8s"),
    (RESIDUAL_TIE, "KcKdAs=KsKhAd"),
    # Suits do not count, nor which of the jokers it is; two wild rows of the same points draw.
    (FUJIAN, "AsKs9s5s3s=AhKh9h5h3h TsJdQhKsAc=TdJhQsKcAd KsBJ9h=KdRJ9c"),
    (FUJIAN, "9hTdJsQcBJ=9cThJdQsRJ TsJsQsKsBJ=TdJdQdKdRJ KsKdQhQsBJ=KhKcQcQdRJ"),
    # A joker prefers the ace below to the six above.
    (FUJIAN, "3c3dBJAs7d=3h3sRJAd7c 2c3d4h5sBJ=As2d3h4sRJ"),
)
def test_which_rows_draw(game: ThirteenGame, pairs: str) -> None:
    for pair in pairs.split():
        value, other = (game.rank_row(parse_cards(row)) for row in pair.split("="))
        assert compare_rows(value, other) == compare_rows(other, value) == 0, pair


@each(
    # No straights and flushes in front, and none round the ace.
    (CHINESE, "high_card", "AsKsQs 9s5s2s AsKdQh"),
    (CHINESE, "pair", "KsKdQh"),
    (CHINESE, "three", "KsKdKh"),
    (CHINESE, "flush", "KsAs2s3s4s"),
    (CHINESE, "royal_flush", "AsKsQsJsTs"),
    (HONGKONG, "high_card", "AsKsQs 9s5s2s 4c3d2h"),
    # A joker makes the highest row it can.
    (FUJIAN, "pair", "2c9dBJ 2s5d9hKcBJ"),
    (FUJIAN, "three", "9c9dBJ 2cBJRJ 2s2d5h9cBJ 2c5d9hBJRJ"),
    (FUJIAN, "straight", "As2d3h4cBJ 2s3d5hBJRJ"),
    (FUJIAN, "flush", "2c5c9cKcBJ 2c7cKcBJRJ"),
    (FUJIAN, "full_house", "KsKdQhQsBJ"),
    (FUJIAN, "four", "2s2d2hBJ9c 5c5d9hBJRJ"),
    (FUJIAN, "straight_flush", "2c3c4c5cBJ 2c3c4cBJRJ TcJcQcKcBJ"),
    (FUJIAN, "five", "5c5d5hBJRJ 4c4d4h4sBJ"),
)
def test_the_category_of_a_row(game: ThirteenGame, category: str, rows: str) -> None:
    for row in rows.split():
        assert game.rank_row(parse_cards(row)).category.name.lower() == category, row


# Rows that are in order, and rows of which something is reported, of the front first.
ARRANGED = {
    CHINESE: """
QcQdQh / 7c7d7h7s2d / 2h3h4h5h6h : in order
KcKd9c / KhKs9d5c3c / AcAdAh2c4c : in order
2c2d2h / 3c3d3h5s6s / AsKsQsJs9s : in order
2h4d6h / Ac2s3s4s5s / 2c3c4c5c6d : in order
2h4d6h / AhKsQsJsTs / AsKhQhJhTh : in order
2c3d4h / AcKdQcJd9c / AhKsQhJs9h : in order
KcKd9c / KhKs8d5c3c / AcAd7h2c4c : front_too_high
2c2d3c / AsKsQd9s5h / 7c7d8s9c4h : front_too_high
3c3d3h / 2c2d2h5s6s / AsKsQsJs9s : front_too_high
2c2d3c / AsKsQd9s5h / 7c6d4h3h2h : front_too_high
2c4d6h / 2s4s6s8sTs / 5c6d7h8c9d : middle_too_high
2h4d6h / 2c3c4c5c6d / Ac2s3s4s5s : middle_too_high
2h4d6h / AsKhQhJhTh / AhKsQsJsTs : middle_too_high
2c3d4h / AhKsQhJs9h / AcKdQcJd9c : middle_too_high
""",
    RESIDUAL_TIE: """
2c3d4h / AcKdQcJd9c / AhKsQhJs9h : middle_too_high
2c3d4h / AhKsQhJs9h / AcKdQcJd9c : middle_too_high
""",
    HONGKONG: """
2c3d5c / 6c6d7c8d9c / TcTdJcQdKc : in order
2c3d4h / AcKdQcJd9c / AhKsQhJs9h : in order
AcAd5c / ThJhQhKhAh / TsJsQsKsAs : in order
2c3d4h / 9cTdJcQdKc / As2h3h4s5h : in order
AcAd3c / 6c6d7c8d9c / TcTdJcQdKc : front_too_high
2c3d4h / TcTdJcQdKc / 6c6d7c8d9c : middle_too_high
2c3d4h / As2h3h4s5h / 9cTdJcQdKc : middle_too_high
""",
    TAIWAN: """
KsKd9h / KcKh9s5c3s / AsAdAhAcQs : in order
AsKdQh / AdKsQd5h4c / 2s2d3h4s5c : in order
TsJsQs / 2s2d3h4s5c / 2h2c3s4c6c : in order
2s3d5h / AsKd9h5s3c / AdKs9c5d3h : in order
2s3d5h / 9sTdJhQsKc / Ah2h3h4s5c : in order
KsKd9h / KcKh8s5c3s / AsAdAhAcQs : front_too_high
AsKdQh / KsQdJh9s8c / 2s2d3h4s5c : front_too_high
2s2d3h / AdKsQdTh9c / 3s3d3c4s5c : front_too_high
5s5d5h / 4s4d4h4cAc / 9s8s7s6s2s : middle_too_high
2s3d5h / AsKd9h5s4c / AdKs9c5d3h : middle_too_high
2s3d5h / Ah2h3h4s5c / 9sTdJhQsKc : middle_too_high
""",
    FUJIAN: """
2c2d5h / 3c4d5s6h7s / 8c8d8hKcKd : in order
2c3d5h / AsKdQhJs9c / AdKhQcJd9s : in order
BJ5s9d / AcRJ9h8d2c / AsAdAhKcKd : in order
AsBJ9d / AcAdKh8d2c / AhRJQdTcTd : in order
9c9d9h / 8c8dKs4d2c / TcTdJhJsQc : front_too_high
AsAdAh / AcBJRJ9d5c / 2c2d2h3c3d : front_too_high
2c2d5h / 8c8d8hKcKd / 3c4d5s6h7s : middle_too_high
4c6dKs / 4d4h4sBJRJ / 9c9d9h9sAc : middle_too_high
""",
}


@each(*ARRANGED.items())
def test_the_front_is_below_the_middle_and_the_middle_not_above_the_back(
    game: ThirteenGame, hands: str
) -> None:
    for line in hands.strip().splitlines():
        hand, _, expected = line.partition(" : ")
        foul = game.out_of_order([game.rank_row(parse_cards(row)) for row in hand.split("/")])
        assert (foul.code if foul else "in order") == expected, line


def test_a_residual_tie_pays_nobody_for_the_row() -> None:
    # Middle and back have equal ranks, front A-Q-2 against A-J-3 does not: one row, one point more.
    first = "AcQd2c / 5c5d6c8d9c / 7c7dTcKdJc"
    second = "AhJd3s / 5s5h6s8h9s / 7s7hThKhJh"
    assert duel(RESIDUAL_TIE, first, second) == 2
    # Where suits decide, hearts and spades take the other two rows.
    assert duel(CHINESE, first, second) == 1 - 2 - 1


def test_a_foul_is_shown_at_the_end() -> None:
    texts = ["2h4d6h / AsKhQhJhTh / AhKsQsJsTs", "2c3d5c / 6c6d7c8d9c / TcTdJcQdKc"]
    state = opened(CHINESE, *texts)
    for seat, text in enumerate(texts, start=1):
        arranged = read_hand(text).arranged
        assert arranged is not None
        state = CHINESE.apply(state, seat, arranged)
    assert [shown.foul for shown in CHINESE.view(state, None).shown] == [True, False]
