"""The interface between tables and their organisers: questions to its format.

`Table.organiser` says who runs a table: none, or one above the games, such as `tournament:12`. This
module alone reads it. Everything else asks the table's **format**, an object that answers for one
table; `CashGame` (`cash_game.py`) is the format of tables without an organiser. A package above the
games registers a format for its kind of organiser when the site starts:

    formats.FORMATS.add("tournament", TournamentTable)

**Locks** are taken in one order everywhere: the organiser's row, tables by ascending number
(`lock.lock_tables`), accounts by ascending number (the ledger sees to that). The question is asked,
and its answer carried out, under the lock of the table's row. So an answer may read all rows and
insert its own, and never locks the organiser's row or another table: moves of players wait for
`after_commit`, which begins a new transaction and locks the organiser's row first.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar, Final, NamedTuple, Protocol
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_noop as _n

from games.models import Hand, Seat, Shoe, Table
from games.rules.contract import AnyGame
from games.rules.settlement import Settlement
from wallets.money.references import Link
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Viewer
from wallets.values.registry import Registry


class Posting(NamedTuple):
    """The ledger's note on money that a seat receives or gives up."""

    key: UUID
    actor: str
    reason: str


class Heading(NamedTuple):
    """The heading that an organiser shows above a table: a template, and its `event`.

    The head names styles. On the page of a private table's link an `invitation` replaces the usual
    text of private tables.
    """

    template: str
    head: str
    event: object
    invitation: str = ""


class Format(Protocol):
    """The answers for one table; `docs/tournaments.md` says under which locks they are asked."""

    # Whether the lobby lists its tables, for all players.
    listed: ClassVar[bool]
    # Whether the house sits out a player who misses turns or is offline.
    missed_turns: ClassVar[bool]
    # Whether the house plays at once for a player who has closed the page while others wait.
    plays_for_closed_pages: ClassVar[bool]
    # Whether operators set its tables up by hand.
    set_by_operators: ClassVar[bool]

    def __init__(self, table: Table) -> None: ...

    # The page.

    def belongs_to(self) -> Link | None:
        """Return what the table's hands belong to, as lists of hands say it; without a query."""
        ...

    def heading(self, viewer: Viewer, now: datetime) -> Heading | None:
        """Return the heading of the page, which is renewed with the table."""
        ...

    def heading_version(self) -> int | None:
        """Return the number of the heading in `games/live/sources.py`, if it has versions."""
        ...

    # Permissions of players: a refusal, or None.

    def may_watch(self, viewer: Viewer) -> bool:
        """Whether a viewer may watch now, if the table is not private."""
        ...

    def may_sit(self, viewer: Viewer) -> Refused | None:
        """Return why a viewer cannot take a seat."""
        ...

    def may_leave(self, seat: Seat) -> Refused | None:
        """Return why a player cannot give the seat up."""
        ...

    def may_top_up(self, seat: Seat) -> Refused | None:
        """Return why a player cannot bring more to the seat."""
        ...

    def may_sit_out(self, seat: Seat) -> Refused | None:
        """Return why a player cannot sit out."""
        ...

    def may_reverse(self, hand: Hand) -> Refused | None:
        """Return why a paid hand cannot be reversed."""
        ...

    def history_open(self, hand: Hand) -> bool:
        """Whether a finished hand is open already to the readers who may see it."""
        ...

    # Money.

    def funds(self, seat: Seat) -> int:
        """The most that a hand may take from the seat."""
        ...

    def account(self, seat: Seat) -> int:
        """The account of the ledger that a hand settles with for the seat."""
        ...

    def fill(self, seat: Seat, amount: int, posting: Posting) -> None:
        """Move an amount to the seat from the account that its chips come from."""
        ...

    def empty(self, seat: Seat, posting: Posting) -> None:
        """Move the whole stack to the account that chips return to when the seat is given up."""
        ...

    def is_short(self, seat: Seat) -> bool:
        """Whether the stack is too small to be dealt in, so that the page asks for a top-up."""
        ...

    def is_broke(self, seat: Seat) -> bool:
        """Whether the player holds too little to be dealt in."""
        ...

    # Between two hands.

    def eviction(self, seat: Seat, seats: Sequence[Seat], now: datetime) -> str | None:
        """Return why the seat is given up now: "" if it just ends, None if the player keeps it."""
        ...

    def wants_bots(self, seats: Sequence[Seat], now: datetime) -> int: ...

    # The next hand.

    def may_start(self, now: datetime) -> datetime | None:
        """From when on the next hand may start; None where it waits for `clock.release`."""
        ...

    def spectator_came(self, now: datetime) -> None:
        """React to a spectator who begins to watch; the table is not locked."""
        ...

    def options(self, now: datetime) -> dict[str, object]:
        """The options of the next hand; the table's row takes them over."""
        ...

    def dealt_in(self, seats: Sequence[Seat], now: datetime) -> list[Seat]:
        """The seats among these that can be dealt in."""
        ...

    def enough(self, game: AnyGame, ready: Sequence[Seat]) -> bool:
        """Whether a hand can begin with these seats."""
        ...

    def next_shoe(self, game: AnyGame, now: datetime) -> Shoe | None:
        """The shoe to put on the table: sealed, or mixed already where its cards are dictated.

        Where there is none yet, it is asked for again after a pause.
        """
        ...

    # The end of a hand.

    def hand_ended(self, hand: Hand, settlement: Settlement | None) -> None:
        """Insert rows for a paid hand, or a voided one without a settlement; do nothing else."""
        ...

    def after_commit(self, hand: Hand, seats: Sequence[Seat], now: datetime) -> None:
        """Do the rest, in separate transactions. This call may be lost; the rows are not."""
        ...


CASH: Final = ""

# By the kind of organiser for whose tables a format answers.
FORMATS: Final = Registry[type[Format]]("format of tables")


def kind_of(organiser: str) -> str:
    """The kind of organiser: `tournament` of `tournament:12`."""
    return organiser.partition(":")[0]


def is_cash(table: Table) -> bool:
    return kind_of(table.organiser) == CASH


def format_of(table: Table) -> Format:
    factory = FORMATS.get(kind_of(table.organiser))
    if factory is None:
        # A table whose organiser has no format is hidden from visitors.
        raise Hidden("no_such_table", _n("There is no such table."))
    return factory(table)


def set_by_operators(table: Table) -> bool:
    """Whether operators set a table up by hand; without a query."""
    factory = FORMATS.get(kind_of(table.organiser))
    return factory is not None and factory.set_by_operators


def tables_of_operators(prefix: str = "") -> Q:
    """The tables that operators set up by hand, as a condition; `prefix` leads to the table."""
    return _of_formats(lambda factory: factory.set_by_operators, prefix)


def listed_tables(prefix: str = "") -> Q:
    """The tables that the lobby lists, as a condition; `prefix` leads to the table."""
    return _of_formats(lambda factory: factory.listed, prefix)


def tables_of(kind: str) -> Q:
    """The tables whose organiser is of this kind, as a condition."""
    return Q(organiser__startswith=f"{kind}:")


def _of_formats(wanted: Callable[[type[Format]], bool], prefix: str = "") -> Q:
    formats = Q()
    for kind, factory in FORMATS.items():
        if wanted(factory):
            field = f"{prefix}organiser"
            formats |= Q(**({f"{field}__startswith": f"{kind}:"} if kind else {field: ""}))
    return formats
