"""More than one of everything: python -m bench.scale --players 18 --tables 6 --seconds 20

Three web processes, three workers and two sweepers play with a crowd on a PostgreSQL whose
streaming replica serves history, with one Redis for announcements and one for tasks. At once all
programs are restarted one after the other, and the primary fails. It prints a table and exits with
1 where an invariant broke, or where something was not shown. Linux alone.
"""

import argparse
import asyncio
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

import psycopg

from bench.calibration import additions_per_second
from bench.crowd import Crowd, stopped
from bench.crowd_guest import Guest
from bench.crowd_http import Http
from bench.faults_checks import audited, invariants, none_is_stranded
from bench.load_costs import quantile
from bench.processors import children, of_house
from bench.scale_house import WEBS, ScaleHouse
from casino.ops.server.process_guard import allow_many_connections
from tests.houses import open_house
from tests.houses.guests import Guests

WARM_UP_SECONDS: Final = 8
# So often each reader opens their history and the newest hand in it.
READ_EVERY_SECONDS: Final = 2.0
PLAY_SECONDS_MAX: Final = 60.0
COMMITS: Final = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
SCANS: Final = """
    SELECT coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0)
    FROM pg_stat_user_tables WHERE relname IN ('games_hand', 'games_handseat', 'games_move')
"""
COLUMNS: Final = (
    "",
    "seconds",
    "moves acknowledged",
    "longest without one",
    "requests",
    "connections lost",
    "answered with a fault",
    "history read",
    "not read",
)
LAG: Final = "SELECT extract(epoch FROM replay_lag) FROM pg_stat_replication"


@dataclass
class Readers:
    """People who read their history while they play, and how they were answered."""

    answered: int = 0
    failed: int = 0
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def begin(self, guests: Iterable[Guest]) -> None:
        self.tasks = [asyncio.create_task(self._read(guest)) for guest in guests]

    async def _read(self, guest: Guest) -> None:
        # Counted apart from what they ask for as players.
        http, token = Http(guest.http.port), guest.person.token
        while True:
            listed = await self._ask(http, token, "/api/v1/hands/?limit=20")
            for hand in listed[:1]:
                await self._ask(http, token, f"/api/v1/hands/{hand['id']}/record/")
            await asyncio.sleep(READ_EVERY_SECONDS)

    async def _ask(self, http: Http, token: str, path: str) -> list[dict[str, object]]:
        answer = await http.ask("GET", path, {"Authorization": f"Bearer {token}"})
        if answer.status != 200:
            self.failed += 1
            return []
        self.answered += 1
        hands: list[dict[str, object]] = answer.content.get("hands", [])
        return hands


class Phase(NamedTuple):
    """What happened, for how long, and what players noticed of it."""

    what: str
    seconds: float
    moves: int
    # The longest time without an acknowledged move.
    silence: float
    requests: int
    # Also one that was left open and unused for too long, as a browser notices by itself.
    lost: int
    faults: int
    history: int
    history_failed: int


class Run:
    """The crowd, its readers, and a row for each phase."""

    def __init__(self, scale: ScaleHouse, crowd: Crowd) -> None:
        self.scale, self.crowd, self.readers = scale, crowd, Readers()
        self.phases: list[Phase] = []
        self.ended: list[str] = []

    def requests(self) -> Counter[str]:
        """The crowd's requests so far, those lost and those answered with a fault apart."""
        requests: Counter[str] = Counter()
        for (_kind, status), count in self.crowd.notes.traffic.requests.items():
            kind = "lost" if not status else "faults" if status >= 500 else "answered"
            requests[kind] += count
        return requests

    async def phase(self, what: str, work: Callable[[], Awaitable[object]]) -> None:
        moves, readers, began = self.crowd.notes.moves, self.readers, time.monotonic()
        before = (len(moves), readers.answered, readers.failed)
        requests = self.requests()
        await work()
        ended = time.monotonic()
        self._start_again()
        times = [began, *sorted(move.answered for move in moves[before[0] :]), ended]
        silence = max(after - at for at, after in pairwise(times))
        later = self.requests()
        self.phases.append(
            Phase(
                what,
                ended - began,
                len(moves) - before[0],
                silence,
                later.total() - requests.total(),
                later["lost"] - requests["lost"],
                later["faults"] - requests["faults"],
                readers.answered - before[1],
                readers.failed - before[2],
            )
        )
        print(f"{what}: {self.phases[-1].moves} moves in {ended - began:.0f} s", flush=True)

    def _start_again(self) -> None:
        """What has ended by itself, as a supervisor does it."""
        for name in self.scale.ended():
            self.ended.append(name)
            self.scale.start(name)

    async def deploy(self) -> None:
        for name in [*self.scale.programs]:
            await asyncio.to_thread(self.scale.redeploy, name)

    async def fail_over(self) -> None:
        """Until a move is acknowledged by the database that took over."""
        await asyncio.to_thread(self.scale.fail_over)
        moves, began = self.crowd.notes.moves, time.monotonic()
        while time.monotonic() - began < PLAY_SECONDS_MAX and moves[-1].began < began:
            await asyncio.sleep(0.05)


def one(database: psycopg.Connection, statement: str) -> float:
    row = database.execute(statement).fetchone()
    return float(row[0]) if row and row[0] is not None else 0.0


