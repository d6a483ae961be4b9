"""The figure of a whole range is what the ledger and the hands say, for a day, a week and a month.

Flows are added up over the range; stocks are what accounts held at its end. Each sum is a statement
of its own here, so a column without one fails.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

import pytest
from django.db import transaction

from casino.accounts.models import Player
from casino.office.demonstration.seeding.filling import Order
from casino.office.frame import overview
from casino.office.reports.balances import OWED
from casino.office.reports.charts import charts_of
from casino.office.reports.columns import By, Column
from casino.office.reports.facts import Span, bounds
from casino.office.reports.formats import range_sums
from casino.office.reports.office_pages import totals
from casino.office.reports.report import REPORTS, Query, Shown
from games.models import Hand
from games.records import reversals
from tests.casino.report_rows import BET, HOUSE_GAMES, KIND, OF_BOTS, SIGNED, rows_by_sql
from tests.casino.seeded import enter_an_event, fill
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.days import day_of, start_of

DAYS: Final = 33


class Month(NamedTuple):
    """A house that was open for a month until yesterday, and reversed a hand today."""

    last: date
    today: date


@pytest.fixture(scope="module")
def month(django_db_setup: None, django_db_blocker: Any) -> Iterator[Month]:
    now = datetime.now(UTC)
    last = day_of(now) - timedelta(days=1)
    with django_db_blocker.unblock(), transaction.atomic():
        fill(Order(3 * DAYS, DAYS, 9, 7, last))
        boss = Player.objects.create_superuser("boss")
        hand = Hand.objects.filter(bank__gt=0).order_by("pk")[3]
        reversals.void(boss, hand.pk, "a test", now, house_pays=True)
        enter_an_event(now)
        yield Month(last, day_of(now))
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def no_files_of_another_test() -> None:
    """The anchors of the house stay for all tests of it."""


ANY: Final = "1 = 1"
# What the house takes of a seat: a loss to it, or a share of what was won from others.
TAKEN: Final = f"(CASE WHEN x.game IN {HOUSE_GAMES} THEN -s.net ELSE s.rake END)"


class Sums:
    """What the ledger and the hands say of a range in one currency."""

    def __init__(self, span: Span, currency: str) -> None:
        self.currency = currency
        self.since, self.until = (f"{at:%Y-%m-%d %H:%M:%S}" for at in bounds(span))

    def entries(self, only: str, value: str = "SUM(e.amount)", *, ever: bool = False) -> int:
        """Add up entries of the range, or of all time until its end."""
        since = "0001-01-01 00:00:00" if ever else self.since
        ((total,),) = rows_by_sql(
            f"""
            SELECT {value} FROM wallets_entry e
            JOIN wallets_account a ON a.id = e.account_id
            JOIN wallets_transaction t ON t.id = e.transaction_id
            WHERE a.currency_id = %s AND t.time >= %s AND t.time < %s AND {only}
            """,
            *(self.currency, since, self.until),
        )
        return int(total or 0)

    def held(self, *kinds: str) -> int:
        return self.entries(f"{KIND} IN ({', '.join(map(repr, map(str, kinds)))})", ever=True)

    def by_hands(self, *kinds: str, at: str = "t.kind LIKE 'hand%%'") -> int:
        some = ", ".join(f"'{kind}'" for kind in kinds)
        return self.entries(f"a.kind IN ({some}) AND t.kind LIKE 'hand%%' AND {at}")

    def seats(self, whose: str, at: str = ANY, value: str = TAKEN) -> int:
        """Add up seats of people (NOT), or of bots."""
        ((total,),) = rows_by_sql(
            f"""
            SELECT SUM(x.sign * {value}) FROM ({SIGNED}) AS x
            JOIN games_handseat s ON s.hand_id = x.id
            JOIN players_player p ON p.id = s.player_id
            LEFT JOIN ({BET}) AS h ON h.hand_id = s.hand_id AND h.seat = s.number
            WHERE x.currency_id = %s AND x.at >= %s AND x.at < %s AND {whose} p.is_bot AND {at}
            """,
            *(self.currency, self.since, self.until),
        )
        return int(total or 0)

    def hands(self, value: str, at: str) -> int:
        ((total,),) = rows_by_sql(
            f"""
            SELECT {value} FROM ({SIGNED}) AS x LEFT JOIN (
                SELECT hand_id, SUM(handle) AS handle FROM ({BET}) AS y GROUP BY hand_id
            ) AS b ON b.hand_id = x.id
            WHERE x.currency_id = %s AND x.at >= %s AND x.at < %s AND {at}
            """,
            *(self.currency, self.since, self.until),
        )
        return int(total or 0)


GRANTED: Final = f"a.kind = 'player' AND t.kind = 'grant' AND NOT {OF_BOTS}"
FEES: Final = "a.kind = 'fee'"
POOLS: Final = "a.kind = 'jackpot' AND t.book_id = 'jackpots'"
AGAINST: Final = f"x.game IN {HOUSE_GAMES}"
BETWEEN: Final = f"x.game NOT IN {HOUSE_GAMES}"
PEOPLED: Final = """EXISTS (SELECT 1 FROM games_handseat s JOIN players_player p
    ON p.id = s.player_id WHERE s.hand_id = x.id AND NOT p.is_bot)"""
PLAYED: Final = "SUM(CASE WHEN x.sign > 0 THEN 1 ELSE 0 END)"
HANDLE: Final = "SUM(x.sign * COALESCE(b.handle, 0))"
OF_HOUSE_GAMES: Final = f"""
    t.book_id IN (SELECT 'table:' || CAST(id AS varchar) FROM games_table
    WHERE game IN {HOUSE_GAMES})
