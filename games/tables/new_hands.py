"""Whether new hands may begin in the house at all.

The games know no kill switch. A package above them registers a rule here when the site starts; the
clock asks the rules before it begins a hand, and holds the table back while any of them says no.
Hands that run are played to their end. The rules are asked for each hand, so they must be cheap.
"""

from collections.abc import Callable
from typing import Final

Rule = Callable[[], bool]

_RULES: Final[dict[str, Rule]] = {}


def register(name: str, rule: Rule) -> None:
    """Have a rule asked from now on; one that has this name already is replaced."""
    _RULES[name] = rule


def may_begin() -> bool:
    return all(rule() for rule in _RULES.values())
