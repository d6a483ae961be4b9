"""The code broken on purpose: what the simulation must notice, or it shows nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from uuid import uuid4

import msgspec
from django.db import connection

from games.boards import table_version
from games.boards.hand_at_table import HandAtTable
from games.boards.public_view import PublicView, public_view
from games.live import announcing
from games.models import Seat, Table
from games.models.prepared import Query
from games.tables import buy_in, hand_verbs, lock, optimistic_act, settle
from games.tables.decisions import Decision
from tests.simulation import invariants
from wallets.money import ledger
from wallets.money.ledger import Leg
from wallets.of_record import guards


@contextmanager
def any_turn() -> Iterator[None]:
    """A move counts for the present turn: nothing compares the turn that was sent."""
    real = hand_verbs.act_all

    def act_all(player: Any, table: int, answered: Decision, sent: Any, now: Any) -> Table:
        seat = Seat.objects.filter(table=table, player=player.pk, left_at=None).first()
        turns = Table.objects.values_list("turns", flat=True).get(pk=table)
        current = turns.get(str(seat.number), answered.turn) if seat else answered.turn
        return real(player, table, answered._replace(turn=current), sent, now)

    with patch.object(hand_verbs, "act_all", act_all):
        yield


@contextmanager
def no_key() -> Iterator[None]:
    """A buy-in sent again is a new one."""
    with patch.object(buy_in, "posting_key", lambda what: uuid4()):
        yield


@contextmanager
def leaking_view() -> Iterator[None]:
    """A spectator is shown what the first seat sees."""
    real = public_view

    def leaking(table: Table, seats: Any, at: HandAtTable | None) -> PublicView:
        public = real(table, seats, at)
        if at is None:
            return public
        view = at.game.view(at.state, min(player.number for player in at.players))
        return msgspec.structs.replace(public, view=view)

    with patch.object(table_version, "public_view", leaking):
        yield


@contextmanager
def redis_matters() -> Iterator[None]:
    """An announcement that fails is an error of the request."""
    with patch.object(
        announcing, "publish", lambda text: announcing.client().publish(announcing.CHANNEL, text)
    ):
        yield


@contextmanager
def lost_entry() -> Iterator[None]:
    """Of each hand the entry of one seat is lost, and another account has it."""
    real = settle.legs_of

    def legs_of(*given: Any, **named: Any) -> list[Leg]:
        legs = real(*given, **named)
        if len(legs) < 3:
            return []
        first, second, *others = legs
        return [Leg(second.account, first.amount + second.amount), *others]

    with patch.object(settle, "legs_of", legs_of):
        yield


@contextmanager
def no_table_lock() -> Iterator[None]:
    """A player who acts at a table reads its row, and does not hold up others who do the same."""
    unlocked = Query(lambda table: Table.objects.select_related("currency").filter(pk=table))
    with patch.object(lock, "LOCKED", unlocked):
        yield


@contextmanager
def no_version() -> Iterator[None]:
    """An act on a copy is stored even if the table has another version by now."""
    broken = copy(optimistic_act.WRITE_MOVES)
    for name in ("_update", "_current"):
        before, condition, after = getattr(broken, name).rpartition('"version" = ')
        assert condition
        setattr(broken, name, f'{before}"version" >= {after}')
    with patch.object(optimistic_act, "WRITE_MOVES", broken):
        yield


@contextmanager
def no_account_lock() -> Iterator[None]:
    """A posting reads balances, and nothing holds up another that reads them before it writes."""
    reading = "WHERE id = ANY (body.accounts) ORDER BY id"
    with _posted_by({f"{reading} FOR NO KEY UPDATE": reading}):
        yield


@contextmanager
def unsorted_locks() -> Iterator[None]:
    """A posting locks its accounts in the order in which its caller named them."""
    real = ledger.checked

    def checked(body: ledger.Movement) -> ledger.Movement:
        named = [leg.account for leg in body.legs]
        body = real(body)
        return body._replace(
            legs=tuple(sorted(body.legs, key=lambda leg: named.index(leg.account)))
        )

    with (
        patch.object(ledger, "checked", checked),
        _posted_by(
            {
                "ORDER BY id FOR NO KEY UPDATE": (
                    "ORDER BY array_position(body.accounts, id) FOR NO KEY UPDATE"
                ),
                "IF body.accounts <> ARRAY (SELECT DISTINCT unnest(body.accounts)": (
                    "IF NULL::bigint[] = ARRAY (SELECT DISTINCT unnest(body.accounts)"
                ),
            }
        ),
    ):
        yield


@contextmanager
def _posted_by(changes: Mapping[str, str]) -> Iterator[None]:
    """Change the function by which PostgreSQL posts; on SQLite, Python posts, and locks no row."""
    if connection.vendor != "postgresql":
        yield
        return
    text = broken = (guards.SQL / "post_postgresql.sql").read_text()
    for sound, changed in changes.items():
        assert sound in broken
        broken = broken.replace(sound, changed)
    with connection.cursor() as cursor:
        cursor.execute(broken)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(text)


class Switch(NamedTuple):
    """A way to break the code, and the invariants of which one must notice it."""

    broken: Callable[[], Any]
    noticed_by: tuple[str, ...]
    # Worlds of which one notices it within these steps: which one, is a matter of chance.
    seeds: tuple[int, ...] = (4, 5, 6, 7, 8, 9)
    steps: int = 200


# Most worlds never send a move late.
ANY_TURN: Final = (5, 3, 2, 4, 1, 6, 7, 8, 9, 10, 11, 12)

# In most a top-up is sent again after its player has left.
NO_KEY: Final = (11, 4, 2, 3, 5, 6, 7, 8, 9, 10, 12, 13, 14)

SWITCHES: Final = {
    "any-turn": Switch(any_turn, (invariants.ONCE, invariants.KEPT), ANY_TURN, 120),
    "no-key": Switch(no_key, (invariants.ONCE,), NO_KEY, 120),
    "leaking-view": Switch(leaking_view, (invariants.LEAK,)),
    "redis-matters": Switch(redis_matters, (invariants.REDIS,)),
    "lost-entry": Switch(lost_entry, (invariants.STACKS,)),
}

# What one client alone never shows: two requests at once must notice it, on PostgreSQL. SQLite has
# one writer at a time, and no lock of a row that could be taken away.
AT_ONCE: Final = {
    "no-table-lock": Switch(no_table_lock, (invariants.ERROR, invariants.ONCE)),
    "no-version": Switch(no_version, (invariants.ERROR, invariants.ONCE)),
    "no-account-lock": Switch(no_account_lock, (invariants.MONEY,)),
    "unsorted-locks": Switch(unsorted_locks, (invariants.ERROR,)),
}
