"""What the compression of a stream costs and saves, at each level and with less memory.

    python -m bench.packing [GAME ...]

A house of its own is filled in a temporary folder. The players of a table and a stranger have a
stream that carries HTML; after each move their events are kept, and then compressed in every way.
A figure is of one event after the first, the ends and deals of hands included.
"""

import logging
import sys
import zlib
from datetime import UTC, datetime
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from bench.boards import table_of
from bench.calibration import additions_per_second
from bench.streams import Streams
from tests.houses import open_house

if TYPE_CHECKING:
    from games.models import Table

GAMES: Final = ("doudizhu", "thirteen_fujian", "blackjack", "baccarat")
MOVES: Final = 30
TRIES: Final = 6
# A window, the memory beside it, and a level; the sizes are powers of two.
WAYS: Final = [(15, memory, level) for memory in (5, 8) for level in (1, 4, 5, 6, 9)] + [(13, 5, 6)]


class Kept(Streams):
    """Streams that carry HTML, and keep the events of each."""

    def __init__(self, table: "Table", viewers: list[Any]) -> None:
        super().__init__(table, viewers)
        self.kept: list[list[bytes]] = []
        for watcher in self.watchers:
            events: list[bytes] = []

            async def keep(message: dict[str, Any], events: list[bytes] = events) -> None:
                events.append(message["body"])
                await self._take(message)

            watcher._send = keep
            if watcher.audience is not None:
                watcher.audience = watcher.audience._replace(rendering="html")
            self.kept.append(events)


def events_of(game: str) -> list[list[bytes]]:
    from django.contrib.auth.models import AnonymousUser

    from games.models import Seat
    from tests.games.house import House

    house, table = House(), table_of(game)
    seats = Seat.objects.filter(table=table, left_at=None).select_related("player")
    streams = Kept(table, [*(seat.player for seat in seats), AnonymousUser()])
    streams.carry()
    for _ in range(MOVES):
        house.now = datetime.now(UTC)
        for _try in range(TRIES):
            if house.let_people_act(table):
                break
            house.until_due(table)
            table.refresh_from_db()
        table.refresh_from_db()
        streams.carry()
    streams.loop.close()
    return streams.kept


def main() -> None:
    with open_house():
        logging.disable()
        streams = [event for game in sys.argv[1:] or GAMES for event in events_of(game)]
    print(
        f"as they are: {mean(len(message) for kept in streams for message in kept[2:]):,.0f} bytes"
    )
    for window, memory, level in WAYS:
        sizes: list[int] = []
        before, start = additions_per_second(process_time), process_time()
        for kept in streams:
            packs = zlib.compressobj(level, zlib.DEFLATED, 16 + window, memory)
            sizes += [
                len(packs.compress(message) + packs.flush(zlib.Z_SYNC_FLUSH)) for message in kept
            ][2:]
        seconds = (process_time() - start) / sum(map(len, streams))
        cost = seconds * (before + additions_per_second(process_time)) / 2000
        kilobytes = ((1 << window + 2) + (1 << memory + 9)) // 1024
        print(
            f"level {level}, {kilobytes:4} kB a stream: {mean(sizes):6,.0f} bytes, {cost:5.1f}k"
            " additions an event"
        )


if __name__ == "__main__":
    main()
