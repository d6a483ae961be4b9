"""What the house owes: wallets, stacks, what is set aside, pools and tournaments, day by day.

It is what accounts hold at the end of each day, or now on a day that is not over. The house's own
accounts hold the opposite, as the ledger sums to nothing: the difference is shown, and is 0.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.reports.grouping import key_columns
from casino.reports.held import Held, held_after
from casino.reports.models import HeldDay
from casino.reports.report import By, Column, Row
from casino.reports.spans import ONE_DAY, Span
from wallets.models import Account, Transaction

Kind = Account.Kind
OWED: Final[Mapping[str, Column]] = {
    Kind.PLAYER: Column("wallets", _("Wallets"), "money", "entries"),
    Kind.STACK: Column("stacks", _("Stacks at tables"), "money", "entries"),
    Kind.ESCROW: Column("set_aside", _("Set aside"), "money", "entries"),
    Kind.JACKPOT: Column("pools", _("Pools"), "money", "entries"),
    Kind.PRIZE: Column("tournaments", _("Tournament prizes"), "money", "entries"),
}


class Liability:
    name = "liability"
    title = _("Liability")
    allowed: tuple[By, ...] = ("day",)

    def columns(self, by: By) -> list[Column]:
        return [
            *key_columns(by),
            *OWED.values(),
            Column("owed", _("Owed to players"), "money"),
            Column("ledger", _("The house's own accounts, reversed"), "money"),
            Column("difference", _("Difference"), "money"),
        ]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        first = first_day()
        if first is None:
            return
        stored = _stored(span)
        day = max(span.first, first)
        while day <= span.last:
            held = stored[day] if day in stored else held_after(day)
            yield from owed_rows(day, held)
            day += ONE_DAY


def owed_rows(day: date, held: Held) -> Iterator[Row]:
    """A row for each currency in which anybody holds anything."""
    for currency in sorted({code for code, _kind in held}):
        parts = {column.name: held.get((currency, kind), 0) for kind, column in OWED.items()}
        owed = sum(parts.values())
        own = sum(
            amount for (code, kind), amount in held.items() if code == currency and kind not in OWED
        )
        if not owed and not own:
            continue
        row = {"day": day, "currency": currency, **parts, "owed": owed, "ledger": -own}
        yield row | {"difference": owed + own, "_only": {"currency": currency, "to": day}}


def first_day() -> date | None:
    """The day of the first posting; before it nobody held anything."""
    first = Transaction.objects.order_by("id").first()
    return None if first is None else first.time.astimezone(UTC).date()


def _stored(span: Span) -> dict[date, Held]:
    """What accounts held at the end of the closed days."""
    found: dict[date, Held] = {}
    rows = HeldDay.objects.filter(on__range=span, on__lt=datetime.now(UTC).date())
    for on, currency, kind, amount in rows.values_list("on", "currency_id", "kind", "amount"):
        found.setdefault(on, {})[currency, kind] = int(amount)
    return found
