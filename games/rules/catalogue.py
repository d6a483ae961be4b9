"""The games of the house by their keys; a game's module is imported when it is first asked for."""

from functools import cache
from importlib import import_module
from typing import Final, NamedTuple, cast

from games.rules.contract import AnyGame
from games.rules.errors import Unreadable


class Entry(NamedTuple):
    """Where a game's options struct stands, and the room of its family."""

    module: str
    struct: str
    family: str


GAMES: Final[dict[str, Entry]] = {
    "chinese_poker": Entry("games.rules.chinese_poker", "ChinesePoker", "thirteen"),
    "thirteen_hongkong": Entry("games.rules.thirteen_hongkong", "ThirteenHongkong", "thirteen"),
    "thirteen_taiwan": Entry("games.rules.thirteen_taiwan", "ThirteenTaiwan", "thirteen"),
    "thirteen_philippine": Entry(
        "games.rules.thirteen_philippine", "ThirteenPhilippine", "thirteen"
    ),
    "thirteen_fujian": Entry("games.rules.thirteen_fujian", "ThirteenFujian", "thirteen"),
    "doudizhu": Entry("games.rules.doudizhu.game", "Doudizhu", "doudizhu"),
    "casino_holdem": Entry("games.rules.casino_holdem.game", "CasinoHoldem", "casino_holdem"),
    "blackjack": Entry("games.rules.blackjack.game", "Blackjack", "blackjack"),
    "baccarat": Entry("games.rules.baccarat.game", "Baccarat", "baccarat"),
    "baccarat_commission": Entry("games.rules.baccarat.game", "BaccaratCommission", "baccarat"),
    "russian_poker": Entry("games.rules.russian_poker.game", "RussianPoker", "russian_poker"),
}


@cache
def game_type(key: str) -> type[AnyGame]:
    """The options struct of a game; `Unreadable` for a key that no game has."""
    if key not in GAMES:
        raise Unreadable("no_such_game", "There is no game called {key}.", key=key[:40]).at(
            "$.game"
        )
    entry = GAMES[key]
    return cast(type[AnyGame], getattr(import_module(entry.module), entry.struct))
