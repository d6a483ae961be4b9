"""One version of a table in this process: its public part is made once.

Several people look at each version of a table. All of them get the same public part, so it is made
for the first viewer, and once more for each other language. The same holds for the hand that is
shown: after the hand has ended, no request reads its moves again.

Nothing here is the truth. The caller has just read the rows of the table and its seats. They get
what was made of other rows only if every column is equal of which the public part is made, so a
rename or a new stack is seen at once, although a rename makes no version. Only the public part,
which has no hidden card, leaves this module. The state that the views are made from stays in this
process, as that of a live hand does (`games/tables/hand_cache.py`), until a viewer asks for the
next version.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from operator import attrgetter
from threading import Lock
from typing import Any, Final, TypeVar

from django.db.models import Sum
from django.utils.translation import get_language

from games.boards.hand_at_table import HandAtTable, hand_at
from games.boards.public_view import LAST_REVERSED, PublicView, public_view
from games.models import Hand, HandSeat, Move, Seat, Table
from games.models.combined import Read
from games.models.prepared import Prepared
from games.shoes.custody import PARTS
from games.tables.hand_cache import CachedHand, Once, own_row
from games.tables.jackpots import ACTIVE_AT, has_pools
from games.tables.ready_players import (
    Bets,
    is_against_house,
    last_bets,
    latest_moves,
    read_of_latest_moves,
)
from games.tables.table_cache import TABLE_CACHE, cached_hand

T = TypeVar("T")

# The wins and losses of a table's seats since their players sat down.
WON: Final = Prepared(
    lambda table: (
        HandSeat.objects.filter(
            seat__table=table, seat__left_at__isnull=True, hand__status=Hand.Status.FINISHED
        )
        .order_by()
        .values_list("seat")
        .annotate(net=Sum("net"))
    )
)

# More tables than one process serves at a time.
TABLES_REMEMBERED: Final = 1024

_OF_TABLE: Final = attrgetter(*(field.attname for field in Table._meta.concrete_fields))
_OF_SHOE: Final = attrgetter("code", "decks", "status", "seal", "lock")
_OF_SEAT: Final = attrgetter(
    "pk",
    "number",
    "player_id",
    "player.username",
    "player.is_bot",
    "player.strength",
    "player.level",
    "player.face",
    "stack.balance",
    "sits_out",
    "auto_play",
    "leaves",
    "reserved_for_id",
)


class TableVersion(Once):
    """A version of a table, with what has been worked out of it for all who look."""

    def __init__(
        self, table: Table, seats: Sequence[Seat], before: "TableVersion | None" = None
    ) -> None:
        super().__init__()
        # Rows of its own: the reader may go on to change theirs.
        self.table, self.seats = own_row(table), [own_row(seat) for seat in seats]
        # What boards were made of, by viewer: at the version before, and at this one.
        self.before: Mapping[Hashable, Any] = {} if before is None else before.boards
        self.boards: dict[Hashable, Any] = {}

    @property
    def hand(self) -> HandAtTable | None:
        """The hand that is shown; not to be handed out, because its state holds every card."""
        return self.once("hand", lambda: hand_at(self.table))

    @property
    def public(self) -> PublicView:
        """The public part in the active language."""
        return self.once(
            ("public", get_language()), lambda: public_view(self.table, self.seats, self.hand)
        )

    def last_bets(self, seat: Seat) -> Bets:
        """A player's bets in the last round in which they bet, in the order of placing."""
        ended = self.hand if self.table.hand_id is None else None
        own = last_bets(seat, ended.moves) if ended is not None else []
        return own or last_bets(seat, self._latest_moves())

    def visit(self, seat: Seat) -> int:
        """The seat's win or loss since its player sat down."""
        won: dict[int, int] = self._until_hand_ends(
            "visits", lambda: {seat: int(net) for seat, net in WON.read(self.table.pk)}
        )
        # A seat that was taken since has no hand behind it.
        return won.get(seat.pk, 0)

    def _latest_moves(self) -> list[Move]:
        """The moves of the last rounds that have ended."""
        return self._until_hand_ends("latest moves", lambda: latest_moves(self.table))

    def _until_hand_ends(self, key: Hashable, find: Callable[[], T]) -> T:
        """Find once for a hand that runs what no hand but one that ends can change."""
        keeper = self if self.table.hand_id is None else cached_hand(self.table)
        return keeper.once(key, find)


