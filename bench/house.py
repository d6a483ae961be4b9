"""What an open house costs: start, idle processor time, and memory: python -m bench.house

A house of its own is opened in a temporary folder, as `make run` does it. Processor time and memory
are read from /proc, so this needs Linux. Serving is measured as processor time a request, which a
busy machine disturbs less than requests a second.
"""

import asyncio
import json
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.crowd_http import Http
from bench.processors import megabytes, seconds_used
from tests.houses import open_house
from tests.houses.programs import Programs
from tests.houses.supervised import Supervised
from tests.waiting import until

IDLE_SECONDS: Final = 30
LOAD_SECONDS: Final = 5


def named(command: str) -> str:
    """What a process of the house is, by its command."""
    word = str(
        re.findall(r"casino\.ops\.server\.web|sweeper|worker|beat|valkey|supervisor", command)[0]
    )
    return {"supervisor": "guard", "casino.ops.server.web": "web"}.get(word, word)


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


async def load(port: int, path: str) -> int:
    """Ask for a page over eight connections for a while; how often it was answered."""
    ends = time.monotonic() + LOAD_SECONDS

    async def ask() -> int:
        http, answered = Http(port), 0
        while time.monotonic() < ends:
            assert (await http.ask("GET", path)).status == 200
            answered += 1
        return answered

    return sum(await asyncio.gather(*(ask() for _ in range(8))))


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
    with tempfile.TemporaryDirectory(prefix="house-", dir="/tmp") as name:
        # The output of the house is stored next to its folder.
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
        print("pages, as processor time of the server")
        keys = json.loads((folder / "keys.json").read_text())
        with open_house(Programs, folder=folder, only=["no program"], variables=keys) as served:
            serve(served, "casino.asgi:application")
            serve(served, "django.core.asgi:get_asgi_application", "--factory")


if __name__ == "__main__":
    main()
