"""The code broken on purpose: what the simulation must notice, or it shows nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from uuid import uuid4

from games.boards import table_view
from games.live import announcing
from games.models import Seat, Table
from games.tables import buy_in, play, settle
from tests.simulation import invariants
from wallets.ledger import Leg


@contextmanager
def any_turn() -> Iterator[None]:
    """A move counts for whatever turn it is now: nothing compares the turn that was sent."""
    real = play.act_all

    def act_all(player: Any, table: int, hand: int, turn: int, sent: Any, now: Any) -> Table:
        seat = Seat.objects.filter(table=table, player=player.pk, left_at=None).first()
        turns = Table.objects.values_list("turns", flat=True).get(pk=table)
        current = turns.get(str(seat.number), turn) if seat else turn
        return real(player, table, hand, current, sent, now)

    with patch.object(play, "act_all", act_all):
        yield


@contextmanager
def no_key() -> Iterator[None]:
    """A buy-in sent again is a new one."""
    with patch.object(buy_in, "posting_key", lambda what: uuid4()):
        yield


@contextmanager
def leaking_view() -> Iterator[None]:
    """Whoever looks on is shown what the first seat sees."""
    real = table_view.seen_in

    def seen(hand: Any, table: Any, playing: int | None, names: dict[int, str]) -> Any:
        return real(hand, table, playing or min(names, default=None), names)

    with patch.object(table_view, "seen_in", seen):
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


class Switch(NamedTuple):
    """A way to break the code, and the invariants of which one must notice it."""

    broken: Callable[[], Any]
    noticed_by: tuple[str, ...]
    # Worlds of which one notices it within these steps: which one, is a matter of chance.
    seeds: tuple[int, ...] = (4, 5, 6, 7, 8, 9)
    steps: int = 200


# Most worlds never send a move late. The second notices on SQLite, the seventh on PostgreSQL.
ANY_TURN: Final = (2, 7, 1, 3, 4, 5, 6, 8, 9, 10, 11, 12)

SWITCHES: Final = {
    "any-turn": Switch(any_turn, (invariants.ONCE, invariants.KEPT), ANY_TURN, 120),
    "no-key": Switch(no_key, (invariants.ONCE,)),
    "leaking-view": Switch(leaking_view, (invariants.LEAK,)),
    "redis-matters": Switch(redis_matters, (invariants.REDIS,)),
    "lost-entry": Switch(lost_entry, (invariants.STACKS,)),
}
