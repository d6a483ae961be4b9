"""The database triggers that keep what staff wrote about a player.

They are installed, and missed, as those of the ledger are (`wallets/of_record/guards.py`).
"""

from pathlib import Path
from typing import Final

from wallets.of_record.guards import Guarded

GUARDS: Final = Guarded(
    Path(__file__).parent / "sql",
    {"postgresql": ("guards_postgresql.sql",), "sqlite": ("guards_sqlite.sql",)},
)
