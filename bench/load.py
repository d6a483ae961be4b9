"""An open house under load: python -m bench.load --players 60 --tables 15 --seconds 60 --web 2

Players are programs over HTTP, with a stream each, on PostgreSQL; they come whether the house has
answered or not. It exits with 1 where the ledger does not sum to zero or an acknowledged move is
missing. Memory is read from /proc, so this needs Linux.
"""

import argparse
import asyncio
import sys
import time
from typing import Final

from bench.calibration import additions_per_second
from bench.crowd import Crowd
from bench.crowd_house import CrowdHouse, crowd_house
from bench.crowd_people import Person, stock
from bench.faults_checks import acknowledged_are_stored, ledger_at_zero
from bench.house import OPENING_AT_ONCE, Listener, megabytes
from casino.supervisor import allow_many_connections

WARM_UP_SECONDS: Final = 8
COMMITS: Final = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"


def quantile(values: list[float], share: float) -> float:
    """In milliseconds; not a number where there are no values."""
    ordered = sorted(values)
    return 1000 * ordered[int(share * (len(ordered) - 1))] if ordered else float("nan")


def memory(house: CrowdHouse) -> float:
    return sum(megabytes(process.pid) for name, process in house.running.items() if "web" in name)


async def watchers(house: CrowdHouse, table: int, count: int) -> float:
    """What a stream that only waits costs the web processes, in kB."""
    listeners = [Listener() for _ in range(count)]
    gate = asyncio.Semaphore(OPENING_AT_ONCE)
    tasks: list[asyncio.Task[None]] = []

    async def come(listener: Listener) -> None:
        async with gate:
            path = f"/live/tables/{table}/"
            tasks.append(asyncio.create_task(listener.listen(house.port, path)))
            async with asyncio.timeout(60):
                await listener.ready.wait()

    before = memory(house)
    await asyncio.gather(*map(come, listeners))
    each = (memory(house) - before) * 1024 / count
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return each


def commits(house: CrowdHouse) -> int:
    with house.postgres.connect() as database:
        row = database.execute(COMMITS).fetchone()
    assert row
    return int(row[0])


async def play(house: CrowdHouse, people: list[Person], chosen: argparse.Namespace) -> bool:
    """Let the crowd play, print the table; whether nothing was wrong."""
    crowd = Crowd(people, house.port, chosen.seed)
    seated = await crowd.sit()
    crowd.begin()
    await asyncio.sleep(WARM_UP_SECONDS)
    first, began, committed = len(crowd.notes.moves), time.monotonic(), commits(house)
    await asyncio.sleep(chosen.seconds)
    seconds, last = time.monotonic() - began, len(crowd.notes.moves)
    committed = commits(house) - committed
    await crowd.end()
    each = await watchers(house, people[0].table, chosen.watchers)
    measured = crowd.notes.moves[first:last]
    delays = crowd.notes.play_to_screen()
    acts = [move.answered - move.began for move in measured]
    with house.postgres.connect() as database:
        wrong = {
            "ledger": ledger_at_zero(database),
            "moves": acknowledged_are_stored(database, crowd.notes.moves),
        }
    rate = len(measured) / seconds
    yardstick = (chosen.yardstick + additions_per_second()) / 2
    rows = [
        ("players seated, with which status", f"{seated}"),
        ("answers by status (0: none)", f"{dict(sorted(crowd.notes.statuses.items()))}"),
        ("acts a second", f"{rate:.1f}"),
        ("an act, p50 / p99", f"{quantile(acts, 0.5):.0f} / {quantile(acts, 0.99):.0f} ms"),
        (
            "play to screen, p50 / p99",
            f"{quantile(delays, 0.5):.0f} / {quantile(delays, 0.99):.0f} ms",
        ),
        ("transactions an act, all else included", f"{committed / max(1, len(measured)):.1f}"),
        (f"memory an idle watcher ({chosen.watchers})", f"{each:.1f} kB"),
        ("additions a second, before and after", f"{yardstick / 1e6:.1f} million"),
        ("ratio: acts for each million additions", f"{rate / yardstick * 1e6:.3f} R"),
        ("ledger", wrong["ledger"] or "sums to zero"),
        ("acknowledged moves", wrong["moves"] or f"all {len(crowd.notes.moves)} stored"),
    ]
    for name, value in rows:
        print(f"{name:<42}{value}", flush=True)
    return not any(wrong.values()) and bool(measured)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--tables", type=int, default=15)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--web", type=int, default=2)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    allow_many_connections()
    chosen.yardstick = additions_per_second()
    with crowd_house(chosen.web, CrowdHouse) as house:
        people = stock(house.variables, chosen.players, chosen.tables)
        house.open()
        return 0 if asyncio.run(play(house, people, chosen)) else 1


if __name__ == "__main__":
    sys.exit(main())
