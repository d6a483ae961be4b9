"""What must be true of a house after every fault, read from its database by plain SQL."""

import json
import time
from collections.abc import Iterable
from typing import Any, Final

import psycopg

from bench.crowd_guest import Acknowledged
from tests.houses.folder import Folder

# A turn's end may be this late once everything works again.
OVERDUE_SECONDS_MAX: Final = 5.0
NAMES: Final = (
    "ledger at zero",
    "stacks = accounts",
    "acknowledged = stored",
    "one effect",
    "overdue resolved",
    "play goes on",
    "audit clean",
)

LEDGER: Final = """
    SELECT currency_id, sum(balance) FROM wallets_account
    GROUP BY currency_id HAVING sum(balance) <> 0
    UNION ALL
    SELECT transaction_id::text, sum(amount) FROM wallets_entry
    GROUP BY transaction_id HAVING sum(amount) <> 0
"""
STACKS: Final = """
    SELECT a.id, a.balance, coalesce(sum(e.amount), 0)
    FROM wallets_account a LEFT JOIN wallets_entry e ON e.account_id = a.id
    GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0)
    UNION ALL
    SELECT s.stack_id, a.balance, 0 FROM games_seat s JOIN wallets_account a ON a.id = s.stack_id
    WHERE (s.left_at IS NOT NULL AND a.balance <> 0) OR a.balance < 0
"""
# A turn that was played twice.
TWICE: Final = """
    SELECT hand_id, seat, turn, count(*) FROM games_move
    GROUP BY hand_id, seat, turn HAVING count(*) > 1
"""
# By the database's own clock: those of the programs are what may be wrong.
OVERDUE: Final = """
    SELECT id FROM games_table WHERE due_at < now() - interval '1 second' AND status <> 'closed'
"""
# A deadline further away would stop the play at a table of the crowd.
STRANDED: Final = """
    SELECT id, due_at FROM games_table
    WHERE name LIKE 'Crowd %' AND due_at > now() + interval '2 minutes'
"""
MOVES: Final = """
    SELECT hand_id, seat, turn, action, sealed_action FROM games_move WHERE hand_id = ANY(%s)
"""


def ledger_at_zero(database: psycopg.Connection) -> str:
    return _rows(database, LEDGER)


def none_is_stranded(database: psycopg.Connection) -> str:
    return _rows(database, STRANDED)


def acknowledged_are_stored(database: psycopg.Connection, moves: Iterable[Acknowledged]) -> str:
    """Every move that a player was told of is there, with the action that was sent."""
    notes = list(moves)
    hands = sorted({move.hand for move in notes})
    rows = database.execute(MOVES, [hands]).fetchall()
    return missing(notes, rows)


def invariants(
    database: psycopg.Connection, moves: Iterable[Acknowledged]
) -> tuple[dict[str, str], float]:
    """What broke, by invariant, "" where one holds; and how long a table was overdue."""
    waited = seconds_until_none_overdue(database, 6 * OVERDUE_SECONDS_MAX)
    verdicts = {
        "ledger at zero": ledger_at_zero(database),
        "stacks = accounts": _rows(database, STACKS),
        "acknowledged = stored": acknowledged_are_stored(database, moves),
        "one effect": _rows(database, TWICE),
        "overdue resolved": "" if waited <= OVERDUE_SECONDS_MAX else f"after {waited:.0f} s",
    }
    return verdicts, waited


def audited(house: Folder) -> str:
    """The house's own audit of every hand and its reconciliation; "" where both are clean."""
    for words in ("audit", "reconcile"):
        done = house.manage(words)
        if done.returncode:
            return f"{words}: {(done.stdout + done.stderr)[-600:]}"
    return ""


def missing(notes: Iterable[Acknowledged], rows: Iterable[tuple[Any, ...]]) -> str:
    """The first acknowledged move without its row, in words; a sealed action is not read."""
    stored: dict[tuple[int, int, int], list[str | None]] = {}
    for hand, seat, turn, action, sealed in rows:
        text = None if sealed else json.dumps(action, sort_keys=True)
        stored.setdefault((hand, seat, turn), []).append(text)
    gone = [
        move
        for move in notes
        if not _is_stored(move, stored.get((move.hand, move.seat, move.turn), []))
    ]
    if not gone:
        return ""
    first = gone[0]
    return f"{len(gone)} missing, such as {first.action} of hand {first.hand}, turn {first.turn}"


def _is_stored(move: Acknowledged, texts: list[str | None]) -> bool:
    """Whether one of the stored actions is, or may be, the one that was acknowledged."""
    return bool(texts) and (not move.action or None in texts or move.action in texts)


def seconds_until_none_overdue(database: psycopg.Connection, seconds_max: float) -> float:
    """How long it took until no table was overdue any more; infinite if it took too long."""
    began = time.monotonic()
    while time.monotonic() - began < seconds_max:
        if not database.execute(OVERDUE).fetchall():
            return time.monotonic() - began
        time.sleep(0.1)
    return float("inf")


def _rows(database: psycopg.Connection, statement: str) -> str:
    """Every row of such a statement is something wrong; the first of them, in words."""
    rows = database.execute(statement).fetchall()
    return f"{len(rows)} wrong, such as {rows[0]}" if rows else ""
