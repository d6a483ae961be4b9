"""The database triggers that keep a version of a profile as it was proposed.

They are installed, and missed, as those of the ledger are (`wallets/of_record/guards.py`).
"""

from pathlib import Path
from typing import Final

from wallets.of_record.guards import Guarded

PROFILES: Final = Guarded(
    Path(__file__).parent / "sql",
    {"postgresql": ("profiles_postgresql.sql",), "sqlite": ("profiles_sqlite.sql",)},
)
