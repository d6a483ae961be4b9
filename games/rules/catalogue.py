"""The games of the house by their keys; a game's module is imported when it is first asked for.

A game is declared by its family among the rules, or by an installed package that names its
declarations under the entry point `cardroom.games` (`docs/examples/README.md`).
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Final, cast

from games.rules.contract import AnyGame
from games.rules.declaration import Declaration
from games.rules.errors import Unreadable

OWN: Final = __name__.rpartition(".")[0]
ENTRY_POINT: Final = "cardroom.games"
KEY: Final = re.compile(r"[a-z][a-z0-9_]{1,39}\Z")


class Misdeclared(ValueError):
    """A game cannot stand in the catalogue as it is declared."""


def _own() -> Iterator[Declaration]:
    for family in iter_modules(import_module(OWN).__path__):
        name = f"{OWN}.{family.name}.declared"
        if family.ispkg and find_spec(name):
            yield from import_module(name).GAMES


def _installed() -> Iterator[Declaration]:
    for point in sorted(entry_points(group=ENTRY_POINT), key=lambda entry_point: entry_point.name):
        yield from point.load()


def catalogue(declared: Iterable[Declaration]) -> dict[str, Declaration]:
    """The games by their keys, in the order of their places; refuse what would be ambiguous."""
    declarations: dict[str, Declaration] = {}
    packages: dict[str, str] = {}
    for game in sorted(declared, key=lambda declaration: declaration.place):
        if not KEY.match(game.key):
            raise Misdeclared(f"{game.key!r} is no key of a game: use small letters and _.")
        if game.key in declarations:
            raise Misdeclared(f"There are two games called {game.key}.")
        if packages.setdefault(game.family, game.package) != game.package:
            raise Misdeclared(f"Two packages declare games of the family {game.family}.")
        declarations[game.key] = game
    return declarations


GAMES: Final = catalogue([*_own(), *_installed()])
EDITIONS: Final = {key: game.edition for key, game in GAMES.items() if game.edition > 1}


def installed_folders() -> dict[str, Path]:
    """By name: the folder of each installed package that brings games."""
    names = {game.module.partition(".")[0] for game in GAMES.values()} - {OWN.partition(".")[0]}
    paths = {}
    for name in sorted(names):
        spec = find_spec(name)
        assert spec is not None, "its games were imported"
        assert spec.submodule_search_locations, "games come from packages"
        paths[name] = Path(spec.submodule_search_locations[0])
    return paths


def part_of(family: str, name: str) -> ModuleType | None:
    """A module among the rules of a family: all have the same name for the same thing."""
    package = next(game.package for game in GAMES.values() if game.family == family)
    whole = f"{package}.{name}"
    return import_module(whole) if find_spec(whole) else None


@cache
def against_house(key: str) -> bool:
    """Whether a game is played against the house, and not among players."""
    return game_type(key).against_house


def of_today(key: str, options: dict[str, object]) -> dict[str, object]:
    """A table's options, always in the newest edition."""
    return {**options, "edition": EDITIONS[key]} if key in EDITIONS else options


@cache
def game_type(key: str) -> type[AnyGame]:
    """The options struct of a game; `Unreadable` for a key that no game has."""
    if key not in GAMES:
        raise Unreadable("no_such_game", "There is no game called {key}.", key=key[:40]).at(
            "$.game"
        )
    game = GAMES[key]
    return cast(type[AnyGame], getattr(import_module(game.module), game.struct))
