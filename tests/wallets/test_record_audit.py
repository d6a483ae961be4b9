"""The changes that were recorded of a row follow one another, up to what the row is now."""

import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from django.db import connection

from wallets.audit import record_audit
from wallets.audit.record_audit import Change, What
from wallets.models.record_models import ClosingDigest
from wallets.of_record.digests import Total
from wallets.values.columns import of_table

Row = dict[str, Any]

AT: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
TABLE: Final = "wallets_houselimit"
OLD: Final[Row] = {"name": "deposit", "value": 5}
NEW: Final[Row] = {"name": "deposit", "value": 7}
WIDER: Final[Row] = {**OLD, "note": "x"}
SKIPPED: Final = f"the column value changed unrecorded before {AT}."


def text(row: Row | None) -> str | None:
    return None if row is None else json.dumps(row)


def change(what: str, before: Row | None, after: Row | None, position: int = 1) -> Change:
    return Change(what, text(before), text(after), AT, position)


ADDED: Final = change(What.INSERT, None, OLD)
RAISED: Final = change(What.UPDATE, OLD, NEW, 2)
DELETED: Final = change(What.DELETE, OLD, None, 2)

CASES: Final[dict[str, tuple[Row | None, list[Change], list[str]]]] = {
    "as it was added": (OLD, [ADDED], []),
    "as it was changed": (NEW, [ADDED, RAISED], []),
    "deleted, and gone": (None, [ADDED, DELETED], []),
    "from before its table was declared": (OLD, [change(What.BASELINE, None, OLD)], []),
    "declared again, with a column more": (WIDER, [ADDED, change(What.BASELINE, None, WIDER)], []),
    "declared again, with another value": (
        NEW,
        [ADDED, change(What.BASELINE, None, NEW)],
        [SKIPPED],
    ),
    "changed from what it was not": (NEW, [ADDED, change(What.UPDATE, NEW, NEW)], [SKIPPED]),
    "changed, with a column more than it had": (
        WIDER,
        [ADDED, change(What.UPDATE, WIDER, WIDER)],
        [f"the column note changed unrecorded before {AT}."],
    ),
    "added twice": (
        OLD,
        [ADDED, ADDED],
        [f"the row was recorded as added at {AT}, when it was there already."],
    ),
    "edited": (NEW, [ADDED], [f"the column value is 7, and 5 was recorded at {AT}."]),
    "never recorded": (OLD, [], ["nothing was recorded when this row was added."]),
    "there after its deletion": (
        OLD,
        [ADDED, DELETED],
        ["nothing was recorded when this row was added."],
    ),
    "deleted unrecorded": (None, [ADDED], [f"the row is gone; it was last recorded at {AT}."]),
}


class Answering:
    """A database that answers with one row and its changes; it is there, or it is gone."""

    def __init__(self, row: Row | None, changes: list[Any]) -> None:
        there = [("deposit", "deposit", text(row), *change) for change in changes or [(None,) * 5]]
        self.present = [[], there] if row is not None else [[]]
        self.gone = [("deposit", *change) for change in changes] if row is None else []

    def cursor(self) -> AbstractContextManager["Answering"]:
        return nullcontext(self)

    def execute(self, *_: object) -> None:
        """It has one answer to everything."""

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.present.pop()

    def fetchone(self) -> tuple[object, ...] | None:
        return self.gone.pop(0) if self.gone else None

    def __getattr__(self, name: str) -> Any:
        return getattr(connection, name)


def findings(
    patch: pytest.MonkeyPatch,
    row: Row | None,
    changes: list[Change],
    closed: ClosingDigest | None = None,
    digested: tuple[str, ...] = (),
) -> list[str]:
    patch.setattr(record_audit, "connection", Answering(row, changes))
    declared = of_table(TABLE)
    assert declared is not None
    declared = replace(declared, digested=digested)
    ((there, row_findings), *whole) = record_audit.check_table(declared, closed)
    assert there == (row is not None)
    return [
        finding.sentence
        for finding in row_findings + [finding for _, more in whole for finding in more]
    ]


@pytest.mark.parametrize("case", CASES)
def test_a_row_is_compared_with_its_record(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row, changes, sentences = CASES[case]
    complaints = findings(monkeypatch, row, changes)
    assert complaints == [f"{TABLE} deposit: {sentence}" for sentence in sentences]


def test_a_column_that_only_its_hash_records_is_not_written_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (sentence,) = findings(monkeypatch, NEW, [ADDED], digested=("value",))
    assert sentence.endswith(f"is not what was recorded at {AT}; the record has its hash.")


@pytest.mark.parametrize(("closed_with", "fits"), [(OLD, True), (NEW, False)])
def test_the_rows_of_a_closing_add_up_to_its_digest(
    closed_with: Row, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Changes after the last one that was closed do not count."""
    total = Total().plus("deposit", json.dumps(closed_with))
    closed = ClosingDigest(position=1, rows=total.rows, digest=total.digest)
    complaints = findings(monkeypatch, NEW, [ADDED, RAISED], closed)
    whole = f"The rows of {TABLE} at the last closing do not add up to its digest."
    assert complaints == ([] if fits else [whole])
