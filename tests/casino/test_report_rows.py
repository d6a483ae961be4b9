"""Every report equals a second count, by SQL over the hands and the ledger, to the minor unit.

The statements here know nothing of the reports' code: they read the tables that play has written.
One closed day is read from its hands instead of its stored sums, and one hand was reversed later.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from casino.office.reports.columns import By
from casino.office.reports.details import Activity
from casino.office.reports.facts import Span
from casino.office.reports.figures import Figures
from casino.office.reports.models import PlayerDay, SummedDay, TableDay
from casino.office.reports.report import REPORTS, query_at
from games.models import Day, Hand
from games.records import closed_days
from games.rules.catalogue import GAMES, against_house
from games.tables.settings import costs_of_jackpot
from tests.casino.report_rows import (
    BET,
    DAY,
    HOUSE_GAMES,
    KIND,
    OF_BOTS,
    SIGNED,
    days,
    rows,
    rows_by_sql,
    whole,
)
from tests.casino.seeded import FEE, SeededHouse
from wallets.models import Jackpot
from wallets.values.days import day_of

SCENE = "seeded"
pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.usefixtures("seeded")]


def instant_of(stored: object) -> datetime:
    """A time as either database gives it."""
    at = stored if isinstance(stored, datetime) else datetime.fromisoformat(str(stored))
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


KEYS = {"game": "x.game", "table": "x.table_id"}


@pytest.mark.parametrize("by", KEYS)
def test_revenue_equals_the_hands(seeded: SeededHouse, by: By) -> None:
    span = whole(seeded)
    counted = rows_by_sql(
        f"""
        SELECT {KEYS[by]}, x.currency_id, SUM(CASE WHEN x.sign > 0 THEN 1 ELSE 0 END),
            SUM(x.sign * COALESCE(b.handle, 0)), SUM(x.sign * x.rake), SUM(x.sign * x.bank)
        FROM ({SIGNED}) AS x LEFT JOIN (
            SELECT hand_id, SUM(handle) AS handle FROM ({BET}) AS y GROUP BY hand_id
        ) AS b ON b.hand_id = x.id
        WHERE x.at >= %s AND x.at < %s GROUP BY {KEYS[by]}, x.currency_id
        """,
        *days(span),
    )
    key = "number" if by == "table" else "game"
    reported = {
        (row[key], row["currency"]): (
            *(row["hands"], row["handle"], row["rake"]),
            row["won"] - row["pools"],
        )
        for row in rows("revenue", span, by)
        # One row at no table is of the fees of tournaments.
        if row["number" if by == "table" else "hands"] != ""
    }
    assert reported == {(of, currency): tuple(sums) for of, currency, *sums in counted}
    # The games against the house and some of those between players: each of these is rare.
    assert len(reported) > sum(map(against_house, GAMES))


@pytest.mark.parametrize(
    ("by", "column", "key"), [("table", "g.id", "number"), ("game", "g.game", "game")]
)
def test_revenue_is_what_the_ledger_moved_to_the_house(
    seeded: SeededHouse, by: By, column: str, key: str
) -> None:
    span = whole(seeded)
    moved = rows_by_sql(
        f"""
        SELECT {column}, a.currency_id, SUM(e.amount) FROM wallets_entry e
        JOIN wallets_account a ON a.id = e.account_id
        JOIN wallets_transaction t ON t.id = e.transaction_id
        JOIN games_table g ON a.owner = 'table:' || g.id
        WHERE a.kind IN ('house', 'rake') AND t.time >= %s AND t.time < %s
        GROUP BY {column}, a.currency_id
        """,
        *days(span),
    )
    reported = {
        (row[key], row["currency"]): row["gross"] - row["pools"] - row["fees"]
        for row in rows("revenue", span, by)
        # A table at which the house has neither won nor lost may have no entry.
        if row["gross"] - row["pools"] - row["fees"]
    }
    assert reported == {(group, currency): amount for group, currency, amount in moved if amount}


@pytest.mark.always
def test_revenue_of_a_day_is_gross_less_pools_and_grants(seeded: SeededHouse) -> None:
    span = whole(seeded)
    gifts = dict(
        rows_by_sql(
            f"""
            SELECT a.currency_id, SUM(e.amount) FROM wallets_entry e
            JOIN wallets_account a ON a.id = e.account_id
            JOIN wallets_transaction t ON t.id = e.transaction_id
            WHERE a.kind = 'player' AND t.kind = 'grant' AND NOT {OF_BOTS}
                AND t.time >= %s AND t.time < %s
            GROUP BY a.currency_id
            """,
            *days(span),
        )
    )
    report = rows("revenue", span, "day")
    for currency in ("EUR", "JPY"):
        mine = [row for row in report if row["currency"] == currency]
        assert sum(row["grants"] for row in mine) == gifts.get(currency, 0)
        for row in mine:
            assert row["net"] == row["from_people"] - row["pools"] - row["grants"]
            assert row["gross"] == row["won"] + row["rake"] + row["fees"]
            assert row["gross"] == row["from_people"] + row["from_bots"]
    back = [row for row in report if row["day"] == seeded.today]
    assert [(row["hands"], row["reversed"]) for row in back] == [(0, 1)]
    assert back[0]["won"] == -seeded.reversed.bank
    # A person and a bot have entered an event; another person has left it.
    assert back[0]["fees"] == 2 * FEE


@pytest.mark.parametrize("name", ["revenue", "rake"])
def test_a_player_is_counted_as_by_sql(seeded: SeededHouse, name: str) -> None:
    span = whole(seeded)
    only = f"WHERE s.game NOT IN {HOUSE_GAMES} AND" if name == "rake" else "WHERE"
    counted = rows_by_sql(
        f"""
        SELECT s.player_id, s.currency_id, SUM(CASE WHEN x.sign > 0 THEN 1 ELSE 0 END),
            SUM(x.sign * COALESCE(b.handle, 0)), SUM(x.sign * s.rake),
            SUM(CASE WHEN s.game IN {HOUSE_GAMES} THEN -x.sign * (s.net + s.rake) ELSE 0 END)
        FROM games_handseat s JOIN ({SIGNED}) AS x ON x.id = s.hand_id
        LEFT JOIN ({BET}) AS b ON b.hand_id = s.hand_id AND b.seat = s.number
        {only} x.at >= %s AND x.at < %s GROUP BY s.player_id, s.currency_id
        """,
        *days(span),
    )
    reported = {
        (row["number"], row["currency"]): (
            *(row["hands"], row["handle"], row["rake"]),
            *((row["won"],) if name == "revenue" else ()),
        )
        for row in rows(name, span, "player")
        # An entrant of an event may have played no hand.
        if row["hands"] or row["handle"]
    }
    width = 4 if name == "revenue" else 3
    assert reported == {(who, code): tuple(sums[:width]) for who, code, *sums in counted}


@pytest.mark.always
@pytest.mark.parametrize("by", ["day", "game", "table"])
def test_players_are_counted_once(seeded: SeededHouse, by: By) -> None:
    span = Span(seeded.first, seeded.last)
    of = {"day": DAY[connection.vendor], **KEYS}[by]
    counted = rows_by_sql(
        f"""
        SELECT {of}, x.currency_id, COUNT(DISTINCT CASE WHEN NOT p.is_bot THEN p.id END),
            COUNT(DISTINCT CASE WHEN p.is_bot THEN p.id END), COUNT(DISTINCT x.id),
            COUNT(DISTINCT CASE WHEN NOT p.is_bot THEN x.id END)
        FROM ({SIGNED}) AS x JOIN games_handseat s ON s.hand_id = x.id
        JOIN players_player p ON p.id = s.player_id
        WHERE x.sign > 0 AND x.at >= %s AND x.at < %s GROUP BY {of}, x.currency_id
        """,
        *days(span),
    )
    key = {"day": "day", "game": "game", "table": "number"}[by]
    for name, columns in (
        ("revenue", ("players", "bots", "hands")),
        ("players", ("players", "with_people")),
    ):
        reported = {
            (str(row[key]), row["currency"]): tuple(row[column] for column in columns)
            for row in rows(name, span, by)
        }
        due = {
            (str(of), code): (who, bots, hands) if name == "revenue" else (who, with_people)
            for of, code, who, bots, hands, with_people in counted
            # A group without a person is in no report of players.
            if name == "revenue" or who
        }
        assert reported == due


def test_newcomers_are_those_of_the_first_day(seeded: SeededHouse) -> None:
    span = Span(seeded.first, seeded.last)
    firsts = rows_by_sql(
        "SELECT player_id, MIN(x.at) FROM games_handseat s JOIN players_player p"
        f" ON p.id = s.player_id JOIN ({SIGNED}) AS x ON x.id = s.hand_id"
        " WHERE NOT p.is_bot AND x.sign > 0 GROUP BY player_id"
    )
    days_of = [str(day_of(instant_of(at))) for _player, at in firsts]
    for row in rows("players", span, "day"):
        assert row["new"] + row["returning"] == row["players"]
    for day in sorted(set(days_of)):
        first_day = date.fromisoformat(day)
        new = {
            player
            for row in rows("players", Span(first_day, first_day), "player")
            if row["since"] == first_day
            for player in (row["number"],)
        }
        assert len(new) == days_of.count(day)


@pytest.mark.always
def test_liability_equals_the_ledger_at_the_end_of_every_day(seeded: SeededHouse) -> None:
    span = whole(seeded)
    kinds = {"player": "wallets", "stack": "stacks", "escrow": "set_aside"}
    kinds |= {"guarantee": "guarantees", "jackpot": "pools", "prize": "tournaments"}
    report = rows("liability", span, "day")
    assert {row["day"] for row in report} == {
        seeded.first + timedelta(days=number) for number in range(span.days)
    }
    for row in report:
        sums = dict(
            rows_by_sql(
                f"""
                SELECT {KIND} AS held, SUM(e.amount) FROM wallets_entry e
                JOIN wallets_account a ON a.id = e.account_id
                JOIN wallets_transaction t ON t.id = e.transaction_id
                WHERE a.currency_id = %s AND t.time < %s GROUP BY held
                """,
                row["currency"],
                days(Span(row["day"], row["day"]))[1],
            )
        )
        assert {name: row[name] for name in kinds.values()} == {
            name: sums.get(kind, 0) for kind, name in kinds.items()
        }
        assert row["owed"] == sum(row[name] for name in kinds.values())
        assert row["bots"] == sums.pop("bots", 0)
        assert row["ledger"] == -sum(sums.get(kind, 0) for kind in sums.keys() - kinds.keys())
        assert row["difference"] == 0


@pytest.mark.always
def test_liability_equals_the_ledger_at_any_instant(seeded: SeededHouse) -> None:
    times = rows_by_sql("SELECT time FROM wallets_transaction ORDER BY id")
    for (at,) in (times[len(times) // 3], times[len(times) // 2], times[-5]):
        query = query_at("liability", instant_of(at).isoformat(), timezone.now())
        for row in query.rows():
            sums = dict(
                rows_by_sql(
                    f"""
                    SELECT {KIND} AS held, SUM(e.amount) FROM wallets_entry e
                    JOIN wallets_account a ON a.id = e.account_id
                    JOIN wallets_transaction t ON t.id = e.transaction_id
                    WHERE a.currency_id = %s AND t.time < %s GROUP BY held
                    """,
                    row["currency"],
                    at,
                )
            )
            assert (row["wallets"], row["stacks"]) == (sums["player"], sums.get("stack", 0))
            assert row["difference"] == 0


def test_jackpots_equal_the_entries_of_their_pools(seeded: SeededHouse) -> None:
    span = whole(seeded)
    moved = rows_by_sql(
        """
        SELECT j.name, SUM(CASE WHEN t.kind LIKE 'hand%%' THEN e.amount ELSE 0 END),
            SUM(CASE WHEN t.kind = 'seed' THEN e.amount ELSE 0 END)
        FROM wallets_jackpot j JOIN wallets_entry e ON e.account_id = j.pool_id
        JOIN wallets_transaction t ON t.id = e.transaction_id GROUP BY j.name
        """
    )
    report = rows("jackpots", span, "day")
    for name, by_hands, seeded_with in moved:
        mine = [row for row in report if row["jackpot"] == name]
        assert sum(row["fed"] - row["hit"] for row in mine) == by_hands
        assert sum(row["seeded"] for row in mine) == seeded_with
        (balance,) = rows_by_sql(
            "SELECT a.balance FROM wallets_account a JOIN wallets_jackpot j ON j.pool_id = a.id"
            " WHERE j.name = %s",
            name,
        )[0]
        assert max(mine, key=lambda row: row["day"])["owed"] == balance
    by_table = rows("jackpots", span, "table")
    assert sum(row["fed"] for row in by_table) == sum(row["fed"] for row in report) > 0
    fallen = rows_by_sql("SELECT COUNT(*) FROM wallets_trigger WHERE opened_at IS NOT NULL")
    hits = sum(row["hits"] for row in report if row["jackpot"] == "Midnight prize")
    assert hits == fallen[0][0] > 0


def test_the_house_keeps_some_of_the_bonus_bets_of_every_jackpot(seeded: SeededHouse) -> None:
    pools = Jackpot.objects.all()
    kept = [cost.kept for pool in pools for cost in costs_of_jackpot(pool)]
    assert len(kept) == len(pools) > 0
    assert min(kept) > 0


@pytest.mark.always
def test_the_desk_equals_the_cashiers_book(seeded: SeededHouse) -> None:
    span = whole(seeded)
    counted = rows_by_sql(
        """
        SELECT t.actor, a.currency_id, t.kind, COUNT(*), SUM(e.amount) FROM wallets_entry e
        JOIN wallets_account a ON a.id = e.account_id
        JOIN wallets_transaction t ON t.id = e.transaction_id
        WHERE t.book_id = 'cashier' AND a.kind = 'player' GROUP BY t.actor, a.currency_id, t.kind
        """
    )
    for by in ("day", "player"):
        sums: dict[tuple[str, str, str], int] = {}
        movements = 0
        for row in rows("desk", span, by):
            movements += row["movements"]
            for kind, name in (("deposit", "deposits"), ("withdrawal", "withdrawals")):
                key = (row["cashier"], row["currency"], kind)
                sums[key] = sums.get(key, 0) + row[name]
        assert movements == sum(count for *_, count, _amount in counted)
        names = dict(rows_by_sql("SELECT id, username FROM players_player"))
        for actor, currency, kind, _count, amount in counted:
            if kind in ("deposit", "withdrawal"):
                who = names[int(actor.partition(":")[2])]
                assert sums[who, currency, kind] == abs(amount)


@pytest.mark.parametrize("name", ["revenue", "rake"])
def test_a_profile_and_a_day_are_counted_as_by_sql(seeded: SeededHouse, name: str) -> None:
    """The seeded tables follow no profile, so the hands of one game and its options are one."""
    span = whole(seeded)
    only = f"x.game NOT IN {HOUSE_GAMES} AND" if name == "rake" else ""
    ends = DAY[connection.vendor]
    groupings: dict[By, str] = {
        "profile": "x.game, CAST(h.options AS text)",
        "day": f"{ends}, ''",
    }
    for by, of in groupings.items():
        counted = rows_by_sql(
            f"""
            SELECT {of}, x.currency_id, SUM(CASE WHEN x.sign > 0 THEN 1 ELSE 0 END),
                SUM(x.sign * COALESCE(b.handle, 0)), SUM(x.sign * x.rake)
            FROM ({SIGNED}) AS x JOIN games_hand h ON h.id = x.id LEFT JOIN (
                SELECT hand_id, SUM(handle) AS handle FROM ({BET}) AS y GROUP BY hand_id
            ) AS b ON b.hand_id = x.id
            WHERE {only} x.at >= %s AND x.at < %s GROUP BY 1, 2, 3
            """,
            *days(span),
        )
        key = "game" if by == "profile" else "day"
        reported = [
            (str(row[key]), row["currency"], row["hands"], row["handle"], row["rake"])
            for row in rows(name, span, by)
            if by == "day" or row["hands"] or row["handle"]
        ]
        due = [(str(of), code, *sums) for of, _options, code, *sums in counted]
        assert sorted(reported) == sorted(due), by


@pytest.mark.always
def test_cohorts_are_counted_as_by_sql(seeded: SeededHouse) -> None:
    """Who first played on a day, and who of them has played since, in a house of four days."""
    played = {
        (player, day_of(instant_of(at)))
        for player, at in rows_by_sql(
            f"SELECT s.player_id, x.at FROM ({SIGNED}) AS x JOIN games_handseat s"
            " ON s.hand_id = x.id JOIN players_player p ON p.id = s.player_id"
            " WHERE x.sign > 0 AND NOT p.is_bot"
        )
    }
    first: dict[int, date] = {}
    for player, day in sorted(played, key=lambda one: one[1]):
        first.setdefault(player, day)
    week_later = seeded.first + timedelta(days=7)
    activity = Activity(Figures(Span(seeded.first, seeded.today)))
    activity.grouped("day")
    for currency in ("EUR", "JPY"):
        group = (week_later, currency)
        cohort = activity.people("day", group, set())["cohort"]
        returned = activity.people("day", group, set())["returned"]
        assert cohort <= {player for player, day in first.items() if day == seeded.first}
        assert returned == {
            player
            for player in cohort
            if any(day > seeded.first for who, day in played if who == player)
        }
    everybody = [
        activity.people("day", (week_later, code), set())["cohort"] for code in ("EUR", "JPY")
    ]
    assert everybody[0] | everybody[1] == {
        player for player, day in first.items() if day == seeded.first
    }


def test_stored_sums_and_hands_give_the_same_report(seeded: SeededHouse) -> None:
    span = whole(seeded)
    wanted = [(name, by) for name, report in REPORTS.items() for by in report.allowed]
    stored = {pair: rows(pair[0], span, pair[1]) for pair in wanted}
    SummedDay.objects.filter(day=seeded.last).delete()
    assert not PlayerDay.objects.filter(on=seeded.last).exists()
    for (name, by), before in stored.items():
        assert rows(name, span, by) == before, (name, by)


def test_the_audit_notices_changed_sums_and_mends_them(seeded: SeededHouse) -> None:
    day = Day.objects.get(day=seeded.first)
    assert list(closed_days.wrong_day(day)) == []
    TableDay.objects.filter(on=seeded.first, bet="").update(won=1)
    (sentence,) = closed_days.wrong_day(day)
    assert sentence == "its sums for reports, tableday, are not what the hands give"
    closed_days.mend_day(day)
    assert list(closed_days.wrong_day(day)) == []


@pytest.mark.always
def test_the_next_closing_writes_sums_that_are_missing(seeded: SeededHouse) -> None:
    SummedDay.objects.filter(day=seeded.first).delete()
    last = Hand.objects.latest("ended_at").ended_at
    assert last is not None
    closed_days.close_days(last + timedelta(days=1))
    assert SummedDay.objects.filter(day=seeded.first).exists()


def test_a_closed_day_is_read_without_its_hands(
    seeded: SeededHouse, django_assert_max_num_queries: Any
) -> None:
    span = Span(seeded.first, seeded.last)
    for name, report in REPORTS.items():
        for by in report.allowed:
            # However many days, tables and players a report has.
            with django_assert_max_num_queries(12) as queries:
                rows(name, span, by)
            texts = " ".join(query["sql"] for query in queries.captured_queries)
            assert "games_move" not in texts, (name, by)
    assert Figures(span).counted_days == {}


def test_the_audit_of_a_seeded_house_is_clean(seeded: SeededHouse, capsys: Any) -> None:
    call_command("reconcile", everything=True)
    assert "all accounts and all books fit" in capsys.readouterr().out
