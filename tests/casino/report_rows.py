"""The rows of a report, and a second count of them by SQL."""

from typing import Any

from django.db import connection

from casino.office.reports.columns import By, Row
from casino.office.reports.facts import Span, bounds
from casino.office.reports.report import REPORTS, Query
from tests.casino.seeded import SeededHouse

HOUSE_GAMES = "('baccarat', 'baccarat_commission', 'blackjack', 'casino_holdem', 'russian_poker')"
# What each hand adds on the day of its end, and what its reversal takes away on a later one.
SIGNED = """
    SELECT h.id, h.table_id, h.game, h.rake, h.bank, t.currency_id, h.ended_at AS at, 1 AS sign
    FROM games_hand h JOIN games_table t ON t.id = h.table_id
    WHERE h.status = 'finished' OR h.reversed_at IS NOT NULL
    UNION ALL
    SELECT h.id, h.table_id, h.game, h.rake, h.bank, t.currency_id, h.reversed_at, -1
    FROM games_hand h JOIN games_table t ON t.id = h.table_id WHERE h.reversed_at IS NOT NULL
"""
# What was bet before the cards, by hand and seat; between players what the winners won.
BET = f"""
    SELECT m.hand_id, m.seat, SUM(CAST(m.action ->> 'amount' AS BIGINT)
        + COALESCE(CAST(m.action ->> 'bonus' AS BIGINT), 0)) AS handle
    FROM games_move m JOIN games_hand h ON h.id = m.hand_id
    WHERE h.game IN {HOUSE_GAMES} AND m.action ->> 'do' IN ('bet', 'ante')
    GROUP BY m.hand_id, m.seat
    UNION ALL
    SELECT s.hand_id, s.number, s.net + s.rake FROM games_handseat s
    WHERE s.game NOT IN {HOUSE_GAMES} AND s.net + s.rake > 0
"""

BOTS = "SELECT 'player:' || id FROM players_player WHERE is_bot"
OF_BOTS = f"""(a.owner IN ({BOTS}) OR a.id IN (
    SELECT s.stack_id FROM games_seat s JOIN players_player p ON p.id = s.player_id
    WHERE p.is_bot))"""
# The money of bots is the house's. Escrow of players waits for the desk, all other is a guarantee.
KIND = f"""(CASE WHEN a.kind IN ('player', 'stack') AND {OF_BOTS} THEN 'bots'
    WHEN a.kind <> 'escrow' THEN a.kind WHEN a.owner LIKE 'player:%%' THEN 'escrow'
    ELSE 'guarantee' END)"""
DAY = {
    "sqlite": "date(x.at, '-6 hours')",
    "postgresql": "CAST(x.at AT TIME ZONE 'UTC' - INTERVAL '6 hours' AS date)",
}


def rows_by_sql(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [tuple(row) for row in cursor.fetchall()]


def days(span: Span) -> tuple[str, str]:
    """When the range begins and ends, as the database stores it."""
    begins, ends = (f"{at:%Y-%m-%d %H:%M:%S}" for at in bounds(span))
    return begins, ends


def rows(name: str, span: Span, by: By) -> list[Row]:
    report = REPORTS[name]
    rows = list(Query(report, span, by).rows())
    for row in rows:
        assert {column.name for column in report.columns(by)} <= row.cells.keys()
    return rows


def whole(seeded: SeededHouse) -> Span:
    return Span(seeded.first, seeded.today)
