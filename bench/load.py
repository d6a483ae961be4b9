"""An open house under load: python -m bench.load --players 60 --tables 15 --seconds 60 --web 2

Players of all games are programs over HTTP, with a stream each, on PostgreSQL; they come whether
the house has answered or not, and share the processors with it. With `--ramp` they then come more
and more often, so many seconds a step, until the house no longer keeps up: the step before is the
knee. It exits with 1 where the ledger does not sum to zero or an acknowledged move is missing.
Times are meant for a core of 40 million additions a second. Memory and processor time are read from
/proc, so this needs Linux.
"""

import argparse
import asyncio
import os
import sys
import time
from typing import Final, NamedTuple

from bench.calibration import additions_per_second
from bench.crowd import Crowd, Habits
from bench.faults_checks import acknowledged_are_stored, ledger_at_zero
from bench.house import OPENING_AT_ONCE, Listener, megabytes
from bench.processors import children, of_house
from casino.supervisor import allow_many_connections
from games.rules.catalogue import GAMES
from tests.houses import open_house
from tests.houses.guests import Guests
from tests.houses.programs import Programs

WARM_UP_SECONDS: Final = 8
# Once in so many seconds each player looks at the table though nothing has changed there.
LOOK_SECONDS: Final = 30.0
RAMP_FACTOR: Final = 1.5
STEPS_MAX: Final = 12
# The goal for nearly all acts, and the core that it is meant for; the knee is where half of them no
# longer reach it.
ACT_SECONDS_MAX: Final = 0.2
CORE: Final = 40e6
LOGGED_MAX: Final = 4_000
COMMITS: Final = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"


def quantile(values: list[float], share: float) -> float:
    """In milliseconds; not a number where there are no values."""
    ordered = sorted(values)
    return 1000 * ordered[int(share * (len(ordered) - 1))] if ordered else float("nan")


def memory(house: Programs) -> float:
    return sum(megabytes(process.pid) for name, process in house.running.items() if "web" in name)


async def watchers(house: Programs, table: int, count: int) -> float:
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


def commits(house: Programs) -> int:
    with house.postgres.connect() as database:
        row = database.execute(COMMITS).fetchone()
    assert row
    return int(row[0])


def processor(house: Programs) -> dict[str, float]:
    """The seconds of a processor that each kind of program has used, the crowd among them."""
    redis = [house.valkey.process.pid] if house.valkey.process else []
    database = children(house.postgres.pid)
    return of_house(house, postgres=database, valkey=redis, crowd=[os.getpid()])


class Measured(NamedTuple):
    """What was measured while the crowd came equally often."""

    arrivals: float
    seconds: float
    acts: list[float]
    screens: list[float]
    commits: int
    requests: int
    processor: dict[str, float]

    @property
    def rate(self) -> float:
        return len(self.acts) / self.seconds

    def __str__(self) -> str:
        return (
            f"| {self.arrivals:.2f} | {self.rate:.1f} "
            f"| {quantile(self.acts, 0.5):.0f} / {quantile(self.acts, 0.99):.0f} ms "
            f"| {quantile(self.screens, 0.5):.0f} / {quantile(self.screens, 0.95):.0f} / "
            f"{quantile(self.screens, 0.99):.0f} ms "
            f"| {1000 * sum(self.processor.values()) / max(1, len(self.acts)):.0f} ms |"
        )


COLUMNS: Final = (
    "| arrivals a player and second | acts a second | an act, p50 / p99 "
    "| play to screen, p50 / p95 / p99 | processor an act, the crowd's own included |\n"
    "| --- | --- | --- | --- | --- |"
)


async def measure(house: Programs, crowd: Crowd, seconds: float) -> Measured:
    """Let the crowd play for so long, once it has come at its rate for a while."""
    notes = crowd.notes
    await asyncio.sleep(WARM_UP_SECONDS)
    first, began = len(notes.moves), time.monotonic()
    committed, used = commits(house), processor(house)
    requests = sum(notes.statuses.values())
    await asyncio.sleep(seconds)
    took, last = time.monotonic() - began, len(notes.moves)
    later = processor(house)
    moves = notes.moves[first:last]
    return Measured(
        crowd.habits.arrivals_a_second,
        took,
        [move.answered - move.began for move in moves],
        notes.play_to_screen(moves),
        commits(house) - committed,
        sum(notes.statuses.values()) - requests,
        {kind: later[kind] - used[kind] for kind in used},
    )


