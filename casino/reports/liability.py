"""The house's debts: wallets, stacks, what is set aside, pools and tournaments.

Day by day it is what accounts hold at the end of each day, or now on a day that is not over; or it
is what they held at one instant that somebody names. The house's own accounts hold the opposite, as
the ledger sums to nothing: the difference is shown, and is 0.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.reports.grouping import CURRENCY, key_columns
from casino.reports.held import Held, first_day, held_after, held_at
from casino.reports.models import HeldDay
from casino.reports.report import By, Column, Row
from casino.reports.spans import ONE_DAY, Span, start_of
from wallets.models import Account

Kind = Account.Kind
OWED: Final[Mapping[str, Column]] = {
    Kind.PLAYER: Column("wallets", _("Wallets"), "money", "stock", "accounts"),
    Kind.STACK: Column("stacks", _("Stacks at tables"), "money", "stock", "accounts"),
    Kind.ESCROW: Column("set_aside", _("Set aside"), "money", "stock", "accounts"),
    Kind.JACKPOT: Column("pools", _("Pools"), "money", "stock", "accounts"),
    Kind.PRIZE: Column("tournaments", _("Tournament prizes"), "money", "stock", "accounts"),
}

FIGURES: Final = (
    *OWED.values(),
    Column("owed", _("Owed to players"), "money", "stock", "accounts"),
    Column("ledger", _("The house's own accounts, reversed"), "money", "stock", "accounts"),
    Column("difference", _("Difference"), "money", "stock"),
)


class Liability:
    name = "liability"
    title = _("Liability")
    allowed: tuple[By, ...] = ("day",)

    def columns(self, by: By) -> list[Column]:
        return [*key_columns(by), *FIGURES]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        first = first_day()
        if first is None:
            return
        stored = _stored(span)
        day = max(span.first, first)
        while day <= span.last:
            held = stored[day] if day in stored else held_after(day)
            yield from owed_rows({"day": day}, start_of(day) + ONE_DAY, held)
            day += ONE_DAY


class LiabilityAt:
    """The same at one instant, as if nothing had been posted since."""

    name = "liability"
    title = _("Liability")
    allowed: tuple[By, ...] = ("day",)

    def __init__(self, at: datetime) -> None:
        self.at = at

    def columns(self, by: By) -> list[Column]:
        return [Column("at", _("Instant")), CURRENCY, *FIGURES]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        yield from owed_rows({"at": self.at.isoformat()}, self.at, held_at(self.at))


def owed_rows(key: Row, at: datetime, held: Held) -> Iterator[Row]:
    """A row for each currency in which anybody holds anything; `at` is the instant it speaks of."""
    for currency in sorted({code for code, _kind in held}):
        parts = {column.name: held.get((currency, kind), 0) for kind, column in OWED.items()}
        owed = sum(parts.values())
        own = sum(
            amount for (code, kind), amount in held.items() if code == currency and kind not in OWED
        )
        if not owed and not own:
            continue
        row = {**key, "currency": currency, **parts, "owed": owed, "ledger": -own}
        only = {"currency": currency, "at": at.isoformat()}
        yield row | {"difference": owed + own, "_only": only}


def _stored(span: Span) -> dict[date, Held]:
    """Return the balances at the end of the closed days."""
    found: dict[date, Held] = {}
    rows = HeldDay.objects.filter(on__range=span, on__lt=datetime.now(UTC).date())
    for on, currency, kind, amount in rows.values_list("on", "currency_id", "kind", "amount"):
        found.setdefault(on, {})[currency, kind] = int(amount)
    return found
