"""The jackpots: what hands fed them, what they paid, what the house put in and took out, and what
they owe at the end."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from casino.office.reports.balances import first_day, held_by_accounts
from casino.office.reports.columns import OF_POOLS, By, Column, Row, key_columns
from casino.office.reports.entries import posted_within
from casino.office.reports.facts import Group, Span, Sums, bounds, group_of, summed
from casino.office.reports.figures import Figures, described
from casino.office.reports.models import PoolDay
from casino.office.reports.report import Report
from wallets.models import Jackpot
from wallets.money.jackpots import BOOK
from wallets.values.days import day_of, end_of

NAME: Final = Column("jackpot", _("Jackpot"))
OF_THE_HOUSE: Final = (
    Column("seeded", _("Put in by the house"), "money", "flow", "entries"),
    Column("drained", _("Taken out by the house"), "money", "flow", "entries"),
    Column("owed", _("Owed at the end"), "money", "stock", "entries"),
)


class Jackpots(Report):
    """By day each pool has what it owes in the evening; tables and games only feed and win."""

    name = "jackpots"
    title = _("Jackpots")
    symbol = "savings"
    place = 40
    allowed = ("day", "game", "table")
    shades = ("fed",)

    def columns(self, by: By) -> list[Column]:
        of_the_house = OF_THE_HOUSE if by == "day" else ()
        return [*key_columns(by), NAME, *OF_POOLS, *of_the_house]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        pools = {
            jackpot.pk: jackpot for jackpot in Jackpot.objects.select_related("pool__currency")
        }
        facts = figures.facts(PoolDay, by)
        sums = summed(facts, lambda fact: (group_of(fact.place, by), fact.of))
        moved = _of_the_house(figures.span, pools) if by == "day" else {}
        keys = sorted({*sums, *moved}, key=str)
        row_of = described({group for group, _jackpot in keys}, by)
        first = first_day()
        for group, jackpot in keys:
            row = row_of(group)
            row.cells["jackpot"] = pools[jackpot].name
            row.read(OF_POOLS, sums.get((group, jackpot), Sums()))
            if by == "day":
                row.cells |= moved.get((group, jackpot), _NOTHING)
            row.only["jackpot"] = jackpot
            row.opens = _opened(pools[jackpot].pool_id, group[0], first)
            yield row


REPORT = Jackpots()


def _opened(account: int, day: object, first: date | None) -> dict[str, dict[str, object]]:
    """Link to the book of jackpots for what the house moved, and to every line for what is owed."""
    of_the_house = {"account": account, "book": BOOK}
    return {
        "seeded": of_the_house | {"sign": "in"},
        "drained": of_the_house | {"sign": "out", "negated": "1"},
        "owed": {"account": account, "from": first, "to": day},
    }


_NOTHING: Final[dict[str, int]] = {"seeded": 0, "drained": 0, "owed": 0}
Moved = dict[tuple[Group, int], dict[str, Any]]


def _of_the_house(span: Span, pools: dict[int, Jackpot]) -> Moved:
    """By day and pool: the house's payments in and out, and the debt in the evening.

    A pool that owes something has a row on the last day of the range, even if nothing moved.
    """
    by_account = {pool.pool_id: pool for pool in pools.values()}
    by_day = _moved(span, by_account)
    last = min(span.last, day_of(datetime.now(UTC)))
    for account, owed in held_by_accounts(by_account, end_of(last)).items():
        if owed:
            by_day.setdefault(_key(last, by_account[account]), {**_NOTHING, "owed": owed})
    return by_day


def _moved(span: Span, by_account: dict[int, Jackpot]) -> Moved:
    by_day: Moved = {}
    entries = posted_within(*bounds(span)).filter(account__in=by_account).order_by("pk")
    rows = entries.values_list(
        "account_id", "amount", "balance_after", "transaction__book_id", "transaction__time"
    )
    for account, amount, balance, book, at in rows.iterator(chunk_size=5_000):
        key = _key(day_of(at), by_account[account])
        row = by_day.setdefault(key, dict(_NOTHING))
        # The last entry of a day is what the pool holds in the evening.
        row["owed"] = balance
        if book == BOOK:
            row["seeded"] += max(amount, 0)
            row["drained"] += max(-amount, 0)
    return by_day


def _key(day: date, jackpot: Jackpot) -> tuple[Group, int]:
    return (day, jackpot.pool.currency_id), jackpot.pk
