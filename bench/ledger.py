"""How many four-player hands a second the ledger posts, beside pgbench on the same cluster.

    python -m bench.ledger

Eight clients, each a process with one connection, post hands of tables taken at random: four
stacks and the table's rake, all or nothing, each commit on disk. pgbench's `simple-update` has as
many clients: one balance updated and read, one line of history. They take turns, so that what else
the machine does falls on both. Both also print what does not depend on that: the processor
time of the server's processes and the bytes of write-ahead log that one of them takes.
"""

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, sleep
from typing import Final, NamedTuple
from uuid import uuid4

from tests.houses import open_house

CLIENTS: Final = 8
ROUNDS: Final = 7
SECONDS: Final = 3
TABLES: Final = 256
SEATS: Final = 4
PGBENCH_SCALE: Final = 10
BY_HOUSE: Final = {"actor": "house", "reason": "hand settled"}

Tables = list[list[int]]


class Spent(NamedTuple):
    """What the server has spent on clients that have left: seconds, and bytes of its log."""

    seconds: float
    log: int


class Cost(NamedTuple):
    """What one hand, or one transaction of pgbench's, costs the server; and how many a second."""

    rate: float
    milliseconds: float
    log: float

    def __str__(self) -> str:
        return f"{self.rate:,.0f}/s {self.milliseconds:.2f} ms {self.log:,.0f} B"


def spent() -> Spent:
    """The parent of the server's processes adds up what those that have ended took."""
    from django.db import connection

    with connection.cursor() as cursor:
        while True:
            cursor.execute("""SELECT pg_backend_pid(), pg_current_wal_lsn() - '0/0'::pg_lsn,
                count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'""")
            own, log, clients = cursor.fetchone()
            # A process is gone a little after its line is.
            sleep(0.2)
            if clients == 1:
                break
    fields = Path(f"/proc/{own}/stat").read_text().rpartition(")")[2].split()
    server = Path(f"/proc/{fields[1]}/stat").read_text().rpartition(")")[2].split()
    connection.close()
    return Spent((int(server[13]) + int(server[14])) / os.sysconf("SC_CLK_TCK"), int(log))


def cost(rate: Callable[[], float]) -> Cost:
    before = spent()
    reached = rate()
    after = spent()
    count = reached * SECONDS
    seconds, log = after.seconds - before.seconds, after.log - before.log
    return Cost(reached, seconds * 1_000 / count, log / count)


def open_tables() -> Tables:
    """The account numbers of each table: its stacks, filled, and its rake."""
    from wallets.models import Account, Currency
    from wallets.money.accounts import account
    from wallets.money.ledger import Leg, post

    currency, _new = Currency.objects.get_or_create(code="BENCH", defaults={"name": "bench"})
    issue = account(Account.Kind.ISSUE, "bench", currency).pk
    tables = []
    for table in range(TABLES):
        owners = [f"bench:{table}:{seat}" for seat in range(SEATS)]
        stacks = [account(Account.Kind.STACK, owner, currency).pk for owner in owners]
        legs = [Leg(stack, 10**9) for stack in stacks]
        post(
            uuid4(),
            "deposit",
            [*legs, Leg(issue, -SEATS * 10**9)],
            book=f"bench:{table}",
            **BY_HOUSE,
        )
        tables.append([*stacks, account(Account.Kind.RAKE, f"bench:{table}", currency).pk])
    return tables


def play(number: int, tables: Tables, start: Barrier, counts: "Queue[int]") -> None:
    """Post hands for a while: one seat wins a hundred from three each and leaves five percent."""
    from django.db import connection

    from wallets.money.ledger import Leg, post

    chance = Random(number)
    connection.ensure_connection()
    start.wait()
    posted, end = 0, perf_counter() + SECONDS
    while perf_counter() < end:
        table = chance.randrange(TABLES)
        *stacks, rake = tables[table]
        winner = stacks[posted % SEATS]
        legs = [Leg(stack, 285 if stack == winner else -100) for stack in stacks]
        post(
            uuid4(),
            "hand",
            [*legs, Leg(rake, 15)],
            book=f"bench:{table}",
            reference="hand:1",
            **BY_HOUSE,
        )
        posted += 1
    counts.put(posted)
    connection.close()


def hands_rate(tables: Tables) -> float:
    """Hands a second of all clients together."""
    context = multiprocessing.get_context("fork")
    start, counts = context.Barrier(CLIENTS), context.Queue()
    clients = [
        context.Process(target=play, args=(number, tables, start, counts))
        for number in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    posted = sum(counts.get() for _client in clients)
    for client in clients:
        client.join()
    return float(posted / SECONDS)


def pgbench(*options: str) -> str:
    from django.db import connection

    database = connection.settings_dict
    names = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
    place = {variable: str(database[name]) for name, variable in names.items() if database[name]}
    ran = subprocess.run(
        ["pgbench", *options, database["NAME"]],
        env={**os.environ, **place},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        sys.exit(ran.stderr)
    return ran.stdout


def pgbench_rate() -> float:
    """Simple transactions a second of as many clients."""
    clients, seconds = str(CLIENTS), str(SECONDS)
    out = pgbench("-n", "-b", "simple-update", "-c", clients, "-j", "2", "-T", seconds)
    match = re.search(r"tps = ([\d.]+)", out)
    assert match, out
    return float(match[1])


def main() -> None:
    if not shutil.which("pgbench"):
        sys.exit("pgbench is needed")
    with open_house(database="durable"):
        measure()


def measure() -> None:
    from django.db import connection

    tables = open_tables()
    connection.close()
    pgbench("--initialize", "--quiet", "--scale", str(PGBENCH_SCALE))
    print("a first round, so that both have a history")
    hands_rate(tables)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("SELECT current_setting('fsync'), current_setting('synchronous_commit')")
        fsync, synchronous = cursor.fetchone()
    connection.close()
    print(f"fsync {fsync}, synchronous_commit {synchronous}, {CLIENTS} clients")
    costs: list[tuple[Cost, Cost]] = []
    for number in range(1, ROUNDS + 1):
        simple = cost(pgbench_rate)
        hands = cost(lambda: hands_rate(tables))
        costs.append((hands, simple))
        ratio = hands.rate / simple.rate
        print(f"round {number}: hands {hands}, pgbench {simple}: {ratio:.2f}")
    for name, side in (("hands", 0), ("pgbench", 1)):
        print(name, Cost(*map(median, zip(*(pair[side] for pair in costs), strict=True))))
    ratio = median(hands.rate / simple.rate for hands, simple in costs)
    print(f"ratio {ratio:.2f} (target 0.80)")


if __name__ == "__main__":
    main()
