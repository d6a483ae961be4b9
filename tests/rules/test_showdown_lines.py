"""What the lines of a thirteen-card settlement tell: each value that a sentence is filled with."""

from games.rules.messages import SENTENCES
from games.rules.settlement import Line
from games.rules.thirteen.banking import ThirteenHongkong
from games.rules.thirteen.chinese_poker import ChinesePoker
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.game import ThirteenGame
from tests.rules.cases import each, every
from tests.rules.thirteen_table import settle

HONGKONG = ThirteenHongkong(bet_min=1, rake_bp=0)
CHINESE = ChinesePoker(point=1, rake_bp=0)
FUJIAN = ThirteenFujian(point=1, rake_bp=0)
STRONG = "AsAhKd / 9c9d8h8s7c / 2h2d2s5d5s"
WEAK = "QcJd9h / 7d7h5c4c3s / KcKhQdJs6d"
FOULED = "KcKhQd / 7d7h5c4c3s / QcJd9hJs6d"
ORDINARY = "QdJh9h / 7c7h5c4c3s / KcKhQcJs6d"
DRAGON = "dragon: 2c3d4h5s6c7d8h9sTcJdQhKsAc"


def lines(game: ThirteenGame, *shown: str) -> list[Line]:
    settlement = settle(game, *shown)
    return [line for line in settlement.lines if {line.source, line.target} == {1, 2}]


def keys_and_values(game: ThirteenGame, *shown: str) -> list[tuple[str, dict[str, int | str]]]:
    return [(line.key, line.values) for line in lines(game, *shown)]


@each(
    (HONGKONG, STRONG, WEAK, (2, 1, "rows")),  # rows
    (CHINESE, STRONG, WEAK, (2, 1, "rows")),  # rows in Chinese poker
    (HONGKONG, ORDINARY, DRAGON, (1, 2, "natural")),  # a natural
    (HONGKONG, STRONG, FOULED, (2, 1, "foul")),  # a foul, row by row
    (CHINESE, FOULED, STRONG, (1, 2, "foul")),  # a foul in Chinese poker
)
def test_a_transfer_says_what_was_compared(
    game: ThirteenGame, first: str, second: str, expected: tuple[int, int, str]
) -> None:
    transfers = [
        (transfer.source, transfer.target, transfer.reason)
        for transfer in settle(game, first, second).transfers
    ]
    assert [transfer for transfer in transfers if set(transfer[:2]) == {1, 2}] == [expected]


def test_a_row_line_tells_the_row_its_points_and_both_categories() -> None:
    row: dict[str, int | str] = {
        "row": "front",
        "points": 1,
        "winner": "pair",
        "loser": "high_card",
    }
    first, second, third = lines(HONGKONG, STRONG, WEAK)
    assert first == Line("row", 2, 1, 1, row)
    assert second.values == {**row, "row": "middle", "winner": "two_pair", "loser": "pair"}
    assert third.values == {**row, "row": "back", "winner": "full_house", "loser": "pair"}
    lost = lines(HONGKONG, WEAK, STRONG)[0]
    assert lost == Line("row", 1, 2, 1, row)


def test_a_row_with_a_price_is_a_royalty() -> None:
    trips = "2s2h2d / 4d5h6c7s8d / 9cThJhQsKd"
    assert lines(HONGKONG, trips, WEAK)[0] == Line(
        "royalty", 2, 1, 3, {"row": "front", "points": 3, "winner": "three", "loser": "high_card"}
    )


def test_a_fouled_row_tells_what_it_stood_against() -> None:
    full_house = "AsAhKd / 9c9d9s8s8c / TsThTdAcAd"
    assert lines(HONGKONG, full_house, FOULED)[1] == Line(
        "foul_row", 2, 1, 2, {"row": "middle", "points": 2, "winner": "full_house"}
    )


def test_a_natural_is_named_with_its_points() -> None:
    assert lines(HONGKONG, DRAGON, ORDINARY) == [
        Line("natural", 2, 1, 13, {"natural": "dragon", "points": 13})
    ]


def test_a_row_made_with_a_joker_says_so_and_a_real_one_does_not() -> None:
    wild = "AsBJKd / 9c9d8h8s7c / 2h2d2s5d5s"
    front, middle, *_ = keys_and_values(FUJIAN, wild, WEAK)
    assert front[1]["winner_joker"] == 1
    assert "loser_joker" not in front[1]
    assert not {"winner_joker", "loser_joker"} & middle[1].keys()
    beaten = "5cBJ3s / 7d7hQc9h4c / KcKhQdJs6d"
    front, *_ = keys_and_values(FUJIAN, STRONG, beaten)
    assert front[1]["loser_joker"] == 1
    assert "winner_joker" not in front[1]


def test_a_wild_natural_says_so_and_a_real_one_does_not() -> None:
    wild = DRAGON.replace("Ac", "RJ")
    assert keys_and_values(FUJIAN, wild, ORDINARY)[0][1] == {
        "natural": "dragon",
        "points": 26,
        "winner_joker": 1,
    }
    assert keys_and_values(FUJIAN, DRAGON, ORDINARY)[0][1] == {"natural": "dragon", "points": 26}


@every(key=sorted(SENTENCES))
def test_a_sentence_begins_with_someone_or_something_and_has_no_period(key: str) -> None:
    """Lines stand in a list under one another; a page adds the amount behind them."""
    assert SENTENCES[key]
    assert not SENTENCES[key].endswith(".")
