"""A crowd of people over HTTP and streams, who do not wait for the house.

Those with a session use pages as a browser does (`bench.crowd_pages`), the others are programs
(`bench.crowd_programs`).
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any, Final

from bench.crowd_guest import Guest, Habits, Notes
from bench.crowd_http import Http
from bench.crowd_pages import Page
from bench.crowd_programs import Program
from tests.houses.guests import Person

SITTING_AT_ONCE: Final = 8


def address_of(number: int) -> str:
    """An address of this machine for each person: they do not share one over the internet."""
    high, low = divmod(number % 60_000, 250)
    return f"127.1.{high}.{low + 1}"


class Crowd:
    """All of them."""

    def __init__(
        self,
        people: list[Person],
        port_of: Callable[[int], int],
        seed: int,
        habits: Habits | None = None,
        site: str = "",
    ) -> None:
        self.site = site
        self.notes, self.habits = Notes(), habits or Habits()
        self.guests = [self._guest(person, port_of(person.table), seed) for person in people]
        self.tasks: list[asyncio.Task[None]] = []

    def _guest(self, person: Person, port: int, seed: int) -> Guest:
        http = Http(port, self.notes.traffic, address_of(person.number), self.site)
        draw = random.Random(f"{seed} {person.number}")
        kind = Page if person.session else Program
        return kind(person, http, self.notes, self.habits, draw)

    async def sit(self) -> dict[int, int]:
        """Everybody comes to their table and takes their seat; how often with which status."""
        statuses = await self._all(lambda guest: guest.sit())
        return {status: statuses.count(status) for status in set(statuses)}

    async def _all(self, what: Any) -> list[Any]:
        gate = asyncio.Semaphore(SITTING_AT_ONCE)

        async def one(guest: Guest) -> Any:
            async with gate:
                return await what(guest)

        return await asyncio.gather(*map(one, self.guests))

    def begin(self) -> None:
        for guest in self.guests:
            self.tasks += map(asyncio.create_task, guest.works())

    async def end(self) -> None:
        """Let no more guests come, and wait for the requests under way."""
        await stopped(self.tasks)
        under_way = [errand for guest in self.guests for errand in guest.errands]
        await asyncio.gather(*under_way, return_exceptions=True)

    async def leave(self) -> None:
        """End, and everybody gives up their seat."""
        await self.end()
        await self._all(lambda guest: guest.leave())


async def stopped(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
