"""Which rows the periodic jobs of several packages work on: beat sends none that finds no rows.

A package with a job of its own may say the same itself (`casino/community/push/apps.py`).
"""

from casino.accounts import freezing
from casino.care import exclusions
from casino.ops.existence import ROWS
from games.lobby import private_tables
from games.records import card_index
from wallets.staff import approvals


def register() -> None:
    """Say it once a process, when the apps are ready."""
    ROWS.add("close-deserted", private_tables.deserted)
    ROWS.add("index-cards", card_index.waiting_recently)
    ROWS.add("carry-out-exclusions", exclusions.not_carried_out)
    ROWS.add("end-freezes", freezing.freezes_that_ended)
    ROWS.add("expire-proposals", approvals.proposals_to_expire)
