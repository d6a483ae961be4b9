"""Watching whether every change of a table raises its version, as copies of tables rely on.

A table is what a copy of it holds: its row, its taken seats, and their stacks. After
each transaction it is compared with what it was before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from django.db import connection, transaction

from games.models import Seat, Table

# The columns that change without a version, with the reason why no copy depends on them.
UNVERSIONED: Final = {
    Table: {
        "version": "it is the version",
        "due_at": "the clock reads the row, and sets it again where nothing is due",
        "sealed_invitation": "encrypted again with a new key, it says the same",
    },
    Seat: {
        "seen_at": "presence; an end of a hand reads the seats again",
        "here_until": "presence; a player who leaves a hand makes a version",
        "shown_offline": "presence; play does not ask for it",
        "reply_ms": "it decides only whether an act takes the lock, which reads the seats again",
        "loss_seen": "it says something of seats that were given up, and no copy has these",
    },
}
WRITING: Final = ("INSERT", "UPDATE", "DELETE", "WITH")

Tables = dict[int, tuple[int, dict[str, object]]]


class Unraised(AssertionError):
    """A transaction has changed a table and left its version as it was."""


def versioned(model: Any) -> list[str]:
    """The columns of a row that belong to a version."""
    columns = [field.attname for field in model._meta.concrete_fields]
    return [column for column in columns if column not in UNVERSIONED[model]]


def tables() -> Tables:
    """Each table's version, and what a copy of it holds."""
    tables: Tables = {
        row["id"]: (row["version"], dict(row))
        for row in Table.objects.order_by("pk").values("version", *versioned(Table))
    }
    seats = Seat.objects.filter(left_at=None).order_by("pk")
    for row in seats.values("stack__balance", *versioned(Seat)):
        at = tables[row["table_id"]][1]
        at |= {f"seat {row['id']}: {column}": value for column, value in row.items()}
    for _version, held in tables.values():
        held.pop("version")
    return tables


class _Watch:
    def __init__(self) -> None:
        # A test may be a transaction itself.
        self._depth, self._inside = len(connection.savepoint_ids), connection.in_atomic_block
        self.known = tables()
        self._comparing = False

    def compare(self) -> None:
        """Compare with what was known, unless a transaction is still at work."""
        broken = connection.in_atomic_block and connection.needs_rollback
        if self._comparing or self._in_transaction() or broken:
            return
        self._comparing = True
        try:
            before, self.known = self.known, tables()
        finally:
            self._comparing = False
        for number, (version, held) in self.known.items():
            earlier, had = before.get(number, (-1, held))
            changed = {
                name: (had.get(name), held.get(name))
                for name in had.keys() | held.keys()
                if had.get(name) != held.get(name)
            }
            if changed and version <= earlier:
                raise Unraised(f"table {number} is still at version {version}: {changed}")

    def statement(self, execute: Any, sql: str, *given: Any) -> Any:
        answer = execute(sql, *given)
        if sql.startswith(WRITING):
            self.compare()
        return answer

    def _in_transaction(self) -> bool:
        """Whether a transaction has begun since the watch has."""
        deeper = len(connection.savepoint_ids) > self._depth
        return deeper or (connection.in_atomic_block and not self._inside)


@contextmanager
def watched() -> Iterator[None]:
    """Inside, a transaction that changes a table and does not raise its version fails."""
    watch, leave = _Watch(), transaction.Atomic.__exit__

    def after(atomic: Any, kind: Any, error: Any, trace: Any) -> Any:
        answer = leave(atomic, kind, error, trace)
        if kind is None:
            watch.compare()
        return answer

    with (
        patch.object(transaction.Atomic, "__exit__", after),
        connection.execute_wrapper(watch.statement),
    ):
        yield
        # A posting on PostgreSQL is a prepared statement, which no wrapper sees.
        watch.compare()