def processor(scale: ScaleHouse) -> dict[str, float]:
    """The seconds of a processor that each kind of program has used."""
    standby = children(scale.replica.again.pid) if scale.replica.again else []
    return of_house(scale, primary=children(scale.primary.pid), replica=standby)


class Costs(NamedTuple):
    """What was measured while nothing was restarted."""

    acts: int
    requests: int
    seconds: float
    act_seconds: list[float]
    processor: dict[str, float]
    commits: float
    scans: float
    lag: float


async def measured_play(run: Run, seconds: float) -> Costs:
    """Play for a while; what it costs, by kind of program."""
    scale, moves = run.scale, run.crowd.notes.moves
    with scale.primary.connect() as primary, scale.replica.connect() as replica:
        first, began, used = len(moves), time.monotonic(), processor(scale)
        commits, scans = one(primary, COMMITS), one(replica, SCANS)
        requests = run.requests().total() + run.readers.answered
        lags = []
        while time.monotonic() - began < seconds:
            await asyncio.sleep(1)
            lags.append(one(primary, LAG))
        later = processor(scale)
        return Costs(
            len(moves) - first,
            run.requests().total() + run.readers.answered - requests,
            time.monotonic() - began,
            [move.answered - move.began for move in moves[first:]],
            {kind: later[kind] - used[kind] for kind in used},
            one(primary, COMMITS) - commits,
            one(replica, SCANS) - scans,
            max(lags),
        )


def wrong_at_the_end(run: Run) -> dict[str, str]:
    """The invariants on the database that took over; "" where one holds."""
    house, moves = run.scale, list(run.crowd.notes.moves)
    with house.postgres.connect() as database:
        verdicts, _waited = invariants(database, moves)
        verdicts["no table is stranded"] = none_is_stranded(database)
    return verdicts | {"audit clean": audited(house)}


def not_shown(run: Run, costs: Costs) -> list[str]:
    """What the run was to show and did not."""
    promoted = run.phases[-1]
    sentences = {
        "the replica served no history": costs.scans < run.phases[0].history,
        "no move was acknowledged during the deploy": not run.phases[1].moves,
        "play did not go on after the failover": not promoted.moves,
        "history was not answered after the failover": not promoted.history,
    }
    ended = [f"{name} ended by itself: {run.scale.said(name)[-1500:]}" for name in run.ended]
    return [sentence for sentence, is_so in sentences.items() if is_so] + ended


def table(run: Run, costs: Costs, yardstick: float) -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
    lines += [
        f"| {phase.what} | {phase.seconds:.0f} | {phase.moves} | {phase.silence:.1f} s "
        f"| {phase.requests} | {phase.lost} | {phase.faults} | {phase.history} "
        f"| {phase.history_failed} |"
        for phase in run.phases
    ]
    acts = max(1, costs.acts)
    lines += ["", f"At a yardstick of {yardstick / 1e6:.1f} million additions a second:", ""]
    p50, p99 = (quantile(costs.act_seconds, share) for share in (0.5, 0.99))
    lines += [
        f"- {costs.acts / costs.seconds:.1f} acts a second; p50 {p50:.0f} ms, p99 {p99:.0f} ms",
        f"- {costs.requests / acts:.1f} requests an act, with all looks at tables and history",
        f"- {costs.commits / acts:.1f} transactions an act, all else included",
        f"- {costs.scans:.0f} scans of hands and moves on the replica",
        f"- the replica was {1000 * costs.lag:.0f} ms behind at most",
    ]
    lines += [
        f"- {kind}: {1000 * seconds / acts:.1f} ms of a processor an act, "
        f"{1000 * seconds / max(1, costs.requests):.1f} ms a request"
        for kind, seconds in costs.processor.items()
    ]
    return "\n".join(lines)


async def play(scale: ScaleHouse, crowd: Crowd, seconds: float) -> tuple[Run, Costs]:
    run = Run(scale, crowd)
    print(f"seated, with which status: {await crowd.sit()}", flush=True)
    crowd.begin()
    run.readers.begin(crowd.guests[::3])
    await asyncio.sleep(WARM_UP_SECONDS)
    costs: list[Costs] = []

    async def measure() -> None:
        costs.append(await measured_play(run, seconds))

    await run.phase("play", measure)
    await run.phase("every program restarted, one after the other", run.deploy)
    await run.phase("the primary stopped at once, the replica promoted", run.fail_over)
    await run.phase("play on the promoted replica", lambda: asyncio.sleep(seconds))
    await stopped(run.readers.tasks)
    await crowd.end()
    return run, costs[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--players", type=int, default=18)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    allow_many_connections()
    # The house closes with the run.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    yardstick = additions_per_second()
    guests = Guests(chosen.players, chosen.tables)
    with open_house(ScaleHouse, database="durable", web=WEBS, guests=guests) as scale:
        crowd = Crowd(scale.people, lambda _table: scale.port, chosen.seed)
        run, costs = asyncio.run(play(scale, crowd, chosen.seconds))
        wrong = wrong_at_the_end(run)
        missing = not_shown(run, costs)
    yardstick = (yardstick + additions_per_second()) / 2
    print(table(run, costs, yardstick))
    print()
    for name, what in wrong.items():
        print(f"- {name}: {what or 'held'}")
    for sentence in missing:
        print(f"- NOT SHOWN: {sentence}")
    return 1 if missing or any(wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
