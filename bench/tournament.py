"""What tournaments of 30, 300 and 3,000 bots cost, through the services, on PostgreSQL.

    python -m tests.cluster --durable python -m bench.tournament [PLAYERS...]

For each field: how long registration takes, hands a second, statements a hand, the memory of the
process, and one balancing step, from the rows to the plan. Hands a second are those of one process
that plays all tables one after another. They include the bots' thinking, whose share stands beside
them. Growth is close to linear where hands a second and statements a hand stay about the same.
"""

import logging
import os
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import Any, Final

import django
from msgspec import convert
from msgspec.structs import replace

from tournaments.structure import Structure

FIELDS: Final = (30, 300, 3_000)
REGISTRATION_SECONDS_MAX: Final = 60
MILLISECONDS_MAX: Final = 100
POINTS: Final = (50, 80, 120, 200, 300, 500, 800, 1_200, 2_000)
# A balancing step is measured so often, and the quickest one counts.
STEPS: Final = 5


def structure(players: int) -> Structure:
    """A freeze-out at tables of three: 3,000 players have a thousand of them."""
    levels: list[dict[str, int]] = [{"point": point, "seconds": 60} for point in POINTS]
    fields: dict[str, Any] = {
        "name": f"Bench {players}",
        "kind": "freeze_out",
        "game": "chinese_poker",
        "field_min": 2,
        "field_max": players,
        "table_size": 3,
        "stake": 1_000,
        "fee": 100,
        "payouts": {"by": "percentage", "shares": [{"share": 6_000}, {"share": 4_000}]},
        "starting_chips": 1_000,
        "levels": [*levels, {"point": 5_000}],
        "pause_seconds": 2,
    }
    return convert(fields, Structure)


class Counted:
    """Counts statements while it is installed, and the time that the database takes."""

    def __init__(self) -> None:
        self.statements = 0
        self.seconds = 0.0

    def __call__(self, execute: Callable[..., Any], *given: Any) -> Any:
        began = perf_counter()
        try:
            return execute(*given)
        finally:
            self.statements += 1
            self.seconds += perf_counter() - began


@contextmanager
def counted() -> Iterator[Counted]:
    from django.db import connection

    count = Counted()
    with connection.execute_wrapper(count):
        yield count


def balancing(number: int) -> float:
    """The milliseconds from the rows of an event to the plan of its seats."""
    from tournaments import floor
    from tournaments.models import Tournament
    from tournaments.organiser import structure_of
    from tournaments.preview import sizes_of
    from tournaments.seating import Field, balance

    took = []
    for _ in range(STEPS):
        began = perf_counter()
        row = Tournament.objects.get(pk=number)
        stands = floor.standing(row)
        # A tenth of the tables lose a player each, so that many have to move.
        tables = [
            replace(table, seats=dict(list(table.seats.items())[index % 10 == 0 :]))
            for index, table in enumerate(stands.tables)
        ]
        balance(tables, sizes_of(structure_of(row)), Field((), stands.drawn))
        took.append(1_000 * (perf_counter() - began))
    return min(took)


def measure(players: int) -> None:
    """Play one tournament, and print what it cost."""
    from tournaments.models import Tournament
    from tournaments.rehearsal.play import Rehearsal

    rehearsal = Rehearsal(structure(players), players, str(players))
    began = perf_counter()
    for _line in rehearsal.enter():
        pass
    registered = perf_counter() - began
    while (row := rehearsal.row).state != Tournament.State.RUNNING:
        list(rehearsal.step(row))
    step = balancing(rehearsal.number)
    tables = row.tables_opened
    counts = Counter[str]()
    began, worked = perf_counter(), process_time()
    with counted() as count:
        while not (row := rehearsal.row).is_over:
            counts.update(line["event"] for line in rehearsal.step(row))
    seconds, worked, hands = perf_counter() - began, process_time() - worked, counts["hand"]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    print(
        f"{players:5} players: registered in {registered:.1f} s of {REGISTRATION_SECONDS_MAX}; "
        f"{tables} tables balanced in {step:.1f} ms of {MILLISECONDS_MAX}; "
        f"{hands:,} hands, {hands / seconds:.1f} a second ({worked / seconds:.0%} of it in this "
        f"process), {count.statements / hands:.0f} statements a hand, {counts['moved']} moves, "
        f"{memory:.0f} MB",
        flush=True,
    )


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    # Nobody watches: that Redis does not answer is meant.
    logging.getLogger("games.live").setLevel(logging.ERROR)
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    for players in map(int, sys.argv[1:]) if sys.argv[1:] else FIELDS:
        measure(players)


if __name__ == "__main__":
    main()
