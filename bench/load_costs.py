"""What a crowd's acts cost a house: figures for an act, by program.

Versions are counted in the tables' rows, statements and transactions in PostgreSQL's log, requests
and bytes by the crowd, processor time in /proc. The log is on for a while of its own, as it costs
time. A figure is a number under a name, so that runs can be compared.
"""

import asyncio
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from bench.calibration import additions_per_second
from bench.crowd import Crowd
from bench.crowd_http import Traffic
from bench.processors import children, of_house
from tests.houses.postgres import Postgres
from tests.houses.programs import Programs

# The core that the goals in milliseconds are meant for, in additions a second.
CORE: Final = 40e6
# The connections of this process, by the name that the database knows them by.
OWN: Final = "bench"
VERSIONS: Final = "SELECT coalesce(sum(version), 0) FROM games_table"
# The crowd's acts, and those of the bots who complete its tables; one act may have several moves.
ACTS: Final = "SELECT count(DISTINCT (hand_id, seat, turn)) FROM games_move WHERE seat > 0"
# A program, a process of the database, and the first word of a statement.
LOGGED: Final = re.compile(r"^([a-z]*)(?: \d+)?\|(\d+)\|LOG:  (?:statement|execute [^:]*): (\w+)")
# Fewer acts say nothing of what an act costs; a phase is given so many seconds more for them.
ACTS_MIN: Final = 200
LONGER_MAX: Final = 240.0
BEGINS: Final = frozenset(("BEGIN", "START"))
ENDS: Final = frozenset(("COMMIT", "ROLLBACK", "END"))
PROGRAMS: Final = ("web", "worker", "sweeper", "beat", "redis", "postgresql")

Figures = dict[str, float]


def quantile(values: list[float], share: float) -> float:
    """In milliseconds; not a number where there are no values."""
    ordered = sorted(values)
    return 1000 * ordered[int(share * (len(ordered) - 1))] if ordered else float("nan")


class Snapshot(NamedTuple):
    """What had been counted up to a moment."""

    at: float
    moves: int
    versions: int
    acts: int
    commands: int
    traffic: Traffic
    processor: dict[str, float]


def snapshot(house: Programs, crowd: Crowd) -> Snapshot:
    with house.postgres.connect() as database:
        versions, acts = (database.execute(sql).fetchone() for sql in (VERSIONS, ACTS))
    with house.valkey.client() as client:
        information: Any = client.info("stats")
    redis = [house.valkey.process.pid] if house.valkey.process else []
    database_processes = children(house.postgres.pid)
    return Snapshot(
        time.monotonic(),
        len(crowd.notes.moves),
        int(versions[0]) if versions else 0,
        int(acts[0]) if acts else 0,
        int(information["total_commands_processed"]),
        crowd.notes.traffic.copy(),
        of_house(house, postgresql=database_processes, redis=redis, crowd=[os.getpid()]),
    )


class Statements(NamedTuple):
    """How many statements and transactions each program has made."""

    statements: Counter[str]
    transactions: Counter[str]


def counted(lines: list[str]) -> Statements:
    """What the log says; a statement outside of a transaction is one by itself."""
    counters, within = Statements(Counter(), Counter()), set[str]()
    for line in lines:
        if not (match := LOGGED.match(line)) or match[1] == OWN:
            continue
        program, process, word = match[1] or "other", match[2], match[3].upper()
        counters.statements[program] += 1
        if word in BEGINS:
            within.add(process)
        elif word in ENDS or process not in within:
            counters.transactions[program] += 1
            within.discard(process)
    return counters


@contextmanager
def logged(postgres: Postgres) -> Iterator[list[str]]:
    """The lines that the database logs within the block, with each statement."""
    lines: list[str] = []
    with postgres.connect() as database:
        database.execute("ALTER SYSTEM SET log_line_prefix = '%a|%p|'")
        database.execute("ALTER SYSTEM SET log_statement = 'all'")
        database.execute("SELECT pg_reload_conf()")
        start = postgres.log.stat().st_size
        yield lines
        database.execute("ALTER SYSTEM RESET ALL")
        database.execute("SELECT pg_reload_conf()")
    with postgres.log.open(errors="replace") as log:
        log.seek(start)
        lines.extend(log)


