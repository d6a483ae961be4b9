"""The tables as the floor sees them, in one row each, and the cache of rows.

Only what is in the rows of tables and seats is read, so no hidden card can be in it. Hands are
counted once a minute for all readers, from the index over the ends of hands.

A look reads one narrow row a table. A table whose narrow row is as it was is neither read further
nor rendered again, however many people watch the floor.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from casino.office.models import Closure
from casino.ops.health import OVERDUE_SECONDS_MAX
from games.live.spectators import watchers
from games.lobby.listing import fingerprint, table_stakes
from games.models import Hand, Seat, Table
from games.tables.formats import set_by_operators, tables_of_operators
from games.words import charts
from games.words.naming import FAMILIES, game_name, player_title
from wallets.models import Currency
from wallets.values.amounts import show_amount

LAST_HOUR: Final = timedelta(hours=1)
# The last hour is shown in so many bars.
BARS: Final = 12
NO_HANDS: Final = (0,) * BARS
COUNTED_SECONDS: Final = 60
HOUSE_TURN: Final = "0"
FAMILY_OF: Final = {game: family.key for family in FAMILIES for game in family.games}


class Sitter(NamedTuple):
    """A player at a table, with the stack in minor units."""

    number: int
    name: str
    is_bot: bool
    stack: int
    player: int


class Closed(NamedTuple):
    """The closing of a table: who, when and why."""

    by_name: str
    at: datetime
    reason: str


class FloorRow(NamedTuple):
    id: int
    name: str
    game: str
    family: str
    game_name: str
    stakes: str
    places: int
    sitters: tuple[Sitter, ...]
    money: int
    shown_money: str
    currency: str
    watchers: int
    hands: int
    # The bars of the last hour as a path, the oldest first.
    spark: str
    # "open", "closing" or "closed".
    status: str
    doing: str
    deadline: datetime | None
    # Seconds from the beginning of the turn until the deadline.
    whole: int
    # By how many seconds the house is late here.
    late: int
    has_hand: bool
    private: bool
    of_tournament: bool
    notice: str
    closure: Closed | None

    @property
    def people(self) -> int:
        return sum(not sitter.is_bot for sitter in self.sitters)

    @property
    def free(self) -> range:
        return range(self.places - len(self.sitters))

    @property
    def is_stuck(self) -> bool:
        return self.late > OVERDUE_SECONDS_MAX


class Total(NamedTuple):
    """The sum of all tables in one currency."""

    currency: str
    shown: str


class Totals(NamedTuple):
    people: int
    bots: int
    places: int
    in_play: int
    open: int
    hands: int
    money: tuple[Total, ...]


class Passing(NamedTuple):
    """The parts of a table that change without a change of its row."""

    watchers: int
    # Hands that ended in each part of the last hour.
    counted: tuple[int, ...]
    late: int


def shown_tables() -> QuerySet[Table]:
    """The tables that are open or closing, and the house's own that are closed."""
    own = tables_of_operators() & Q(opened_by__isnull=True, overflow_of__isnull=True)
    return Table.objects.filter(~Q(status=Table.Status.CLOSED) | own)


def one(table_id: int, now: datetime) -> FloorRow | None:
    for row in read([table_id]):
        return with_passing(row, passing([row], now)[row.id])
    return None


def read(table_ids: Collection[int]) -> list[FloorRow]:
    """The rows of these tables, in two queries, without what passes."""
    tables = Table.objects.filter(pk__in=table_ids).select_related("currency", "closure")
    seated = _sitters(table_ids)
    return [_row(table, tuple(seated[table.pk])) for table in tables]


def _sitters(table_ids: Collection[int]) -> defaultdict[int, list[Sitter]]:
    seated = defaultdict(list)
    seats = Seat.objects.filter(table__in=table_ids, left_at__isnull=True).order_by("number")
    for table, number, player, name, is_bot, stack in seats.values_list(
        "table", "number", "player", "player__username", "player__is_bot", "stack__balance"
    ):
        seated[table].append(Sitter(number, player_title(name, is_bot), is_bot, stack, player))
    return seated


