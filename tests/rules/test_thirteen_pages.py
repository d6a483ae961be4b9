"""The players' pages of three thirteen-card games name what is played, and at which prices."""

from typing import Any

from games.rules.contract import AnyGame
from games.rules.poker import Category
from games.rules.thirteen.banking import ThirteenHongkong, ThirteenPhilippine
from games.rules.thirteen.chinese_poker import STAKES_TABLE, ChinesePoker
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE
from tests.rules.cases import each
from tests.rules.pages import table_of

CHINESE = ChinesePoker(table="bonus")
HONGKONG = ThirteenHongkong()
PHILIPPINE = ThirteenPhilippine()
CATEGORIES = {
    "three of a kind": Category.THREE,
    "full house": Category.FULL_HOUSE,
    "four of a kind": Category.FOUR,
    "straight flush": Category.STRAIGHT_FLUSH,
    "royal flush": Category.ROYAL_FLUSH,
}


@each(
    (CHINESE, "row royalty extra_point natural foul foul_royalty purse_limit rake"),
    (HONGKONG, "row royalty natural foul_row purse_limit rake"),
    (PHILIPPINE, "row royalty natural foul_row purse_limit rake"),
)
def test_the_page_names_every_reason_of_a_settlement(game: AnyGame, keys: str) -> None:
    assert list(table_of(game.key, "Reasons in a settlement")) == keys.split()


def test_the_page_prints_the_stakes() -> None:
    printed = table_of("chinese_poker", "Stakes").items()
    assert [(minor(point), *map(minor, least)) for point, least in printed] == list(STAKES_TABLE)


def minor(amount: str) -> int:
    return round(float(amount.replace(",", "")) * 100)


@each((CHINESE, "Naturals"), (HONGKONG, "Naturals"), (PHILIPPINE, "Points"))
def test_the_page_prices_every_natural_in_its_order(game: Any, heading: str) -> None:
    table = table_of(game.key, heading)
    printed = [(name, int(table[name][-1])) for name in table if name in set(game.naturals)]
    assert printed == [(str(name), points) for name, points in game.naturals.items()]


@each((CHINESE, "Points"), (HONGKONG, "Prices"), (PHILIPPINE, "Points"))
def test_the_page_prices_every_row(game: Any, heading: str) -> None:
    printed = {
        (row, CATEGORIES[name]): int(cell)
        for name, cells in table_of(game.key, heading).items()
        if name in CATEGORIES
        for row, cell in zip((FRONT, MIDDLE, BACK), cells, strict=True)
        if cell not in ("", "1")
    }
    assert printed == game.row_prices