async def statements(house: Programs, crowd: Crowd, seconds: float) -> Figures:
    """Statements and transactions of an act, by program."""
    moves = crowd.notes.moves
    with logged(house.postgres) as lines:
        first = len(moves)
        await asyncio.sleep(seconds)
        acts = len(moves) - first
    counters = counted(lines)
    figures: Figures = {"acts counted for statements": acts}
    for what, counts in zip(("statements", "transactions"), counters, strict=True):
        figures[f"{what} an act"] = counts.total() / max(1, acts)
        for program in sorted(counts):
            figures[f"{what} an act: {program}"] = counts[program] / max(1, acts)
    return figures


async def measure(
    house: Programs, crowd: Crowd, seconds: float, counted_seconds: float = 0.0
) -> Figures:
    """The figures of a crowd that plays already, and then of its statements if they are wanted.

    It takes so many seconds, and longer where too few acts were made to say anything.
    """
    additions = additions_per_second(time.process_time)
    before = snapshot(house, crowd)
    ends = time.monotonic() + seconds
    latest = ends + LONGER_MAX
    while (now := time.monotonic()) < ends or (
        now < latest and len(crowd.notes.moves) - before.moves < ACTS_MIN
    ):
        await asyncio.sleep(min(1.0, seconds))
    after = snapshot(house, crowd)
    additions = (additions + additions_per_second(time.process_time)) / 2
    moves = crowd.notes.moves[before.moves : after.moves]
    acts = max(1, len(moves))
    times = [move.answered - move.began for move in moves]
    # The last of these moves reach their screens while the statements are counted.
    more = await statements(house, crowd, counted_seconds) if counted_seconds else {}
    screens = crowd.notes.play_to_screen(moves)
    took = after.at - before.at
    figures: Figures = {
        "additions a second of processor time, million": additions / 1e6,
        "processes that wait for a processor of the host": os.getloadavg()[0],
        "viewers at a table": len(crowd.guests)
        / len({guest.person.table for guest in crowd.guests}),
        "acts": len(moves),
        "acts a second": len(moves) / took,
        "acts a second for each million additions": len(moves) / took / additions * 1e6,
        **{f"act, p{100 * share:.0f}, ms": quantile(times, share) for share in (0.5, 0.95, 0.99)},
        **{
            f"play to screen, p{100 * share:.0f}, ms": quantile(screens, share)
            for share in (0.5, 0.95, 0.99)
        },
        "versions an act, bots' acts included": (after.versions - before.versions)
        / max(1, after.acts - before.acts),
        "Redis commands an act": (after.commands - before.commands) / acts,
    }
    return {
        **figures,
        **more,
        **_processor(before, after, acts, additions),
        **_traffic(before.traffic, after.traffic, acts, figures["viewers at a table"]),
    }


def _processor(before: Snapshot, after: Snapshot, acts: int, additions: float) -> Figures:
    used = {
        kind: after.processor[kind] - before.processor.get(kind, 0.0) for kind in after.processor
    }
    each = {kind: 1000 * seconds / acts for kind, seconds in used.items()}
    house = sum(each.get(kind, 0.0) for kind in PROGRAMS)
    thousands = additions / 1e6
    return {
        "processor an act, ms": house,
        "processor an act, ms of a core of 40 million": house * additions / CORE,
        "processor an act, thousand additions": house * thousands,
        **{f"processor an act, ms: {kind}": each[kind] for kind in PROGRAMS if kind in each},
        **{
            f"processor an act, thousand additions: {kind}": each[kind] * thousands
            for kind in PROGRAMS
            if kind in each
        },
        "the crowd's own processor an act, ms": each["crowd"],
    }


def _traffic(before: Traffic, after: Traffic, acts: int, viewers: float) -> Figures:
    requests, received = after.requests - before.requests, after.received - before.received
    total = received.total() / acts
    return {
        "requests an act": requests.total() / acts,
        "bytes an act": total,
        "bytes an act and viewer": total / viewers,
        **{
            f"requests an act: {kind} {status}": count / acts
            for (kind, status), count in sorted(requests.items())
        },
        **{f"bytes an act: {kind}": count / acts for kind, count in sorted(received.items())},
    }
