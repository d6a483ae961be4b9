"""What programs use of a processor and of memory, from /proc, so this needs Linux."""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.houses.programs import Programs

TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")


def seconds_used(process: int) -> float:
    """What a process has used of a processor, with those that it started and that have ended."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, after_name[11:15])) / TICKS_A_SECOND


def megabytes(process: int) -> float:
    """Its share of memory: what it shares with others is counted by halves."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return sum(int(kilobytes) for kilobytes in re.findall(r"^Pss:\s+(\d+)", rollup, re.M)) / 1024


def children(process: int) -> list[int]:
    """A process and those that it has started."""
    pids = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, pids)]


def of_house(house: Programs, **others: Iterable[int]) -> dict[str, float]:
    """The seconds that each kind of program has used: `web 1` and `web 2` are of one kind."""
    programs = {name: children(process.pid) for name, process in house.running.items()}
    used: dict[str, float] = {}
    for name, processes in {**programs, **others}.items():
        kind = name.split()[0]
        for number in processes:
            # A connection may have ended by now.
            with suppress(OSError):
                used[kind] = used.get(kind, 0.0) + seconds_used(number)
    return used
