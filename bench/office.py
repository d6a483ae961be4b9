"""How long reports take, and how quickly an empty house is filled, on a PostgreSQL of its own.

    python -m tests.cluster --durable python -m bench.office [HANDS [DAYS]]

The house is filled by `manage.py seed`. Then each report is read for a day, for the open day, and
for a year, in every grouping; the slowest of each range is held against its target. At last the
files of the busiest players are opened as a manager opens them. The rate of the filling is also
given by the calibration loop (R).
"""

import os
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO
from statistics import median
from time import perf_counter, process_time
from typing import Final

import django

from bench.calibration import additions_per_second

HANDS: Final = 10_000
DAYS: Final = 30
SEED_TARGET: Final = 1_000
DAY_TARGET: Final = 2.0
YEAR_TARGET: Final = 10.0
FILE_TARGET_MS: Final = 200
FILES: Final = 5
OPENED: Final = 15


def fill(hands: int, days: int) -> None:
    """Fill the house, and say how quickly."""
    from django.core.management import call_command
    from django.db import connection

    before, start, spent = additions_per_second(), perf_counter(), process_time()
    players = max(60, hands // 500)
    call_command("seed", hands=hands, days=days, players=players, seed=1, stdout=StringIO())
    took, own = perf_counter() - start, process_time() - spent
    yardstick = (before + additions_per_second()) / 2
    rate = hands / took
    print(
        f"seeding {hands:,} hands in {days} days: {rate:,.0f}/s, "
        f"{rate / yardstick * 1_000_000:.1f} R (target {SEED_TARGET:,}/s); "
        f"{1_000 * own / hands:.2f} ms of a processor a hand, the database's apart",
        flush=True,
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def read(name: str, by: str, first: datetime, last: datetime) -> tuple[float, int]:
    """Seconds for one report as CSV, and its lines."""
    from casino.reports.registry import query_of
    from casino.reports.writing import csv_lines

    today = datetime.now(UTC).date()
    query = query_of(name, str(first.date()), str(last.date()), by, today)
    start = perf_counter()
    lines = sum(1 for _line in csv_lines(query))
    # Neither the header nor the line that names the code.
    return perf_counter() - start, lines - 2


def measure(what: str, first: datetime, last: datetime, target: float) -> bool:
    """Every report in every grouping over one range; whether the slowest keeps to the target."""
    from casino.reports.registry import REPORTS

    print(f"| {what} | rows | seconds |\n| --- | --- | --- |")
    worst = 0.0
    for name, report in REPORTS.items():
        for by in report.allowed:
            seconds, rows = read(name, by, first, last)
            worst = max(worst, seconds)
            print(f"| {name} by {by} | {rows:,} | {seconds:.2f} |", flush=True)
    print(f"the slowest: {worst:.2f} s (target {target:.0f} s)")
    return worst <= target


def open_files() -> bool:
    """The files of the busiest players; whether the slowest median keeps to the target."""
    from django.db import connection
    from django.db.models import Count
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from casino.players.models import Player
    from casino.players.staff import appoint
    from games.models import HandSeat
    from wallets.models import Entry

    manager, _made = Player.objects.get_or_create(username="bench-manager")
    appoint(manager, "managers")
    client = Client(SERVER_NAME="localhost")
    client.force_login(Player.objects.get(pk=manager.pk))
    people = HandSeat.objects.filter(player__is_bot=False).order_by()
    busiest = people.values_list("player").annotate(hands=Count("pk")).order_by("-hands")[:FILES]
    print("| file of a player | hands | ledger lines | queries | median ms | worst ms |")
    print("| --- | --- | --- | --- | --- | --- |")
    worst = 0.0
    for player, hands in busiest:
        address = f"/admin/players/{player}/file/"
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        count = len(queries)
        times = []
        for _time in range(OPENED):
            start = perf_counter()
            client.get(address)
            times.append(1_000 * (perf_counter() - start))
        lines = Entry.objects.filter(account__owner=f"player:{player}").count()
        middle = median(times)
        worst = max(worst, middle)
        print(
            f"| P-{player} | {hands:,} | {lines:,} | {count} | {middle:.0f} | {max(times):.0f} |",
            flush=True,
        )
    print(f"the slowest median: {worst:.0f} ms (target {FILE_TARGET_MS} ms)")
    return worst <= FILE_TARGET_MS


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from casino.reports.models import SummedDay

    if connection.vendor != "postgresql":
        sys.exit("a PostgreSQL is needed; the first lines of this file say how")
    hands = int(sys.argv[1]) if sys.argv[1:] else HANDS
    days = int(sys.argv[2]) if sys.argv[2:] else DAYS
    call_command("migrate", verbosity=0)
    fill(hands, days)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    good = open_files()
    good &= measure("a closed day", yesterday, yesterday, DAY_TARGET)
    good &= measure("a year", yesterday - timedelta(days=364), yesterday, YEAR_TARGET)
    # A day that is not closed is counted from its hands.
    SummedDay.objects.filter(day=yesterday.date()).delete()
    good &= measure("an open day", yesterday, yesterday, DAY_TARGET)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
