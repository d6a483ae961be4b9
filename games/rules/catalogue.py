"""The games of the house by their keys; a game's module is imported when it is first asked for."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final, NamedTuple, cast

from games.rules.contract import AnyGame
from games.rules.errors import Unreadable


class Entry(NamedTuple):
    """The location of a game's options struct, and the package of its family."""

    module: str
    struct: str
    family: str


# The edition of its rules that a game is played by today, where there has been more than one. A
# hand says in its options by which it was played; one that does not was played by the first.
EDITIONS: Final[dict[str, int]] = {"blackjack": 3, "casino_holdem": 2, "russian_poker": 2}

GAMES: Final[dict[str, Entry]] = {
    "chinese_poker": Entry("games.rules.thirteen.chinese_poker", "ChinesePoker", "thirteen"),
    "thirteen_hongkong": Entry("games.rules.thirteen.hongkong", "ThirteenHongkong", "thirteen"),
    "thirteen_taiwan": Entry("games.rules.thirteen.taiwan", "ThirteenTaiwan", "thirteen"),
    "thirteen_philippine": Entry(
        "games.rules.thirteen.philippine", "ThirteenPhilippine", "thirteen"
    ),
    "thirteen_fujian": Entry("games.rules.thirteen.fujian", "ThirteenFujian", "thirteen"),
    "doudizhu": Entry("games.rules.doudizhu.game", "Doudizhu", "doudizhu"),
    "casino_holdem": Entry("games.rules.casino_holdem.game", "CasinoHoldem", "casino_holdem"),
    "blackjack": Entry("games.rules.blackjack.game", "Blackjack", "blackjack"),
    "baccarat": Entry("games.rules.baccarat.game", "Baccarat", "baccarat"),
    "baccarat_commission": Entry("games.rules.baccarat.game", "BaccaratCommission", "baccarat"),
    "russian_poker": Entry("games.rules.russian_poker.game", "RussianPoker", "russian_poker"),
}


def part_of(family: str, name: str) -> ModuleType | None:
    """A module among the rules of a family: all have the same name for the same thing."""
    whole = f"games.rules.{family}.{name}"
    return import_module(whole) if find_spec(whole) else None


def against_house(key: str) -> bool:
    """Whether a game is played against the house, and not among players."""
    return game_type(key).against_house


def of_today(key: str, options: dict[str, object]) -> dict[str, object]:
    """A table's options: whatever else they say, it is played by the newest edition."""
    return {**options, "edition": EDITIONS[key]} if key in EDITIONS else options


@cache
def game_type(key: str) -> type[AnyGame]:
    """The options struct of a game; `Unreadable` for a key that no game has."""
    if key not in GAMES:
        raise Unreadable("no_such_game", "There is no game called {key}.", key=key[:40]).at(
            "$.game"
        )
    entry = GAMES[key]
    return cast(type[AnyGame], getattr(import_module(entry.module), entry.struct))
