"""What a page costs: how long it takes, and what this process and the database's use for it."""

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple


class Page(NamedTuple):
    """Milliseconds; on a machine that does other things, the processor's say more."""

    p50: float
    p95: float
    processor: float

    def __str__(self) -> str:
        return f"p50 {self.p50:6.1f} ms  p95 {self.p95:6.1f} ms  processor {self.processor:6.1f} ms"


def only_backend() -> int:
    """The process of the database that answers: several could not be measured."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def spent(backend: int) -> float:
    """Seconds of a processor that this process and its database process have used."""
    fields = Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()
    return process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(ask: Callable[[int], object], requests: int, backend: int) -> Page:
    """Ask by numbers from 1; 0 comes beforehand and warms up what a process does once."""
    ask(0)
    times, used = [], spent(backend)
    for number in range(1, requests + 1):
        start = perf_counter()
        ask(number)
        times.append(1_000 * (perf_counter() - start))
    cost = 1_000 * (spent(backend) - used) / requests
    times.sort()
    return Page(times[requests // 2], times[requests * 95 // 100], cost)