"""


def cash(kind: str, *, sign: int = 1) -> Callable[[Sums, By, dict[str, int]], int]:
    only = f"a.kind = 'player' AND t.book_id = 'cashier' AND t.kind = '{kind}'"
    return lambda said, by, found: sign * said.entries(only)


def gross(said: Sums, whose: str = "") -> int:
    """All that the ledger moved to the house: by the side of the payers, if it is of some."""
    if not whose:
        return said.by_hands("house", "jackpot", "rake") + said.entries(FEES)
    paid = f"""EXISTS (SELECT 1 FROM wallets_entry w JOIN wallets_account a ON a.id = w.account_id
        WHERE w.transaction_id = t.id AND a.kind = 'player' AND {whose} {OF_BOTS})"""
    return said.seats(whose) + said.entries(f"{FEES} AND {paid}")


def net_revenue(said: Sums, by: By, row: dict[str, int]) -> int:
    """A jackpot's money comes from no single player, and a grant from no table."""
    pools = 0 if by == "player" else said.by_hands("jackpot")
    return gross(said, "NOT") - pools - (said.entries(GRANTED) if by in ("day", "player") else 0)


TO_BOTS: Final = f"(t.kind = 'grant' AND {OF_BOTS})"
AT_THE_DESK: Final = "a.kind = 'player' AND t.book_id = 'cashier'"
# By report and column; `found` has the report's own sums, for two that the ledger has in one entry.
DUE: Final[dict[str, dict[str, Callable[[Sums, By, dict[str, int]], int]]]] = {
    "revenue": {
        "hands": lambda said, by, found: said.hands(PLAYED, ANY),
        "reversed": lambda said, by, found: said.hands("COUNT(*)", "x.sign < 0"),
        "handle": lambda said, by, found: said.hands(HANDLE, ANY),
        "won": lambda said, by, found: said.by_hands("house", "jackpot"),
        "rake": lambda said, by, found: said.by_hands("rake"),
        "fees": lambda said, by, found: said.entries(FEES),
        "gross": lambda said, by, found: gross(said),
        "from_people": lambda said, by, found: gross(said, "NOT"),
        "from_bots": lambda said, by, found: gross(said, "TRUE AND"),
        "pools": lambda said, by, found: said.by_hands("jackpot"),
        "grants": lambda said, by, found: said.entries(GRANTED),
        "net": net_revenue,
    },
    "returns": {
        "hands": lambda said, by, found: said.hands("SUM(x.sign)", AGAINST),
        "handle": lambda said, by, found: said.hands(HANDLE, AGAINST),
        "kept": lambda said, by, found: said.by_hands("house", "rake", at=OF_HOUSE_GAMES),
    },
    "liability": {
        **{
            column.name: lambda said, by, found, kind=kind: said.held(kind)
            for kind, column in OWED.items()
        },
        "owed": lambda said, by, found: said.held(*OWED),
        "bots": lambda said, by, found: said.held("bots"),
        "ledger": lambda said, by, found: said.held(*OWED, "bots"),
        "difference": lambda said, by, found: 0,
    },
    "jackpots": {
        "fed": lambda said, by, row: said.by_hands("jackpot") + row["hit"],
        "hit": lambda said, by, row: row["fed"] - said.by_hands("jackpot"),
        "hits": lambda said, by, row: row["hits"],
        "seeded": lambda said, by, found: said.entries(f"{POOLS} AND e.amount > 0"),
        "drained": lambda said, by, found: -said.entries(f"{POOLS} AND e.amount < 0"),
        "owed": lambda said, by, found: said.held("jackpot"),
    },
    "rake": {
        "hands": lambda said, by, found: said.hands(PLAYED, BETWEEN),
        "handle": lambda said, by, found: said.hands(HANDLE, BETWEEN),
        "rake": lambda said, by, found: said.by_hands("rake", at=f"NOT {OF_HOUSE_GAMES}"),
        "from_people": lambda said, by, found: said.seats("NOT", BETWEEN),
        "from_bots": lambda said, by, found: said.seats("TRUE AND", BETWEEN),
    },
    "players": {
        "with_people": lambda said, by, found: said.hands(PLAYED, PEOPLED),
        "handle_of_people": lambda said, by, found: said.seats("NOT", value="h.handle"),
        "net": lambda said, by, found: said.by_hands(
            "stack", "player", at=f"t.kind LIKE 'hand%%' AND NOT {OF_BOTS}"
        ),
    },
    "desk": {
        "movements": lambda said, by, found: said.entries(AT_THE_DESK, "COUNT(*)"),
        "deposits": cash("deposit"),
        "withdrawals": cash("withdrawal", sign=-1),
        "corrections": cash("correction"),
        "grants": lambda said, by, found: said.entries(GRANTED),
        "to_bots": lambda said, by, found: said.entries(f"t.kind = 'grant' AND {OF_BOTS}"),
        "net": lambda said, by, found: said.entries(f"{AT_THE_DESK} AND NOT {TO_BOTS}"),
    },
}


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 7, 31])
@pytest.mark.parametrize("name", REPORTS)
def test_a_range_has_the_sums_of_the_ledger(month: Month, name: str, length: int) -> None:
    for end in (month.last, month.today):
        span = Span(end - timedelta(days=length - 1), end)
        for by in REPORTS[name].allowed:
            rows = list(Query(REPORTS[name], span, by).rows())
            columns = REPORTS[name].columns(by)
            for currency in ("EUR", "JPY"):
                mine = [row for row in rows if row["currency"] == currency]
                # Bets are parts of hands, so only whole hands are added up.
                mine = [row for row in mine if not row.is_part]
                sums = range_sums(mine, columns, span)
                # A house without tills: `test_desk_receipts.py` has the cash of one.
                if by == "till":
                    assert not any(sums.values())
                    continue
                said = Sums(span, currency)
                due = {column: DUE[name][column](said, by, sums) for column in sums}
                assert sums == due, (by, currency, end)


