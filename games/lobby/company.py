"""Beside whom the seat finder does not seat a player while another table has a seat.

The games do not know why. Packages that know it register a rule here when the site starts.
"""

from collections.abc import Callable, Collection
from typing import Final

# Of these players, those beside whom the player of this number should not sit.
Rule = Callable[[int, Collection[int]], set[int]]

_RULES: Final[dict[str, Rule]] = {}


def register(name: str, rule: Rule) -> None:
    """Have a rule asked from now on; one that has this name already is replaced."""
    _RULES[name] = rule


def avoided_by(player_id: int, others: Collection[int]) -> set[int]:
    """Of these players, those beside whom this one should not sit; one query a rule, or none."""
    found: set[int] = set()
    if others:
        for rule in _RULES.values():
            found |= rule(player_id, others)
    return found
