"""What programs have used of a processor so far, from /proc, so this needs Linux."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from bench.house import seconds_used


def children(process: int) -> list[int]:
    """A process and those that it has started."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, found)]


def processor_seconds(programs: Mapping[str, Iterable[int]]) -> dict[str, float]:
    """The seconds that each kind of program has used: `web 1` and `web 2` are of one kind."""
    used: dict[str, float] = {}
    for name, processes in programs.items():
        kind = name.split()[0]
        for number in processes:
            # A connection may have ended meanwhile.
            with suppress(OSError):
                used[kind] = used.get(kind, 0.0) + seconds_used(number)
    return used