def passing(listed: Sequence[FloorRow], now: datetime) -> dict[int, Passing]:
    """Watchers, hands of the last hour, and by how many seconds the house is late."""
    ids = [row.id for row in listed]
    looking = watchers({row.id: [sitter.player for sitter in row.sitters] for row in listed})
    counts = hands_by_table(now)
    # On time, or nearly, is shown as on time.
    since = now - timedelta(seconds=OVERDUE_SECONDS_MAX)
    due = Table.objects.filter(due_at__lt=since).values_list("pk", "due_at")
    late = {key: int((now - at).total_seconds()) for key, at in due if at is not None}
    return {key: Passing(looking[key], counts.get(key, NO_HANDS), late.get(key, 0)) for key in ids}


def with_passing(row: FloorRow, passed: Passing) -> FloorRow:
    return row._replace(
        watchers=passed.watchers,
        hands=sum(passed.counted),
        spark=charts.spark_bars(passed.counted),
        late=passed.late,
    )


def hands_by_table(now: datetime) -> dict[int, tuple[int, ...]]:
    """The ended hands of each table in each twelfth of the last hour."""
    kept: dict[int, tuple[int, ...]] | None = cache.get("floor-hands")
    if kept is None:
        start, step = now - LAST_HOUR, LAST_HOUR / BARS
        parts = {
            f"part_{at}": Count(
                "pk",
                filter=Q(ended_at__gt=start + at * step, ended_at__lte=start + (at + 1) * step),
            )
            for at in range(BARS)
        }
        ended = Hand.objects.filter(ended_at__gt=start, status=Hand.Status.FINISHED).order_by()
        counted = ended.values("table").annotate(**parts)
        kept = {row[0]: tuple(row[1:]) for row in counted.values_list("table", *parts)}
        cache.set("floor-hands", kept, COUNTED_SECONDS)
    return kept


def _row(table: Table, sitters: tuple[Sitter, ...]) -> FloorRow:
    money = sum(sitter.stack for sitter in sitters)
    return FloorRow(
        id=table.pk,
        name=table.title,
        game=table.game,
        family=FAMILY_OF[table.game],
        game_name=str(game_name(table.game)),
        stakes=table_stakes(table),
        places=table.places,
        sitters=sitters,
        money=money,
        shown_money=show_amount(money, table.currency, is_exact=True),
        currency=table.currency_id,
        watchers=0,
        hands=0,
        spark="",
        status=table.status,
        doing=doing(table, sitters),
        deadline=table.deadline,
        whole=_whole(table),
        late=0,
        has_hand=table.hand_id is not None,
        private=table.private,
        of_tournament=not set_by_operators(table),
        notice=table.notice,
        closure=_closure_of(table),
    )


def _whole(table: Table) -> int:
    if table.deadline is None:
        return 0
    whole = (table.deadline - (table.turn_began_at or table.deadline)).total_seconds()
    return max(1, int(whole))


def _closure_of(table: Table) -> Closed | None:
    closure: Closure | None = getattr(table, "closure", None)
    if closure is None or table.status == Table.Status.OPEN:
        return None
    return Closed(closure.by_name, closure.at, closure.reason)


def doing(table: Table, sitters: Iterable[Sitter]) -> str:
    """Return the state of a table in a few words, without cards."""
    if table.phase == Table.Phase.PLAY:
        if HOUSE_TURN in table.turns:
            return _("Betting is open")
        acting = [sitter.name for sitter in sitters if str(sitter.number) in table.turns]
        if len(acting) == 1:
            return _("{name} decides").format(name=acting[0])
        if acting:
            words = ngettext("{count} player decides", "{count} players decide", len(acting))
            return words.format(count=len(acting))
    if table.status == Table.Status.CLOSED:
        return _("closed")
    return str(table.get_phase_display())


def totals(listed: Iterable[FloorRow]) -> Totals:
    """The figures above the tables."""
    usable = [row for row in listed if row.status != Table.Status.CLOSED]
    money: defaultdict[str, int] = defaultdict(int)
    for row in usable:
        money[row.currency] += row.money
    # Chips of tournaments are no money.
    known = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
    currencies = known.filter(pk__in=money).order_by("code")
    return Totals(
        people=sum(row.people for row in usable),
        bots=sum(len(row.sitters) - row.people for row in usable),
        places=sum(row.places for row in usable),
        in_play=sum(row.has_hand for row in usable),
        open=sum(row.status == Table.Status.OPEN for row in usable),
        hands=sum(row.hands for row in usable),
        money=tuple(
            Total(currency.pk, show_amount(money[currency.pk], currency, is_exact=True))
            for currency in currencies
        ),
    )


