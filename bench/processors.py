"""What programs have used of a processor so far, from /proc, so this needs Linux."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from bench.house import seconds_used
from tests.houses.programs import Programs


def children(process: int) -> list[int]:
    """A process and those that it has started."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, found)]


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
