"""Plans of the event loop: what is due at a table, or an act that ends a hand, as one statement.

What it takes is read by one statement, and thought out by the functions that a thread would call
under the lock of the table's row (`games/models/combined_writes.py`). One more statement writes all
of it, with the posting, if the table is still at the version that was read: of two processes that
plan on one version, one takes effect. Whatever has to ask the database in between, or fails, is
left to a thread.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from casino.ops.server.heralds import Herald
from games.models import Table
from games.models.combined_reads import Read, answered, statement_of
from games.models.combined_writes import Plan
from games.tables import clock
from wallets.storage.links import Links

log: Final = logging.getLogger(__name__)


class Plans:
    """Carries plans out by the connections of a process's event loop."""

    def __init__(self, links: Links, herald: Herald) -> None:
        self._links, self._herald = links, herald

    async def read(self, reads: Sequence[Read]) -> Any:
        """A block in which these are read already, by one statement."""
        (row,) = await self._links.rows(*statement_of(reads), numbered=True)
        return answered(reads, row)

    async def do_what_is_due(self, table_id: int, now: datetime) -> bool:
        """Do what is due at a table; False where another process was quicker."""
        reads = clock.reads_of_plan(table_id)
        with await self.read(reads):
            plan = clock.plan(table_id, now)
        return plan is None or await self.carry_out(plan)

    async def carry_out(self, plan: Plan) -> bool:
        """Write what was planned, and do what follows; False where the table has changed."""
        answers = await self._links.rows(*plan.statement(), numbered=True)
        if not plan.took_effect(answers):
            return False
        for work in plan.after:
            try:
                work()
            except Exception:
                log.exception("what follows a plan has failed")
        assert isinstance(plan.row, Table)
        self._herald.announce(plan.row)
        return True