class Holder(Protocol):
    """Anything that holds the row of a table."""

    row: FloorRow


HasRow = TypeVar("HasRow", bound=Holder)


class View(NamedTuple):
    """The reader's view of the tables, from the query string."""

    order: str
    family: str
    look: str

    def choose(self, listed: Iterable[HasRow]) -> list[HasRow]:
        chosen = [holder for holder in listed if self.family in ("", holder.row.family)]
        return sorted(chosen, key=lambda holder: ORDERS[self.order](holder.row))


def _needs_me(row: FloorRow) -> tuple[object, ...]:
    """Stuck tables first, the latest of them at the top; then those that close, then the busy."""
    closing, closed = row.status == Table.Status.CLOSING, row.status == Table.Status.CLOSED
    return (
        not row.is_stuck,
        -row.late if row.is_stuck else 0,
        not closing,
        closed,
        -row.people,
        -row.hands,
        row.name,
    )


ORDERS: Final[dict[str, Any]] = {
    "need": _needs_me,
    "game": lambda row: (row.game_name, row.name),
    "money": lambda row: (row.currency, -row.money, row.name),
}
LOOKS: Final = ("cards", "rows")


def view_of(values: Any) -> View:
    """The wishes of an address; unreadable filters are ignored."""
    order, family, look = (values.get(name, "") for name in ("order", "family", "look"))
    families = set(FAMILY_OF.values())
    return View(
        order if order in ORDERS else "need",
        family if family in families else "",
        look if look in LOOKS else "cards",
    )


# `version` rises with all that play changes, stacks and seats among them; forms change the others.
NARROW: Final = (
    "pk",
    "version",
    "status",
    "name",
    "places",
    "private",
    "notice",
    "closure__at",
)
# Nothing tells of a new name of a player: each table is read again after this long.
READ_AGAIN_SECONDS: Final = 300


class Kept:
    """A table's row, its content hash, and its card once a reader has been sent it."""

    def __init__(self, key: tuple[Hashable, ...], row: FloorRow, passed: Passing) -> None:
        self.key = key
        self.bare = row
        self.passed = passed
        self.row = with_passing(row, passed)
        self.digest = fingerprint(self.row)
        self._card: SafeString | None = None

    def card(self) -> SafeString:
        if self._card is None:
            context = {"row": self.row, "digest": self.digest}
            self._card = render_to_string("backoffice/floor/card.html", context)
        return self._card


# By language; a look replaces the whole of one language, so threads need no lock.
_kept: dict[str | None, dict[int, Kept]] = {}


def look(now: datetime) -> list[Kept]:
    """All tables of the floor as they are now, in the reader's language."""
    before = _kept.get(get_language(), {})
    keys = _keys(now)
    known = {pk: before[pk] for pk, key in keys.items() if pk in before and before[pk].key == key}
    bare = {pk: kept.bare for pk, kept in known.items()}
    if unknown := keys.keys() - bare.keys():
        bare |= {row.id: row for row in read(unknown)}
    passed = passing(list(bare.values()), now)
    kepts = {
        pk: known[pk]
        if pk in known and known[pk].passed == passed[pk]
        else Kept(keys[pk], row, passed[pk])
        for pk, row in bare.items()
    }
    _kept[get_language()] = kepts
    return list(kepts.values())


def rows(now: datetime) -> list[FloorRow]:
    return [kept.row for kept in look(now)]


def forget() -> None:
    """For tests, whose tables have the numbers of earlier ones."""
    _kept.clear()


def _keys(now: datetime) -> dict[int, tuple[Hashable, ...]]:
    """By table what its row depends on; the tables are not all read again at the same moment."""
    second = int(now.timestamp())
    narrow = shown_tables().values_list(*NARROW, Cast("options", TextField()))
    return {row[0]: (*row, (second + row[0]) // READ_AGAIN_SECONDS) for row in narrow}
