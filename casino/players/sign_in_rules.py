"""Who may sign in although name and password are right: rules that are asked at every sign-in.

They are asked only of whoever has typed the right password, so a stranger learns nothing by them.
Whoever is signed in already is not asked again: what forbids signing in ends sessions and tokens.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from casino.players.models import Player
from wallets.errors import Refused

Rule = Callable[[Player, datetime], Refused | None]

_RULES: Final[dict[str, Rule]] = {}


def register(name: str, rule: Rule) -> None:
    """Have a rule asked from now on; one that has this name already is replaced."""
    _RULES[name] = rule


def refusal(player: Player, now: datetime) -> Refused | None:
    """Why a player may not sign in now, or None if they may."""
    return next((why for rule in _RULES.values() if (why := rule(player, now))), None)
