"""The database triggers that keep an event's rows as they were written.

They are installed, and missed, as those of the ledger are (`wallets/of_record/guards.py`).
"""

from pathlib import Path
from typing import Final

from wallets.of_record.guards import Guarded

FOLDER: Final = Path(__file__).parent / "sql"
FIRST: Final = {"postgresql": ("guards_postgresql.sql",), "sqlite": ("guards_sqlite.sql",)}
# This table came later; it has its own files.
ARRANGEMENTS: Final = {
    "postgresql": ("arrangements_postgresql.sql",),
    "sqlite": ("arrangements_sqlite.sql",),
}
GUARDS: Final = Guarded(
    FOLDER, {engine: (*files, *ARRANGEMENTS[engine]) for engine, files in FIRST.items()}
)
