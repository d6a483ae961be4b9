"""People who only watch a quiet table: python -m bench.watchers --streams 18000 --web 5

First pages, with all that they fetch by the clock: requests a second while nothing happens. Then
streams alone: their memory, and how soon each hears of a version. Each comes from an address of its
own, as strangers do. Every stream is an open file of this process, and a web process takes 5,000.
Memory and processor time are read from /proc, so this needs Linux.
"""

import argparse
import asyncio
import random
import re
import time
from typing import Any, Final

import uvloop

from bench.calibration import additions_per_second
from bench.crowd import address_of, stopped
from bench.crowd_guest import Habits, Notes
from bench.crowd_http import Http
from bench.crowd_pages import Page
from bench.crowd_programs import Program
from bench.load_costs import quantile
from bench.load_report import written
from bench.processors import megabytes, of_house
from casino.ops.server.process_guard import allow_many_connections
from tests.houses import open_house
from tests.houses.guests import Guests, Person
from tests.houses.programs import Programs

OPENING_AT_ONCE: Final = 40
# Pages were not opened all at once, so what they fetch by the clock is spread.
SPREAD_SECONDS: Final = 10.0
VERSIONS: Final = 20
SECONDS_BETWEEN_VERSIONS: Final = 1.0
# Addresses of strangers begin behind those of players.
FIRST_STRANGER: Final = 1_000
VERSION: Final = re.compile(rb"(?m)^id: (\d+)$")


def memory(house: Programs) -> float:
    return sum(megabytes(process.pid) for name, process in house.running.items() if "web" in name)


def seconds_of_web(house: Programs) -> float:
    return of_house(house)["web"]


async def pages(house: Programs, table: int, count: int, seconds: float) -> None:
    """Requests of open pages while nothing happens, as the first of them says."""
    notes, draw = Notes(), random.Random(1)

    def page(number: int) -> Page:
        http = Http(house.port, notes.traffic, address_of(FIRST_STRANGER + number))
        return Page(Person(number, "", table, 0), http, notes, Habits(), draw)

    first = page(0)
    assert await first.sit() == 200
    tasks: list[asyncio.Task[None]] = []
    for number in range(count):
        watcher = page(number)
        watcher.opened, watcher.form = first.opened, first.form
        watcher.parts, watcher.version = first.parts, first.version
        tasks += map(asyncio.create_task, watcher.works())
        await asyncio.sleep(SPREAD_SECONDS / count)
    await asyncio.sleep(seconds / 2)
    before, used = notes.traffic.copy(), seconds_of_web(house)
    await asyncio.sleep(seconds)
    used, requests = seconds_of_web(house) - used, notes.traffic.requests - before.requests
    print(f"{count} idle pages: {requests.total() / seconds:.1f} requests a second, ", end="")
    print(f"{used / seconds:.1%} of a core for the web processes")
    for (kind, status), number in requests.most_common():
        print(f"  {kind} {status}: {number / seconds:.2f} a second")
    await stopped(tasks)


class Listener(asyncio.Protocol):
    """A stream, and when it heard of which version: as cheap as can be, beside the house itself."""

    def __init__(self, path: str) -> None:
        lines = (f"GET {path} HTTP/1.1", "Host: localhost", "Accept: text/event-stream", "", "")
        self._request = "\r\n".join(lines).encode()
        self.came: dict[int, float] = {}
        self.ready, self.opened = asyncio.Event(), False

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if not self.ready.is_set():
            self.opened = data.startswith(b"HTTP/1.1 200")
            self.ready.set()
        now = time.monotonic()
        for number in VERSION.findall(data):
            self.came.setdefault(int(number), now)

    def connection_lost(self, exc: Exception | None) -> None:
        # A stream that was refused is not waited for.
        self.ready.set()


async def deliver(house: Programs, player: Person, count: int) -> None:
    """Memory of idle streams, and the time from a request until each stream tells its version."""
    gate, began, before = asyncio.Semaphore(OPENING_AT_ONCE), time.monotonic(), memory(house)
    loop, path = asyncio.get_running_loop(), f"/live/tables/{player.table}/"
    transports: list[asyncio.BaseTransport] = []

    async def come(number: int) -> Listener:
        listener, source = Listener(path), (address_of(FIRST_STRANGER + number), 0)
        async with gate:
            transport, _ = await loop.create_connection(
                lambda: listener, "127.0.0.1", house.port, local_addr=source
            )
            transports.append(transport)
            await listener.ready.wait()
        return listener

    came = await asyncio.gather(*map(come, range(count)))
    listeners = [listener for listener in came if listener.opened]
    grown = memory(house) - before
    print(
        f"{len(listeners)} of {count} streams opened in {time.monotonic() - began:.0f} s: ", end=""
    )
    print(f"{grown:.0f} MB, {grown * 1024 / max(1, len(listeners)):.1f} kB each")
    used = seconds_of_web(house)
    sent = await versions(house, player)
    used = (seconds_of_web(house) - used) / len(sent)
    delays = [
        listener.came[version] - at
        for listener in listeners
        for version, at in sent.items()
        if version in listener.came
    ]
    p50, p99 = (written(quantile(delays, share)) for share in (0.5, 0.99))
    share = len(delays) / max(1, len(sent) * len(listeners))
    print(f"{len(sent)} versions, from a request to the streams: p50 {p50} ms, p99 {p99} ms")
    print(f"{share:.1%} arrived, the rest were overtaken; web processes {used:.3f} s a version")
    for transport in transports:
        transport.close()


async def versions(house: Programs, player: Person) -> dict[int, float]:
    """Change the table again and again; when the request for each version began."""
    notes = Notes()
    program = Program(player, Http(house.port, notes.traffic), notes, Habits(), random.Random(1))
    await program.send("sit", {"seat": 1, "amount": 50_000})
    sent: dict[int, float] = {}
    for number in range(VERSIONS):
        began = time.monotonic()
        await program.send("sit-in" if number % 2 else "sit-out", {})
        sent.setdefault(program.version, began)
        await asyncio.sleep(SECONDS_BETWEEN_VERSIONS)
    return sent


async def watch(house: Programs, chosen: argparse.Namespace) -> None:
    [player] = house.people
    if chosen.pages:
        await pages(house, player.table, chosen.pages, chosen.seconds)
    await deliver(house, player, chosen.streams)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.watchers", description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--streams", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--web", type=int, default=1)
    chosen = parser.parse_args()
    allow_many_connections()
    # The only player at a game among players plays no hand: the bench alone changes the table.
    guests = Guests(0, 1, ("doudizhu",), spectators=1)
    with (
        open_house(Programs, database="durable", web=chosen.web, guests=guests) as house,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(watch(house, chosen))
    print(f"{additions_per_second() / 1e6:.1f} million additions a second")


if __name__ == "__main__":
    main()