@pytest.mark.django_db
def test_tiles_and_legend_show_what_is_owed_at_the_end(month: Month) -> None:
    currency = Currency.objects.get(pk="EUR")
    for length in (1, 7, 31):
        span = Span(month.last - timedelta(days=length - 1), month.last)
        query = Query(REPORTS["liability"], span, "day")
        said, rows = Sums(span, "EUR"), list(query.rows())
        mine = [row for row in rows if row["currency"] == "EUR"]
        shown = Shown(query, currency, mine, month.today)
        tiles = {
            str(total["words"]): (total["shown"], total["as_of"])
            for total in totals(shown, query.report.columns("day"))
        }
        wallets = show_amount(said.held("player"), currency)
        assert tiles["Wallets"] == (wallets, month.last)
        owed = show_amount(said.held(*OWED), currency)
        assert tiles["Owed to players"] == (owed, month.last)
        charts = charts_of(shown)
        # A single day is drawn as bars with their amounts, without a legend.
        said_so = f"Wallets <b>{wallets}</b>" if length > 1 else f">{wallets}<"
        assert said_so in "".join(charts)


@pytest.mark.django_db
def test_the_overview_compares_the_same_hours_of_a_week_ago(month: Month) -> None:
    week_ago = month.last - timedelta(days=7)
    whole, said = (Sums(Span(week_ago, week_ago), "EUR") for _number in range(2))
    # The first hour by which some of that day's hands are played, and not all.
    for hour in range(1, 24):
        now = start_of(month.last) + timedelta(hours=hour)
        said.until = f"{now - timedelta(days=7):%Y-%m-%d %H:%M:%S}"
        if said.hands(PLAYED, ANY):
            break
    assert 0 < said.hands(PLAYED, ANY) < whole.hands(PLAYED, ANY)
    euro = next(
        currency for currency in overview.day_figures(now).currencies if currency.code == "EUR"
    )
    gross_revenue, people, hands, *_others = euro.figures
    assert hands.before == str(said.hands(PLAYED, ANY))
    currency = Currency.objects.get(pk="EUR")
    due = (gross(said), said.seats("NOT"))
    assert [gross_revenue.before, people.before] == [
        show_amount(amount, currency, is_exact=True) for amount in due
    ]


@pytest.mark.parametrize(
    ("value", "past", "change", "is_marked"),
    [
        (5, 5, "+0%", False),
        (6, 5, "+20%", False),
        (61, 50, "+22%", True),
        (39, 50, "\N{MINUS SIGN}22%", True),
        (5, 0, "", True),
        (0, 0, "", False),
        (-7, 5, "", True),
        (5, None, "", False),
        (900, 5, "", True),
    ],
)
def test_what_changed_by_more_than_a_fifth_is_marked(
    value: int, past: int | None, change: str, is_marked: bool
) -> None:
    today = date(2026, 3, 2)
    column, euro = Column("hands", "", "count"), Currency(code="EUR", exponent=2)
    figure = overview.compared(column, {today: value}, past, today, euro)
    assert (figure.change, figure.is_marked) == (change, is_marked)
