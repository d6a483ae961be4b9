"""Two requests that meet at one row: what a lock is for, and what one client alone never shows.

Nothing is left to luck. A third connection holds the last row that both need, and lets go once both
wait for a lock. Sound code waits before it reads. Code without a lock has read by then what the
other is about to change, and code that locks in no order holds what the other wants. SQLite has one
writer at a time and no locks of rows, so there the second request begins when the first has ended.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Final
from unittest.mock import patch
from uuid import uuid4

from django.db import connection, connections, transaction
from django.db.models import QuerySet

from games.models import Move, Table
from games.tables import hand_verbs, optimistic_act
from tests.games.house import House
from tests.people import BY_TEST
from tests.simulation import invariants
from tests.simulation.invariants import ERROR, ONCE, require
from tests.waiting import until
from wallets.models import Account
from wallets.money.ledger import Leg, post

WAITING: Final = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid = ANY(%s)"


def check() -> None:
    """Two payments between the same two wallets, and a move that is sent twice.

    The move is played on a copy of its table, and again under the table's lock.
    """
    house = House()
    _payments(house)
    _moves(house, "ann", "ben", "cleo")
    with patch.object(optimistic_act, "act", lambda *_given: None):
        _moves(house, "dan", "eve", "fay")


def _payments(house: House) -> None:
    """Two players pay one another and a third; each posting names the payer first."""
    account, other, third = (house.wallet(house.player(name)) for name in ("one", "other", "third"))

    def pay(source: Account, target: Account) -> None:
        legs = [Leg(source.pk, -2), Leg(third.pk, 1), Leg(target.pk, 1)]
        post(uuid4(), "payment", legs, book=f"payments:{source.pk}", **BY_TEST)

    wallet = Account.objects.filter(pk=third.pk)
    _meet(wallet, partial(pay, account, other), partial(pay, other, account))
    invariants.ledger()


def _moves(house: House, *names: str) -> None:
    """A player's browser sends the same move over two connections."""
    table = house.dealt_in("doudizhu", *names)
    (number,) = table.turns
    seat = table.seats.select_related("player").get(number=number)
    hand, turn, name = table.hand_id, table.turns[number], seat.player.username
    assert hand is not None
    action = house.best_action(table, name)

    def send() -> None:
        hand_verbs.act(seat.player, table.pk, hand, turn, action, house.now)

    _meet(Table.objects.filter(pk=table.pk), send, send)
    made = Move.objects.filter(hand=hand, seat=seat.number, turn=turn).count()
    require(made == 1, ONCE, f"a move sent twice was made {made} times")


def _meet(row: "QuerySet[Any]", *calls: Callable[[], None]) -> None:
    """Make the calls while a row is held at which none of them gets past, then let it go."""
    processes: list[int] = []

    def make(call: Callable[[], None]) -> None:
        try:
            processes.append(_process())
            call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        with transaction.atomic():
            list(row.select_for_update(no_key=True))
            made = [pool.submit(make, call) for call in calls]
            until(lambda: _all_held_up(made, processes))
        errors = [error for future in made if (error := future.exception())]
    require(not errors, ERROR, errors)


def _process() -> int:
    """The process of the database that serves this connection."""
    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def _all_held_up(made: Sequence["Future[None]"], processes: Sequence[int]) -> bool:
    """Whether each has ended or waits for a lock; where there are no locks, neither need wait."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [list(processes)])
        waiting: int = cursor.fetchone()[0]
    return waiting + sum(future.done() for future in made) == len(made)
