"""The parts of a tournament that `bench.tournament` measures one by one.

Everything goes through the services or the site; where a step has a price in statements, those are
counted as well.
"""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bench.calibration import additions_per_second
from wallets.values.player import Player

# A step that changes nothing is measured so often, and the median counts.
TIMES: Final = 7
CLIENTS: Final = 2


class Counted:
    """Counts statements while it is installed; postings are not among them."""

    def __init__(self) -> None:
        self.statements = 0

    def __call__(self, execute: Callable[..., object], *given: object) -> object:
        self.statements += 1
        return execute(*given)


@contextmanager
def counted() -> Iterator[Counted]:
    from django.db import connection

    count = Counted()
    with connection.execute_wrapper(count):
        yield count


class Took(NamedTuple):
    """The time that one piece of work took, and how many additions fit into it.

    The processor time of this process is what a busy machine disturbs least.
    """

    milliseconds: float
    additions: float
    statements: float = 0
    own_milliseconds: float = 0

    def __str__(self) -> str:
        own = f"{self.own_milliseconds:.1f} ms in this process, " if self.own_milliseconds else ""
        return f"{self.milliseconds:.1f} ms ({own}{self.additions / 1_000:,.0f}k additions)"


def timed(work: Callable[[], object]) -> Took:
    """Do something once."""
    before = additions_per_second()
    began, worked = perf_counter(), process_time()
    with counted() as count:
        work()
    seconds, worked = perf_counter() - began, process_time() - worked
    yardstick = (before + additions_per_second()) / 2
    return Took(1_000 * seconds, seconds * yardstick, count.statements, 1_000 * worked)


def shared(took: Took, count: int) -> Took:
    """What one of so many things took."""
    return Took(*(each / count for each in took))


def often(work: Callable[[], object]) -> Took:
    """Do something that changes nothing several times, after once to warm up."""
    work()
    return sorted(timed(work) for _ in range(TIMES))[TIMES // 2]


# Registering.


def register(players: Sequence[Player], event: int, now: datetime) -> Took:
    """Register these one after the other; what each took."""
    from tournaments.running import entries

    took = timed(lambda: [entries.register(player, event, now) for player in players])
    return shared(took, len(players))


def register_in_two_processes(players: Sequence[Player], event: int, now: datetime) -> Took:
    """Register these in two processes at once; what each took of the time that passed."""
    from django.db import connection

    context = multiprocessing.get_context("fork")
    connection.close()
    clients = [
        context.Process(target=_client, args=(players[number::CLIENTS], event, now))
        for number in range(CLIENTS)
    ]

    def run() -> None:
        for client in clients:
            client.start()
        for client in clients:
            client.join()

    return shared(timed(run)._replace(own_milliseconds=0), len(players))


def _client(players: Sequence[Player], event: int, now: datetime) -> None:
    from django.db import connection

    from tournaments.running import entries

    for player in players:
        entries.register(player, event, now)
    connection.close()


def people(count: int, name: str) -> list[Any]:
    """People who have signed up at addresses of their own, and have been given nothing yet."""
    from casino.accounts.models import Player as Person

    return [
        Person.objects.create_user(f"{name} {number}", signed_up_from=f"{name} {number}")
        for number in range(count)
    ]


# Balancing.


def balancing(event: int) -> Took:
    """From the rows of an event to the plan of its seats."""
    from tournaments.event import floor
    from tournaments.event.organiser import structure_of
    from tournaments.mathematics.preview import sizes_of
    from tournaments.mathematics.seating import Field, balance
    from tournaments.models import Tournament

    def plan() -> None:
        row = Tournament.objects.get(pk=event)
        state = floor.state_of(row)
        # A tenth of the tables lose a player each, so that many have to move.
        tables = [
            replace(table, seats=dict(list(table.seats.items())[index % 10 == 0 :]))
            for index, table in enumerate(state.tables)
        ]
        balance(tables, sizes_of(structure_of(row)), Field((), state.drawn))

    return often(plan)


# Pages.


class Page(NamedTuple):
    """What a page cost, and its size as it is sent to a browser that takes nothing packed."""

    took: Took
    size: int


def page(player: Any, path: str) -> Page:
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    client.force_login(player)
    answer = client.get(path)
    assert answer.status_code == 200, answer.status_code
    return Page(often(lambda: client.get(path)), len(answer.content))


# A cash table.


def cash_table() -> int:
    """A cash table of three people with money."""
    from bench.play import open_table

    return open_table(0)


def cash_acts(table: int) -> Took:
    """Acts at a cash table for a while, the median of them."""
    from django.db import connection

    from bench.play import play

    context = multiprocessing.get_context("fork")
    results = context.Queue()
    connection.close()
    before = additions_per_second()
    client = context.Process(target=play, args=(table, context.Barrier(1), results))
    client.start()
    seconds = median(results.get())
    client.join()
    return Took(1_000 * seconds, seconds * (before + additions_per_second()) / 2)