async def ramp(house: Programs, crowd: Crowd, seconds: float, slowest: float) -> list[Measured]:
    """Come more and more often until half the acts are slower than this, or no more are made."""
    steps: list[Measured] = []
    while len(steps) < STEPS_MAX:
        steps.append(await measure(house, crowd, seconds))
        print(steps[-1], flush=True)
        late = quantile(steps[-1].acts, 0.5) > 1000 * slowest
        if late or (len(steps) > 1 and steps[-1].rate < steps[-2].rate):
            break
        crowd.habits.arrivals_a_second *= RAMP_FACTOR
    return steps


def first_fault(house: Programs) -> str:
    """The end of what a program logged of its first fault, or "" if none did."""
    for log in sorted(house.folder.glob("*.log")):
        _before, fault, after = log.read_text(errors="replace").partition("Traceback")
        if fault:
            return f"{log.stem}: {after.partition('Traceback')[0][:LOGGED_MAX]}"
    return ""


def rows_of(measured: Measured, crowd: Crowd, yardstick: float) -> list[tuple[str, str]]:
    """The figures of one measurement in words."""
    acts = max(1, len(measured.acts))
    each = {kind: 1000 * used / acts for kind, used in measured.processor.items()}
    return [
        ("answers by status (0: none)", f"{dict(sorted(crowd.notes.statuses.items()))}"),
        ("requests a second", f"{measured.requests / measured.seconds:.1f}"),
        ("transactions an act, all else included", f"{measured.commits / acts:.1f}"),
        *((f"processor an act: {kind}", f"{used:.1f} ms") for kind, used in each.items()),
        ("additions a second, before and after", f"{yardstick / 1e6:.1f} million"),
        ("ratio: acts for each million additions", f"{measured.rate / yardstick * 1e6:.3f} R"),
    ]


async def play(house: Programs, chosen: argparse.Namespace) -> bool:
    """Let the crowd play, print the tables; whether nothing was wrong."""
    crowd = Crowd(house.people, house.port, chosen.seed, Habits(chosen.arrivals, LOOK_SECONDS))
    seated = await crowd.sit()
    crowd.begin()
    measured = await measure(house, crowd, chosen.seconds)
    print(f"{COLUMNS}\n{measured}", flush=True)
    steps = []
    if chosen.ramp:
        crowd.habits.arrivals_a_second = chosen.ramp_from
        steps = await ramp(house, crowd, chosen.ramp, ACT_SECONDS_MAX * CORE / chosen.yardstick)
    await crowd.end()
    each = await watchers(house, house.people[0].table, chosen.watchers)
    with house.postgres.connect() as database:
        wrong = {
            "ledger": ledger_at_zero(database),
            "moves": acknowledged_are_stored(database, crowd.notes.moves),
        }
    yardstick = (chosen.yardstick + additions_per_second()) / 2
    rows = [
        ("players seated, with which status", f"{seated}"),
        *rows_of(measured, crowd, yardstick),
        (f"memory an idle watcher ({chosen.watchers})", f"{each:.1f} kB"),
        ("ledger", wrong["ledger"] or "sums to zero"),
        ("acknowledged moves", wrong["moves"] or f"all {len(crowd.notes.moves)} stored"),
    ]
    if fault := first_fault(house):
        rows.append(("the first fault that was logged", fault))
    if len(steps) > 1:
        rows.append(("the knee: acts a second", f"{max(step.rate for step in steps[:-1]):.1f}"))
    for name, value in rows:
        print(f"{name:<42}{value}", flush=True)
    return not any(wrong.values()) and bool(measured.acts)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--tables", type=int, default=15)
    parser.add_argument("--empty", type=int, default=0, help="tables beside them where nobody sits")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--arrivals", type=float, default=1.0, help="of each player, a second")
    parser.add_argument("--ramp", type=int, default=0, help="seconds of each step; 0 for no ramp")
    parser.add_argument("--ramp-from", type=float, default=0.1, help="arrivals of the first step")
    parser.add_argument("--web", type=int, default=2)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    allow_many_connections()
    chosen.yardstick = additions_per_second()
    guests = Guests(chosen.players, chosen.tables, tuple(GAMES), chosen.empty)
    with open_house(Programs, database="durable", web=chosen.web, guests=guests) as house:
        return 0 if asyncio.run(play(house, chosen)) else 1


if __name__ == "__main__":
    sys.exit(main())
