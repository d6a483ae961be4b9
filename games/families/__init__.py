"""The differences between the families of games outside the rules: one folder a family.

A game declares the module with the one object `FAMILY` that answers the questions of
`games.boards.family`; for the house's own families it is `family` in the folder of the family's
name. A module `tags` next to it has functions for its templates.
"""

from importlib import import_module
from importlib.util import find_spec

from games.boards.family import AnyFamily
from games.boards.pieces import engine, functions
from games.rules.catalogue import GAMES


def find_family(name: str) -> AnyFamily:
    module = next(game.answers_module for game in GAMES.values() if game.family == name)
    family: AnyFamily = import_module(module).FAMILY
    return family


def register_functions() -> None:
    """Let pieces call what the families have for theirs, and what all of them use."""
    engine.register(functions.FILTERS, functions.FUNCTIONS)
    folders = {game.answers_module.rpartition(".")[0]: None for game in GAMES.values()}
    for folder in folders:
        if find_spec(f"{folder}.tags"):
            tags = import_module(f"{folder}.tags")
            engine.register(tags.FILTERS, tags.FUNCTIONS)
