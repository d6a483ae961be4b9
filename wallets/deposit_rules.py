"""Rules that are asked before a player's money is taken in.

The ledger knows no limits of players. A package that does registers a rule when the site starts; it
is asked inside of the posting's transaction, and refuses by raising `wallets.errors.Refused`. What
was posted under the same key before is not asked about again.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from wallets.models import Currency

# Takes a player's number, the currency, the amount in minor units, and the time.
Rule = Callable[[int, Currency, int, datetime], None]

_RULES: Final[dict[str, Rule]] = {}


def register(name: str, rule: Rule) -> None:
    """Have a rule asked from now on; one that has this name already is replaced."""
    _RULES[name] = rule


def require(owner: str, currency: Currency, amount: int, now: datetime) -> None:
    """Refuse what any rule refuses; owners that are no players have no rules."""
    kind, _colon, number = owner.partition(":")
    if kind != "player" or not number.isdecimal():
        return
    for rule in _RULES.values():
        rule(int(number), currency, amount, now)
