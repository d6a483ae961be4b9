"""Write down new rows of late tables, which their own transactions do not.

A row is looked for as long as a slow transaction may keep it from being seen: among the newest
rows, however many of them are written down already.
"""

from typing import Final

from django.db import connection

from wallets.models.record_models import RecordedChange
from wallets.of_record import writer_names
from wallets.of_record.installing import write_rows
from wallets.of_record.triggers import RECORD, key_text
from wallets.of_record.verbs import verb
from wallets.values.columns import WRITE_LATE, Declaration, recorded

# How many of the newest rows are looked at behind the first one that is not written down.
BEHIND: Final = 1_000


@verb(WRITE_LATE, alone=True)
def write() -> None:
    """Write down the new rows of every late table."""
    writer_names.tell(connection)
    for declared in recorded():
        if declared.late:
            with connection.cursor() as cursor:
                cursor.execute(
                    write_rows(
                        declared,
                        RecordedChange.What.INSERT,
                        connection.vendor,
                        _new(declared, newest(declared)),
                    )
                )


def newest(declared: Declaration) -> int:
    """The number of the newest row that is written down."""
    with connection.cursor() as cursor:
        cursor.execute(
            f'SELECT "row" FROM {RECORD} WHERE "table" = %s AND "row" <> \'\''
            " AND what IN ('insert', 'baseline') ORDER BY id DESC LIMIT 1",
            [declared.table],
        )
        found = cursor.fetchone()
    return int(found[0]) if found else 0


def _new(declared: Declaration, last: int) -> str:
    key = f't."{declared.key_column}"'
    return f"""WHERE {key} > {last - BEHIND} AND NOT EXISTS (
        SELECT 1 FROM {RECORD} AS c
        WHERE c."table" = '{declared.table}' AND c."row" = {key_text(declared, "t")}
    ) ORDER BY {key}"""
