"""The jackpots: what hands fed them, what they paid, what the house put in and took out, and what
they owe at the end."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any, Final

from django.db.models import Sum
from django.utils.translation import gettext_lazy as _

from casino.office.reports.balances import first_day
from casino.office.reports.columns import OF_POOLS, By, Column, Row, key_columns
from casino.office.reports.facts import Group, Span, Sums, group_of
from casino.office.reports.figures import Figures, described
from casino.office.reports.models import PoolDay
from casino.office.reports.report import Report
from wallets.models import Account, Entry, Jackpot
from wallets.money.jackpots import BOOK
from wallets.values.days import ONE_DAY, day_of, start_of

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
        sums: dict[tuple[Group, int], Sums] = {}
        for place, jackpot, of_place in figures.facts(PoolDay, by):
            sums.setdefault((group_of(place, by), jackpot), Sums()).add(of_place)
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
    for account, owed in _owed_after(last, list(by_account)).items():
        if owed:
            by_day.setdefault(_key(last, by_account[account]), {**_NOTHING, "owed": owed})
    return by_day


def _owed_after(day: date, accounts: list[int]) -> dict[int, int]:
    """Return what each pool holds at the end of a day: its balance less what was posted since."""
    held = dict(Account.objects.filter(pk__in=accounts).values_list("pk", "balance"))
    later = Entry.objects.filter(
        account__in=accounts, transaction__time__gte=start_of(day + ONE_DAY)
    )
    for account, amount in later.order_by().values_list("account").annotate(Sum("amount")):
        held[account] -= amount
    return held


def _moved(span: Span, by_account: dict[int, Jackpot]) -> Moved:
    by_day: Moved = {}
    entries = Entry.objects.filter(
        account__in=by_account,
        transaction__time__gte=start_of(span.first),
        transaction__time__lt=start_of(span.last + ONE_DAY),
    ).order_by("pk")
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
