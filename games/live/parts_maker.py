"""The streams of a process that carry parts: what they are sent after each announced version.

A table has at most one task here. It makes the newest version, hands the parts out, and checks for
a newer announcement. However many come, only the newest is made. Where nothing has to be read,
that happens in the event loop; else one of the hub's threads does it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from games.live.parts import Made, Reader, Wanted
from games.live.watcher import Watcher, Watchers

# Makes the parts of a table; it runs in a thread that may use the database.
Make = Callable[[Wanted], Made]
# The same in the event loop; None where it takes a thread.
MakeAtOnce = Callable[[Wanted], Made | None]
Ask = Callable[[Callable[[], Made]], Awaitable[Made]]

log: Final = logging.getLogger(__name__)


class PartsMaker:
    """Makes the parts for those of a process's streams that carry them."""

    def __init__(self, watchers: Watchers, make: Make, ask: Ask) -> None:
        self.make, self._ask, self._watchers = make, ask, watchers
        self.make_at_once: MakeAtOnce = lambda wanted: None
        # By table: the newest announced version whose parts have not been begun.
        self._announced: dict[int, int] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def announced(self, table_id: int, version: int) -> None:
        """Note that a table has this version; earlier and repeated announcements do nothing."""
        if not self._due(table_id, version):
            return
        self._announced[table_id] = max(self._announced.get(table_id, version), version)
        if table_id not in self._tasks:
            self._tasks[table_id] = asyncio.create_task(self._make_all(table_id))

    async def stop(self) -> None:
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _due(self, table_id: int, version: int) -> list[Watcher]:
        carrying = (
            watcher for watcher in self._watchers.under(table_id) if watcher.audience is not None
        )
        return [watcher for watcher in carrying if watcher.parts.version < version]

    async def _make_all(self, table_id: int) -> None:
        try:
            while (version := self._announced.pop(table_id, None)) is not None:
                await self._make_one(table_id, version)
        finally:
            del self._tasks[table_id]

    async def _make_one(self, table_id: int, version: int) -> None:
        due = dict(enumerate(self._due(table_id, version)))
        readers = tuple(
            Reader(number, watcher.audience, watcher.parts.own)
            for number, watcher in due.items()
            if watcher.audience is not None
        )
        if not readers:
            return
        try:
            wanted = Wanted(table_id, version, readers)
            made = self.make_at_once(wanted) or await self._ask(lambda: self.make(wanted))
        except Exception:
            log.exception("the parts of a table could not be made")
            made = Made(version, {})
        for number, watcher in due.items():
            if number in made.hidden_from:
                watcher.close()
            elif number in made.parts:
                watcher.tell_parts(made.parts[number])
            else:
                watcher.tell_unmade(max(version, made.version))
