"""How long the record of changes takes with a million rows of record, on PostgreSQL.

    python -m bench.of_record [ROWS]

The rows are written in one statement, with the triggers on and then off. Then every change gets its
place, the books are closed, some rows change, and the audit compares all rows with the record.
Times are beside those of so many additions, since machines differ.
"""

import sys
import time
from collections.abc import Callable
from typing import Final

from bench.calibration import additions_per_second
from tests.houses import open_house

ROWS: Final = 1_000_000
# The table has no keys of other tables.
FILL: Final = """
    INSERT INTO alarms_alarm (kind, subject, figures, raised_at, taken_by, taken_by_name, note)
    SELECT 'queue', 'table:' || n, '{{}}', now() - n * interval '1 second', '', '', ''
    FROM generate_series(1, {rows}) AS n"""
CHANGE: Final = "UPDATE alarms_alarm SET note = 'seen' WHERE id %% 10 = 0"


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with open_house(database="durable"):
        return measure(rows)


def measure(rows: int) -> int:
    from django.db import connection

    from wallets.audit import chains, record_audit
    from wallets.audit import record_audit as audit
    from wallets.of_record import chain

    def run(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    fill = FILL.format(rows=rows)
    run("ALTER TABLE alarms_alarm DISABLE TRIGGER USER")
    plain = timed("write the rows, unrecorded", lambda: run(fill))
    run("TRUNCATE alarms_alarm CASCADE")
    run("ALTER TABLE alarms_alarm ENABLE TRIGGER USER")
    recorded = timed("write the rows, recorded", lambda: run(fill))
    print(f"  a recorded row costs {(recorded - plain) / rows * 1e6:.1f} µs more")
    timed("give each change its place", chain.link_all)
    timed("close the books", chains.close_books)
    run(CHANGE.replace("%%", "%"))
    run("ANALYZE")
    timed("close them again, with a tenth changed", chains.close_books)
    timed("hash the record again", lambda: list(record_audit.check_chain(everything=True)))
    findings: list[object] = []
    timed("compare all rows with the record", lambda: findings.extend(audit.check()))
    print(
        f"{len(findings)} findings; {additions_per_second() / 1e6:.0f} million additions a second"
    )
    return 1 if findings else 0


def timed(what: str, act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    seconds = time.perf_counter() - begun
    print(f"{what:<42}{seconds:8.1f} s", flush=True)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