class TableVersions:
    """The latest version of each table that was looked at in this process."""

    def __init__(self) -> None:
        self._entries: OrderedDict[int, tuple[object, TableVersion]] = OrderedDict()
        self._lock = Lock()

    def at(self, table: Table, seats: Sequence[Seat]) -> TableVersion:
        made_of = _made_of(table, seats)
        with self._lock:
            entry = self._entries.get(table.pk)
            if entry is not None and entry[0] == made_of:
                self._entries.move_to_end(table.pk)
                return entry[1]
        version = TableVersion(table, seats, entry and entry[1])
        with self._lock:
            self._entries[table.pk] = made_of, version
            self._entries.move_to_end(table.pk)
            while len(self._entries) > TABLES_REMEMBERED:
                self._entries.popitem(last=False)
        return version

    def forget(self, table: Table) -> None:
        with self._lock:
            self._entries.pop(table.pk, None)

    def clear(self) -> None:
        """Forget everything, as a process that has just started."""
        with self._lock:
            self._entries.clear()


VERSIONS: Final = TableVersions()
# Rows that are seldom changed, with their version.
_HELD: Final[ContextVar[tuple[Table, Sequence[Seat], TableVersion] | None]] = ContextVar(
    "_HELD", default=None
)


def version_of(table: Table, seats: Sequence[Seat]) -> TableVersion:
    """The version of a table whose rows have just been read."""
    held = _HELD.get()
    if held is not None and held[0] is table and held[1] is seats:
        return held[2]
    return VERSIONS.at(table, seats)


@contextmanager
def holding(table: Table, seats: Sequence[Seat]) -> Iterator[None]:
    """Compare rows that stay as they are once, however many boards are made of them."""
    before = _HELD.set((table, seats, VERSIONS.at(table, seats)))
    try:
        yield
    finally:
        _HELD.reset(before)


def reads_of_look(table_id: int) -> list[Read]:
    """The reads of a view of a table, depending on what this process has cached."""
    known = TABLE_CACHE.known(table_id)
    reads = TABLE_CACHE.reads_of_newest(table_id)
    return reads if known is None else [*reads, *reads_of_boards(known.table, known.live)]


def reads_of_boards(table: Table, live: CachedHand | None) -> list[Read]:
    """What boards of a version are made of, besides the row of the table, its seats and moves."""
    reads: list[Read] = []
    if table.next_shoe is not None:
        reads.append((PARTS, (table.next_shoe.pk,)))
    if has_pools(table):
        reads.append((ACTIVE_AT, (table.pk,)))
    if live is None:
        reads += [(LAST_REVERSED, (table.pk,)), *TABLE_CACHE.reads_of_ended(table)]
        if table.shoe is not None:
            reads.append((PARTS, (table.shoe.pk,)))
        return [*reads, *_reads_of_visits(table)]
    unread = live.unread()
    is_first = bool(unread) or not table.moves_made
    return [*reads, *unread, *(_reads_of_visits(table) if is_first else ())]


def _reads_of_visits(table: Table) -> list[Read]:
    """How the players have fared and what they bet, which pages against the house show."""
    if not is_against_house(table):
        return []
    return [(WON, (table.pk,)), read_of_latest_moves(table)]


def _made_of(table: Table, seats: Sequence[Seat]) -> object:
    """The columns that a public part is made of."""
    shoe = _OF_SHOE(table.shoe) if table.shoe is not None else None
    return _OF_TABLE(table), table.currency.name, shoe, [_OF_SEAT(seat) for seat in seats]
