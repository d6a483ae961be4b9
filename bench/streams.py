"""What an act costs with all who watch it: by requests, and by streams that carry the parts.

    python -m bench.streams

A house of its own is filled in a temporary folder, with a hand of Dou Dizhu. After each act the
table is shown to its three players, and to a hundred strangers besides: each asks the API, or all
have a stream that carries JSON. Only what follows the act is counted: requests through all of
Django without the server's own work, or making the parts and writing the events. The cost is
counted in additions of the same core, so other work on the machine disturbs it little.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from bench.boards import table_of
from bench.calibration import additions_per_second
from tests.houses import open_house

if TYPE_CHECKING:
    from games.models import Table
    from tests.games.program import Program

ACTS: Final = 24
STRANGERS: Final = 100


def act(table: "Table") -> None:
    from tests.games.house import House

    house = House()
    house.now = datetime.now(UTC)
    table.refresh_from_db()
    while not house.let_people_act(table):
        house.until_due(table)
    table.refresh_from_db()


def cost(work: Callable[[], object]) -> float:
    """The additions that the work takes."""
    before, start = additions_per_second(process_time), process_time()
    work()
    seconds = process_time() - start
    return seconds * (before + additions_per_second(process_time)) / 2


def by_requests(table: "Table", programs: "list[Program]") -> float:
    from django.core.cache import caches

    def look() -> None:
        for program in programs:
            # A hundred strangers of one address are refused.
            caches["default"].clear()
            answer = program.client.get(f"/api/v1/tables/{table.pk}/", headers=program.headers)
            assert answer.status_code == 200

    return cost(look)


class Streams:
    """Streams as a process has them, made in this thread: what they send is counted and dropped."""

    def __init__(self, table: "Table", viewers: list[Any]) -> None:
        from games.live.parts import Audience
        from games.live.watcher import Watcher

        self.table, self.sent = table, 0
        # One loop, as a process has: to make one takes longer than to send.
        self.loop = asyncio.Runner()
        self.watchers: list[Watcher] = []
        for viewer in viewers:
            watcher = Watcher(self._take)
            watcher.audience = Audience("json", "en", viewer)
            self.watchers.append(watcher)

    async def _take(self, message: dict[str, Any]) -> None:
        self.sent += len(message["body"])

    def carry(self) -> None:
        """Send all of them the newest parts."""
        from games.live.parts import Reader, Wanted
        from games.views.stream_parts import make_parts

        readers = tuple(
            Reader(number, watcher.audience, watcher.parts.own)
            for number, watcher in enumerate(self.watchers)
            if watcher.audience
        )
        made = make_parts(Wanted(self.table.pk, self.table.version, readers))
        assert len(made.parts) == len(readers)
        self.loop.run(self._hand_out(made.parts))

    async def _hand_out(self, parts: Any) -> None:
        for number, watcher in enumerate(self.watchers):
            if not self.sent:
                watcher.start(None, 0, None)
            watcher.tell_parts(parts[number])
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})


def measured(table: "Table", count: int) -> None:
    from django.contrib.auth.models import AnonymousUser

    from games.models import Seat
    from tests.games.program import Program

    seats = Seat.objects.filter(table=table, left_at=None).select_related("player")
    players = [seat.player for seat in seats]
    programs = [Program(player.username) for player in players]
    programs += [Program() for _ in range(count)]
    streams = Streams(table, [*players, *(AnonymousUser() for _ in range(count))])
    streams.carry()
    requests, carried, sent = [], [], []
    for number in range(ACTS):
        act(table)
        if number % 2:
            requests.append(by_requests(table, programs))
            streams.carry()
            continue
        before = streams.sent
        carried.append(cost(streams.carry))
        sent.append((streams.sent - before) / len(streams.watchers))
    streams.loop.close()
    print(
        f"3 programs and {count:>3} strangers: "
        f"requests {median(requests) / 1000:8,.0f}k additions, streams "
        f"{median(carried) / 1000:6,.0f}k, {median(sent):,.0f} bytes a stream"
    )


def main() -> None:
    with open_house():
        logging.disable()
        speed, load = additions_per_second(process_time) / 1e6, os.getloadavg()[0]
        print(f"{speed:.1f} million additions a second; load {load:.1f}")
        table = table_of("doudizhu")
        for count in (0, STRANGERS):
            measured(table, count)


if __name__ == "__main__":
    main()
