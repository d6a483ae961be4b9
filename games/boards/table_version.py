"""One version of a table in this process: what everybody sees of it is made once.

Several people look at each version of a table. All of them get the same public part, so it is made
when the first of them looks, and again in another language when somebody reads in that. The same
holds for the hand that is shown: after it has ended, nobody else reads its moves again.

Nothing here is the truth. Whoever looks has just read the rows of the table and its seats. They get
what was made of other rows only if every column is equal of which the public part is made, so a
rename or a new stack is seen at once, although a rename makes no version. What is handed out is the
public part alone, which holds no hidden card. The state that the views are made from stays in this
process, as that of a live hand does (`games/tables/live_hands.py`), until somebody looks at the
next version.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter
from threading import Lock
from typing import Any, Final, TypeVar

from django.utils.translation import get_language

from games.boards.live_hand import HandAtTable, hand_at
from games.boards.public_view import PublicView, public_view
from games.models import Seat, Table
from games.tables.live_hands import own_row

T = TypeVar("T")

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
    "player.face",
    "stack.balance",
    "sits_out",
    "auto_play",
    "leaves",
    "reserved_for_id",
)


class TableVersion:
    """A version of a table, with what has been worked out of it for all who look."""

    def __init__(self, table: Table, seats: Sequence[Seat]) -> None:
        # Rows of its own: the reader may go on to change theirs.
        self.table, self.seats = own_row(table), [own_row(seat) for seat in seats]
        self._found: dict[Hashable, Any] = {}

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

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` returns: it depends on this version alone, or `key` says on what."""
        if key not in self._found:
            self._found[key] = make()
        found: T = self._found[key]
        return found


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
        version = TableVersion(table, seats)
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


def version_of(table: Table, seats: Sequence[Seat]) -> TableVersion:
    """The version of a table whose rows have just been read."""
    return VERSIONS.at(table, seats)


def _made_of(table: Table, seats: Sequence[Seat]) -> object:
    """The columns that a public part is made of."""
    shoe = _OF_SHOE(table.shoe) if table.shoe is not None else None
    return _OF_TABLE(table), table.currency.name, shoe, [_OF_SEAT(seat) for seat in seats]
