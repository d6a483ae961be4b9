"""Rules that every sign-in must pass after the right name and password.

They run only after the right password, so a stranger learns nothing from them. Players who are
signed in already are not checked again: what forbids signing in also ends sessions and tokens.
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
    """Return why a player may not sign in now, or None if they may."""
    return next((why for rule in _RULES.values() if (why := rule(player, now))), None)
