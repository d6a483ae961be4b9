"""The differences between the families of games outside the rules: one folder a family.

A folder has the name of the family in the catalogue, and a module `family` with the one object that
answers the questions of `games.boards.family`.
"""

from importlib import import_module
from typing import Final

from games.boards.family import AnyFamily

# Families of the catalogue that share a folder.
SHARED: Final = {"casino_holdem": "poker", "russian_poker": "poker"}


def find_family(name: str) -> AnyFamily:
    """A family by its name in the catalogue."""
    family: AnyFamily = import_module(f"{__name__}.{SHARED.get(name, name)}.family").FAMILY
    return family
