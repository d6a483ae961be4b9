"""The house's debts: wallets, stacks, what is set aside, guarantees, pools and tournaments.

The money of the house's bots is no debt: it has a column of its own.

Day by day it is what accounts hold at the end of each day, or now on a day that is not over; or
their balances at one chosen instant. The house's own accounts hold the opposite, as the ledger sums
to nothing: the difference is shown, and is 0.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime

from django.utils.translation import gettext_lazy as _

from casino.office.reports.balances import (
    DEBTS,
    PastBalances,
    first_day,
    held_after,
    held_at,
    owed_rows,
)
from casino.office.reports.columns import CURRENCY, By, Column, Row, key_columns
from casino.office.reports.facts import Span
from casino.office.reports.figures import Figures
from casino.office.reports.models import HeldDay
from casino.office.reports.report import Report
from wallets.values.days import ONE_DAY, day_of, start_of


class Liability(Report):
    name = "liability"
    title = _("Liability")
    symbol = "balance"
    place = 30
    allowed = ("day",)
    shades = ("wallets", "stacks", "set_aside", "guarantees", "pools", "tournaments")

    def at(self, instant: datetime) -> Report:
        return LiabilityAt(instant)

    def columns(self, by: By) -> list[Column]:
        return [*key_columns(by), *DEBTS]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        first, span = first_day(), figures.span
        if first is None:
            return
        stored = _stored(span)
        day = max(span.first, first)
        while day <= span.last:
            held = stored[day] if day in stored else held_after(day)
            yield from owed_rows({"day": day}, start_of(day + ONE_DAY), held)
            day += ONE_DAY


class LiabilityAt(Liability):
    """The same at one instant, as if nothing had been posted since."""

    def __init__(self, instant: datetime) -> None:
        self.instant: datetime = instant

    def columns(self, by: By) -> list[Column]:
        return [Column("at", _("Instant")), CURRENCY, *DEBTS]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        key: dict[str, object] = {"at": self.instant.isoformat()}
        yield from owed_rows(key, self.instant, held_at(self.instant))


REPORT = Liability()


def _stored(span: Span) -> dict[date, PastBalances]:
    """Return the balances at the end of the closed days."""
    balances: dict[date, PastBalances] = {}
    rows = HeldDay.objects.filter(on__range=span, on__lt=day_of(datetime.now(UTC)))
    for on, currency, kind, amount in rows.values_list("on", "currency_id", "kind", "amount"):
        balances.setdefault(on, {})[currency, kind] = int(amount)
    return balances
