"""Family-specific code lives in the families' folders, and every game has a family."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from games.boards.family import families, family_of
from games.boards.labels import LABELS
from games.rules.catalogue import GAMES, game_type

TOP = Path(__file__).resolve().parent.parent.parent
# Errors, and the actions of the house, are for telling them apart; the rules know their types.
DISTINGUISHED = ("games.rules.errors", "games.rules.house.actions")
FREE = ("games/rules/",)
FAMILIES = "games/families/"
# Where games are named, and why that is no question.
NAMES_GAMES = (
    "games/rules/",
    "games/bots/",
    # What games and families are called, and how the lobby groups them.
    "games/words/",
    # Examples: the demo house, its tournaments, and a history for reports.
    "games/tables/demo.py",
    "tournaments/demo.py",
    "casino/reports/seeding/",
    # Measured speeds; a game without one is previewed by a usual speed.
    "tournaments/preview.py",
)
CHECKS_IN_FAMILIES_MAX = 10


def checks(source: str) -> Iterator[str]:
    """The checks of a module for types of the rules: by `isinstance`, `issubclass` and `case`."""
    tree = ast.parse(source)
    types = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("games.rules")
        and node.module not in DISTINGUISHED
        for name in node.names
    }
    for node in ast.walk(tree):
        compared: ast.AST | None = None
        if isinstance(node, ast.MatchClass):
            compared = node.cls
        elif isinstance(node, ast.Call) and len(node.args) == 2:
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            compared = node.args[1] if called in ("isinstance", "issubclass") else None
        if compared is not None:
            names = {one.id for one in ast.walk(compared) if isinstance(one, ast.Name)}
            if names & types:
                yield f"line {node.lineno}: {ast.unparse(node)}"


@cache
def found() -> dict[str, list[str]]:
    modules = {
        file.relative_to(TOP).as_posix(): list(checks(file.read_text("utf-8")))
        for folder in ("casino", "games", "tournaments")
        for file in sorted((TOP / folder).rglob("*.py"))
    }
    return {name: some for name, some in modules.items() if some and not name.startswith(FREE)}


@pytest.mark.slow
def test_no_other_code_names_a_game_or_a_family() -> None:
    """A new game needs rules, a family, a bot and names: nothing else has to know it."""
    names = {*GAMES, *(entry.family for entry in GAMES.values())}
    # `blackjack` is also a hand of two cards, which the word names wherever hands are searched.
    names_of_cards = {("games/records/card_query.py", "blackjack")}
    named = set()
    for folder in ("casino", "games", "tournaments", "wallets"):
        for file in sorted((TOP / folder).rglob("*.py")):
            name = file.relative_to(TOP).as_posix()
            if not name.startswith((*NAMES_GAMES, FAMILIES)) and "/migrations/" not in name:
                tree = ast.walk(ast.parse(file.read_text("utf-8")))
                words = {node.value for node in tree if isinstance(node, ast.Constant)}
                named |= {(name, word) for word in words & names} - names_of_cards
    assert named == set()
    asks = re.compile(r"(family|game) *[!=]= *[\"']|\\.moves\\.[a-z]+ ")
    places = [(TOP / "templates", "*.html"), (TOP / "static" / "games", "*.js")]
    files = [
        file for top, kind in places for file in top.rglob(kind) if "families" not in file.parts
    ]
    assert len(files) > 100
    assert [str(file) for file in files if asks.search(file.read_text("utf-8"))] == []


@pytest.mark.slow
def test_only_families_check_for_a_game_type() -> None:
    assert {name: some for name, some in found().items() if not name.startswith(FAMILIES)} == {}


@pytest.mark.slow
def test_families_seldom_ask_which_of_their_games_they_have() -> None:
    assert sum(map(len, found().values())) <= CHECKS_IN_FAMILIES_MAX


@pytest.mark.parametrize(
    "check",
    [
        "isinstance(game, Blackjack)",
        "isinstance(game, str | Blackjack)",
        "issubclass(type(game), (int, Blackjack))",
        "match game:\n    case Blackjack():\n        pass",
    ],
)
def test_a_check_is_found(check: str) -> None:
    imported = "from games.rules.blackjack.game import Blackjack\n"
    assert len(list(checks(imported + check))) == 1
    assert not list(checks("from games.rules.errors import Illegal as Blackjack\n" + check))


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_family_that_knows_it(key: str) -> None:
    family, game = family_of(key), game_type(key)()
    assert family is family_of(game)
    assert family in families()
    assert family.winnings(game)
    assert family.costs(game)


@pytest.mark.parametrize("key", GAMES)
def test_every_action_of_a_player_has_its_words(key: str) -> None:
    by_house = {"close", "pool"}
    actions = {str(kind.__struct_config__.tag) for kind in game_type(key).actions} - by_house
    assert actions <= LABELS.keys() | family_of(key).labels.keys()
