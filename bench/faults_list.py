"""Every fault: its name, its words in the report, how long it lasts and what it does."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from bench import faults_programs as programs
from bench import faults_services as services
from bench.faults_clients import deaf_streams, half_requests, searches
from bench.faults_line import Trouble
from bench.faults_programs import STORM_KILLS, STORM_SECONDS
from bench.faults_scene import WORKERS_AWAY_SECONDS, Way
from bench.faults_web import Point


class Fault(NamedTuple):
    """What it does in the words of the report, and how long that lasts."""

    words: str
    seconds: float
    do: Way


STORM: Final = "storm"
FULL_DISK: Final = "fill disk"
NO_WORKERS: Final = "no workers"
# What it leaves behind would be found after every later fault, too.
LAST: Final = "clock ahead"
FAULTS: Final[Mapping[str, Fault]] = {
    "kill web": Fault("kill -9 of a web process", 1, programs.killed("web 1")),
    "kill before commit": Fault(
        "kill -9 of a web process before the commit of a move",
        5,
        programs.killed_at(Point.BEFORE_COMMIT),
    ),
    "kill after commit": Fault(
        "kill -9 of a web process right after the commit of a move",
        5,
        programs.killed_at(Point.AFTER_COMMIT),
    ),
    "kill before answer": Fault(
        "kill -9 of a web process before its answer to a move",
        5,
        programs.killed_at(Point.BEFORE_ANSWER),
    ),
    "kill between pieces": Fault(
        "kill -9 of a web process between two pieces of a stream",
        5,
        programs.killed_at(Point.BETWEEN_PIECES),
    ),
    "kill worker": Fault("kill -9 of the worker", 1, programs.killed("worker")),
    "kill worker and children": Fault(
        "kill -9 of a worker and its children with timers pending",
        6,
        programs.kill_worker_and_children,
    ),
    "kill sweeper": Fault("kill -9 of the sweeper", 1, programs.killed("sweeper")),
    "kill beat": Fault("kill -9 of the beat", 1, programs.killed("beat")),
    NO_WORKERS: Fault(
        "no worker and no beat for two minutes, or ten seconds in a short run",
        WORKERS_AWAY_SECONDS,
        programs.no_workers,
    ),
    "two beats": Fault("two beats for ten seconds", 10, programs.two_beats),
    "two sweepers": Fault("two sweepers for ten seconds", 10, programs.two_sweepers),
    STORM: Fault(
        "a storm: kill -9 of one process after the other",
        STORM_KILLS * STORM_SECONDS,
        programs.storm,
    ),
    "clock behind": Fault(
        "the clocks of all programs but one an hour behind",
        22,
        programs.wrong_clock(-3600),
    ),
    "deliver often": Fault("each table called due hundreds of times", 10, services.deliver_often),
    "freeze valkey": Fault("Valkey stopped (SIGSTOP) for ten seconds", 10, services.freeze_valkey),
    "flush valkey": Fault("Valkey flushed, killed and started again", 1, services.flush_valkey),
    "refuse valkey": Fault(
        "Valkey refuses connections for ten seconds", 10, services.refuse_valkey
    ),
    "end settlement": Fault(
        "a PostgreSQL backend terminated in the middle of a settlement",
        3,
        services.end_settlement,
    ),
    "stop postgres": Fault(
        "PostgreSQL stopped immediately and started again", 4, services.stop_postgres
    ),
    "freeze postgres": Fault(
        "PostgreSQL frozen (SIGSTOP) for ten seconds", 10, services.freeze_postgres
    ),
    "promote standby": Fault(
        "the primary lost, and its standby promoted", 8, services.promote_standby
    ),
    "exhaust connections": Fault(
        "every PostgreSQL connection held by others for ten seconds",
        12,
        services.exhaust_connections,
    ),
    FULL_DISK: Fault("PostgreSQL's disk full for ten seconds", 13, services.fill_disk),
    **{
        f"line {trouble.name.lower()}": Fault(
            f"a line that {trouble.value}, for ten seconds", 10, services.troubled(trouble)
        )
        for trouble in Trouble
        if trouble is not Trouble.NONE
    },
    "half requests": Fault("10,000 connections that send half a request", 10, half_requests),
    "deaf streams": Fault("400 streams that are not read, for ten seconds", 10, deaf_streams),
    "searches": Fault("eight players who search for suggestions", 10, searches),
    "deploy": Fault("a deploy with a migration in the middle of hands", 10, programs.deploy),
    LAST: Fault(
        "the clocks of all programs but one an hour ahead",
        22,
        programs.wrong_clock(3600),
    ),
}
