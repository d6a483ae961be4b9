"""The pages of docs/rules list each option with its default, and each reason of a settlement."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec

from docs.checks.tree import File, Finding, Tree, section
from games.rules.catalogue import GAMES, game_type
from games.rules.messages import SENTENCES

FOLDER: Final = "docs/rules/"
# Games that share a page with another.
SHARED: Final = {"baccarat_commission": "baccarat"}
ROW: Final = re.compile(r"^\| (`.+?`) \| ([^|]+) \|", re.MULTILINE)


def options(tree: Tree) -> Iterator[Finding]:
    for key in GAMES:
        page = tree[f"{FOLDER}{SHARED.get(key, key)}.md"]
        text = section(page, "## Options")
        published = {name.strip("`"): default.strip(' `"') for name, default in ROW.findall(text)}
        defaults = _defaults(key)
        for name in sorted(published.items() ^ defaults.items()):
            yield page.finding(1, f"The options of {key} and their defaults differ in {name[0]}.")


def reasons(tree: Tree) -> Iterator[Finding]:
    for page in tree.under(FOLDER, ends=".md"):
        named = _reasons(page)
        for name in sorted(named - SENTENCES.keys()):
            yield page.finding(1, f"The reason {name} has no sentence in games/rules/messages.py.")
        if not named:
            yield page.finding(1, "The page has no table of reasons.")


@lru_cache
def _defaults(key: str) -> dict[str, str]:
    game: Any = game_type(key)
    return {
        field.name: msgspec.json.encode(field.default).decode().strip('"')
        for field in msgspec.structs.fields(game)
    }


def _reasons(page: File) -> set[str]:
    rows = ROW.findall(section(page, "## Reasons in a settlement"))
    return {name for first, _rest in rows for name in re.findall("`([a-z_]+)`", first)}
