"""Rules that are asked before a player's money is taken in.

The ledger knows no limits of players. A package that does registers a rule when the site starts; it
is asked inside of the posting's transaction, and refuses by raising
`wallets.values.errors.Refused`. A posting with the same key is not checked again.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from wallets.models import Currency
from wallets.values.registry import Registry

# Takes a player's number, the currency, the amount in minor units, and the time.
Rule = Callable[[int, Currency, int, datetime], None]

RULES: Final = Registry[Rule]("rule of deposits")


def require(owner: str, currency: Currency, amount: int, now: datetime) -> None:
    """Refuse what any rule refuses; owners that are no players have no rules."""
    kind, _colon, number = owner.partition(":")
    if kind != "player" or not number.isdecimal():
        return
    for rule in RULES.values():
        rule(int(number), currency, amount, now)
