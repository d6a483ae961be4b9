"""The house's debts at an instant by kind of account, and the house's own accounts."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import Column, Row
from casino.office.reports.past_balances import BOTS, GUARANTEE, PastBalances
from wallets.models import Account

Kind = Account.Kind
OWED: Final[Mapping[str, Column]] = {
    Kind.PLAYER: Column("wallets", _("Wallets"), "money", "stock", "accounts"),
    Kind.STACK: Column("stacks", _("Stacks at tables"), "money", "stock", "accounts"),
    Kind.ESCROW: Column("set_aside", _("Set aside"), "money", "stock", "accounts"),
    GUARANTEE: Column("guarantees", _("Guarantees"), "money", "stock", "accounts"),
    Kind.JACKPOT: Column("pools", _("Pools"), "money", "stock", "accounts"),
    Kind.PRIZE: Column("tournaments", _("Tournament prizes"), "money", "stock", "accounts"),
}

FIGURES: Final = (
    *OWED.values(),
    Column("owed", _("Owed to players"), "money", "stock", "accounts"),
    Column("bots", _("Held by bots"), "money", "stock", "accounts"),
    Column("ledger", _("The house's own accounts, reversed"), "money", "stock", "accounts"),
    Column("difference", _("Difference"), "money", "stock"),
)


def owed_rows(key: dict[str, object], at: datetime, held: PastBalances) -> Iterator[Row]:
    """A row for each currency with a balance; `at` is the instant it speaks of."""
    for currency in sorted({code for code, _kind in held}):
        parts = {column.name: held.get((currency, kind), 0) for kind, column in OWED.items()}
        owed = sum(parts.values())
        bots = held.get((currency, BOTS), 0)
        own = sum(amount for (code, _kind), amount in held.items() if code == currency)
        own -= owed + bots
        if not owed and not own:
            continue
        cells = {**key, "currency": currency, **parts, "owed": owed, "bots": bots, "ledger": -own}
        cells["difference"] = owed + bots + own
        yield Row(cells, {"currency": currency, "at": at.isoformat()})
