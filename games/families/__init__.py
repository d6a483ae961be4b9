"""The differences between the families of games outside the rules: one folder a family.

A folder has the name of the family in the catalogue, and a module `family` with the one object that
answers the questions of `games.boards.family`.
"""

from importlib import import_module
from typing import Final

from games.boards.family import AnyFamily
from games.pieces import engine, functions

# Families of the catalogue that share a folder.
SHARED: Final = {"casino_holdem": "poker", "russian_poker": "poker"}
# The folders with functions for templates of their own.
WITH_TAGS: Final = ("baccarat", "blackjack", "doudizhu", "thirteen")


def find_family(name: str) -> AnyFamily:
    """A family by its name in the catalogue."""
    family: AnyFamily = import_module(f"{__name__}.{SHARED.get(name, name)}.family").FAMILY
    return family


def register_functions() -> None:
    """Let pieces call what the families have for theirs, and what all of them use."""
    engine.register(functions.FILTERS, functions.FUNCTIONS)
    for name in WITH_TAGS:
        tags = import_module(f"{__name__}.{name}.tags")
        engine.register(tags.FILTERS, tags.FUNCTIONS)
