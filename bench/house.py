"""What an open house costs: start, idle processor time, memory, and the delivery of live updates.

    python -m bench.house [LISTENERS]

A house of its own is opened in a temporary folder, as `make run` does it. Processor time and memory
are read from /proc, so this needs Linux. Serving is measured as processor time a request, which a
busy machine disturbs less than requests a second.
"""

import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import redis

from casino.supervisor import allow_many_connections
from games.live.announcing import CHANNEL, message
from tests.houses import open_house
from tests.houses.programs import Programs
from tests.houses.supervised import Supervised
from tests.waiting import until

TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")
IDLE_SECONDS: Final = 30
LOAD_SECONDS: Final = 5
MESSAGES: Final = 100
SECONDS_BETWEEN_MESSAGES: Final = 0.1
FIRST_VERSION: Final = 10**9
# One after the other opens its stream, as people come in.
OPENING_AT_ONCE: Final = 20


def named(command: str) -> str:
    """What a process of the house is, by its command."""
    word = str(re.findall(r"casino\.web|sweeper|worker|beat|valkey|supervisor", command)[0])
    return {"supervisor": "guard", "casino.web": "web"}.get(word, word)


def seconds_used(process: int) -> float:
    """What a process has used of a processor, with those that it started and that have ended."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, after_name[11:15])) / TICKS_A_SECOND


def megabytes(process: int) -> float:
    """Its share of memory: what it shares with others is counted by halves."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(int(found) for found in re.findall(r"^Pss:\s+(\d+)", rollup, re.M)) / 1024


@contextmanager
def timed(folder: Path) -> Iterator[Supervised]:
    """A house; prints how long its first page and its closing take."""
    began = time.monotonic()
    with open_house(Supervised, folder=folder, migrated=False) as house:
        assert house.visit()[0] == 200
        print(f"  first page after {time.monotonic() - began:.1f} s")
        yield house
        stopping = time.monotonic()
        house.stop()
        print(f"  closed in {time.monotonic() - stopping:.1f} s")


def idle(processes: dict[int, str]) -> None:
    time.sleep(5)  # what starting has left to do
    before = {process: seconds_used(process) for process in processes}
    time.sleep(IDLE_SECONDS)
    shares = {
        process: (seconds_used(process) - before[process]) / IDLE_SECONDS for process in processes
    }
    for process, name in processes.items():
        print(f"  {name:<10} {shares[process]:6.2%} of a core {megabytes(process):8.1f} MB")
    memory = sum(map(megabytes, processes))
    print(f"  {'together':<10} {sum(shares.values()):6.2%} of a core {memory:8.1f} MB")


class Listener:
    """A browser with a stream; notes when which version came."""

    def __init__(self) -> None:
        self.came: dict[int, float] = {}
        self.ready = asyncio.Event()

    async def listen(self, port: int, path: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        try:
            async for line in reader:
                if line.startswith(b"id: "):
                    self.ready.set()
                    self.came[int(line[4:])] = time.monotonic()
        finally:
            writer.close()


async def deliver(house: Supervised, count: int, web: int) -> None:
    [(table,)] = house.sql("SELECT id FROM games_table WHERE NOT private LIMIT 1")
    listeners = [Listener() for _ in range(count)]
    before = megabytes(web)
    open_now = asyncio.Semaphore(OPENING_AT_ONCE)
    streams: list[asyncio.Task[None]] = []

    async def come(listener: Listener) -> None:
        async with open_now:
            path = f"/live/tables/{table}/"
            streams.append(asyncio.create_task(listener.listen(house.port, path)))
            await listener.ready.wait()

    began = time.monotonic()
    await asyncio.gather(*map(come, listeners))
    seconds = time.monotonic() - began
    print(f"  {count} streams opened in {seconds:.1f} s, ", end="")
    print(f"{(megabytes(web) - before) * 1024 / count:.0f} kB each")
    sent: dict[int, float] = {}
    with redis.Redis(unix_socket_path=str(house.folder / "valkey.sock")) as client:
        for number in range(MESSAGES):
            sent[FIRST_VERSION + number] = time.monotonic()
            await asyncio.to_thread(client.publish, CHANNEL, message(table, FIRST_VERSION + number))
            await asyncio.sleep(SECONDS_BETWEEN_MESSAGES)
    await asyncio.sleep(2)
    delays = sorted(
        1000 * (listener.came[version] - sent[version])
        for listener in listeners
        for version in sent
        if version in listener.came
    )
    newest = sum(FIRST_VERSION + MESSAGES - 1 in listener.came for listener in listeners)
    print(f"  delivery p50 {delays[len(delays) // 2]:.0f} ms, ", end="")
    print(f"p99 {delays[len(delays) * 99 // 100]:.0f} ms; the newest version reached {newest}, ")
    print(f"  {len(delays) / (count * MESSAGES):.1%} of all versions were sent, the rest overtaken")
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)


async def load(port: int, path: str) -> int:
    """Ask for a page over eight connections for a while; how often it was answered."""
    ends = time.monotonic() + LOAD_SECONDS

    async def ask() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        answered = 0
        while time.monotonic() < ends:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head.split(b"\r\n")[0], head
            await read_body(reader, head.lower())
            answered += 1
        writer.close()
        return answered

    return sum(await asyncio.gather(*(ask() for _ in range(8))))


async def read_body(reader: asyncio.StreamReader, head: bytes) -> None:
    if length := re.search(rb"content-length: (\d+)", head):
        await reader.readexactly(int(length[1]))
        return
    while size := int(await reader.readline(), 16):
        await reader.readexactly(size + 2)
    await reader.readline()


def serve(house: Programs, *application: str) -> None:
    """Processor time a page under one way of serving."""
    quietly = ("--log-level", "error", "--no-access-log", "--lifespan", "off")
    house.start("server", ("uvicorn", *application, *quietly, "--fd", str(house.socket.fileno())))
    until(house.answers)
    for path in ("/health/", "/"):
        asyncio.run(load(house.port, path))
        before = seconds_used(house.running["server"].pid)
        answered = asyncio.run(load(house.port, path))
        cost = (seconds_used(house.running["server"].pid) - before) / answered
        print(f"  {application[0]:<44} {path:<9} {cost * 1000:5.2f} ms a request")
    house.stop("server")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    allow_many_connections()
    with tempfile.TemporaryDirectory(prefix="house-", dir="/tmp") as name:
        # What the house says lies beside its folder.
        folder = Path(name) / "house"
        print("a house opened for the first time")
        with timed(folder):
            pass
        print("the same house opened again")
        with timed(folder) as house:
            time.sleep(3)
            processes = {
                process: "supervisor" if process == house.process.pid else named(command)
                for process, command in house.family().items()
            }
            print(f"idle for {IDLE_SECONDS} seconds")
            idle(processes)
            web = next(process for process, name in processes.items() if name == "web")
            print("live updates")
            asyncio.run(deliver(house, count, web))
        print("pages, as processor time of the server")
        keys = json.loads((folder / "keys.json").read_text())
        with open_house(Programs, folder=folder, only=["no program"], variables=keys) as served:
            serve(served, "casino.asgi:application")
            serve(served, "django.core.asgi:get_asgi_application", "--factory")


if __name__ == "__main__":
    main()
