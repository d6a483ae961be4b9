"""What the live floor costs with 300 tables: the page, and a push with and without a change.

    python -m tests.cluster --optional python -m bench.floor [TABLES]

Each figure is the processor time of one answer in milliseconds, the median of several rounds, and
the same as a ratio: how many million additions (`bench.calibration`) the processor does then.
The ratio compares days and machines; wall clock time on a busy machine says little.
"""

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final, cast

from bench.calibration import additions_per_second
from tests.houses import open_house

if TYPE_CHECKING:
    from casino.office.floor.floor_context import FloorContext

TABLES: Final = 300
ROUNDS: Final = 15
PAGE_TARGET_MS: Final = 150
PUSH_TARGET_MS: Final = 5


def measure(what: str, work: Callable[[], object], before: Callable[[int], object]) -> float:
    """Milliseconds of the processor for one piece of work; one round beforehand warms up."""
    before(0)
    work()
    spent, walls, ratios = [], [], []
    for number in range(1, ROUNDS + 1):
        before(number)
        yardstick = additions_per_second()
        wall, own = perf_counter(), process_time()
        work()
        spent.append(1_000 * (process_time() - own))
        walls.append(1_000 * (perf_counter() - wall))
        ratios.append(spent[-1] / 1_000 * yardstick / 1_000_000)
    middle = median(spent)
    print(f"| {what} | {middle:.1f} | {median(walls):.1f} | {median(ratios):.2f} |", flush=True)
    return middle


def fill(count: int) -> list[int]:
    """Tables with three players each, stored as rows alone."""
    from django.db import connection
    from django.utils import timezone

    from casino.accounts.models import Player
    from games.models import Seat
    from tests.append_only import triggers_set_aside
    from tests.games.house import House
    from wallets.models import Account

    house, now = House(), timezone.now()
    tables = [house.table("doudizhu", name=f"t{number}") for number in range(count)]
    places = [(table, number) for table in tables for number in (1, 2, 3)]
    names = [f"p{table.pk}x{number}" for table, number in places]
    people = [Player(username=name, username_key=name) for name in names]
    players = Player.objects.bulk_create(people)
    seats = [
        Seat(table=table, number=number, player=player, seen_at=now, sat_down_at=now)
        for (table, number), player in zip(places, players, strict=True)
    ]
    stacks = [
        Account(kind="stack", owner=seat.reference, currency=house.currency, balance=50_000)
        for seat in seats
    ]
    with triggers_set_aside(connection):
        stored = Account.objects.bulk_create(stacks)
    for seat, stack in zip(seats, stored, strict=True):
        seat.stack = stack
    Seat.objects.bulk_create(seats)
    return [table.pk for table in tables]


def nothing(_round: int) -> None:
    """Nothing changes before this round."""


def main() -> int:
    with open_house(database="given"):
        return compare(int(sys.argv[1]) if sys.argv[1:] else TABLES)


def compare(count: int) -> int:
    """Print a line for each kind of answer; 1 where one takes longer than it may."""
    from django.db import transaction
    from django.test.utils import setup_test_environment
    from django.utils import timezone

    from casino.accounts.models import Player
    from casino.accounts.staff import appoint
    from casino.office.floor import floor_page, listing
    from games.tables.lock import lock_table, store_table
    from tests.people import HTMX, client_of

    setup_test_environment()
    tables = fill(count)
    appoint(Player.objects.create_user("flo"), "floor")
    client = client_of(Player.objects.get(username="flo"), SERVER_NAME="localhost")
    headers: dict[str, str] = dict(HTMX)

    def page() -> None:
        assert client.get("/admin/floor/").status_code == 200

    def push() -> None:
        client.get("/admin/floor/?part=1", headers=headers)

    def show(_round: int) -> None:
        """The reader shows everything as it is."""
        context = client.get("/admin/floor/").context
        pieces = floor_page.pieces(cast("FloorContext", context))
        headers[floor_page.SHOWN_HEADER] = " ".join(
            f"{piece.name}.{piece.digest}" for piece in pieces
        )

    def change(number: int) -> None:
        show(number)
        store(tables[number % len(tables)])

    def store(table_id: int) -> None:
        with transaction.atomic():
            store_table(lock_table(table_id))

    def look() -> None:
        for kept in listing.look(timezone.now()):
            kept.card()

    def look_after(number: int) -> None:
        look()
        store(tables[number % len(tables)])

    print(f"{count} tables with 3 players each; ms of the processor, of the clock, and the ratio")
    print("| what | processor | clock | ratio |\n| --- | --- | --- | --- |")
    whole = measure("the page", page, nothing)
    empty = measure("a push without change", push, show)
    changed = measure("a push with one change", push, change)
    still = measure("reading tables, no change", look, nothing)
    moved = measure("reading tables, one change", look, look_after)
    print(f"a change costs {changed - empty:.1f} ms a reader, and {moved - still:.1f} ms a process")
    good = whole <= PAGE_TARGET_MS and max(changed - empty, moved - still) <= PUSH_TARGET_MS
    print(f"targets: page {PAGE_TARGET_MS} ms, change {PUSH_TARGET_MS} ms")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
