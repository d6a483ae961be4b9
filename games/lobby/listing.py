"""The lobby, the same for all readers: its tables in one row each, and the jackpots.

All tables are read together, so that a hundred cost as many queries as one. It omits what changes
with each move: an open lobby is renewed when a player sits down or leaves, when play begins or
ends, and every half minute.
"""

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from django.core.cache import cache
from django.db.models import Count, Min
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.boards.family import LobbyNotes, families
from games.live.spectators import watchers
from games.lobby import sections
from games.lobby.seat_finder import begins, tables_to_show
from games.models import Hand, Seat, Table
from games.models.combined import Read, read_together
from games.models.prepared import Query
from games.rules.catalogue import GAMES
from games.tables.formats import listed_tables
from games.tables.hand_state import game_from
from games.tables.jackpots import JackpotView, jackpot_view
from games.words.naming import game_name, player_title, stakes_in_words
from games.words.players import NOBODY
from wallets.models import Account, Currency, Jackpot
from wallets.values.amounts import show_amount
from wallets.values.player import Viewer


class _Words(NamedTuple):
    whole: str
    short: str


def table_stakes(table: Table) -> str:
    """A point's worth, or the bounds of a bet."""
    return _words(table).whole


def stakes_in_short(table: Table) -> str:
    """The same in a column of stakes; play money needs no unit there."""
    return _words(table).short


def _words(table: Table) -> _Words:
    game: Any = game_from(table.game, table.options)
    currency = table.currency
    return _words_of(game, currency, currency.exponent, currency.unit, get_language())


@lru_cache(maxsize=1024)
def _words_of(
    game: Any, currency: Currency, _exponent: int, unit: str, _language: str | None
) -> _Words:
    if short := stakes_in_words(game, lambda amount: show_amount(amount, currency)):
        whole = f"{short} {unit}"
        return _Words(whole, short if currency.kind == Currency.Kind.PLAY else whole)
    point = getattr(game, "point", None)
    if point is not None:
        worth = show_amount(point, currency)
        whole = _("{amount} {currency} a point").format(amount=worth, currency=unit)
        short = _("{amount} a point").format(amount=worth)
    else:
        banked = hasattr(game, "bet_min")
        bounds = (game.bet_min, game.bet_max) if banked else (game.min, game.max)
        least, most = (show_amount(bound, currency) for bound in bounds)
        words = _("bets {least} to {most} {currency}")
        whole, short = words.format(least=least, most=most, currency=unit), f"{least}–{most}"
    return _Words(whole, short if currency.kind == Currency.Kind.PLAY else f"{short} {unit}")


LAST_HOUR: Final = timedelta(hours=1)
LEAST_MEASURED: Final = timedelta(minutes=6)
# The hands of each table are counted for all readers together, this often.
COUNTED_SECONDS: Final = 60
# Pools grow with every bonus bet; open pages show the new amounts this often.
POOLS_SECONDS: Final = 10.0

# Every page shows them; the parameter is 0, as a prepared statement has one.
RUNNING: Final = Query(
    lambda after: (
        Jackpot.objects.filter(active=True, pk__gt=after)
        .select_related("pool__currency")
        .order_by("-pool__balance", "name")
    )
)
# Jackpots with a greater number than this: all of them.
FIRST: Final = 0
READ_OF_POOLS: Final = (RUNNING, (FIRST,))

# The tables of the lobby and their seats, likewise, with what a row and its family's notes show.
_OF_TABLES: Final = (
    *("name", "game", "options", "currency", "buy_in_min", "places", "decision_seconds"),
    *("bots_max", "status", "phase", "hand", "shoe", "due_at", "pause_seconds"),
)
_OF_CURRENCIES: Final = ("currency__exponent", "currency__kind")
_OF_SEATS: Final = ("table", "number", "reserved_for", "sits_out", "here_until")
_OF_PLAYERS: Final = ("player__username", "player__is_bot", "player__face")
_TABLES: Final = Query(
    lambda after: tables_to_show().filter(pk__gt=after).only(*_OF_TABLES, *_OF_CURRENCIES)
)
_SEATS: Final = Query(
    lambda after: (
        Seat.objects.filter(listed_tables("table__"), left_at__isnull=True, table__private=False)
        .exclude(table__status=Table.Status.CLOSED)
        .filter(table__gt=after)
        .select_related("player")
        .only(*_OF_SEATS, *_OF_PLAYERS)
        .order_by("number")
    )
)

LEVELS: Final = ("low", "middle", "high")


class Face(NamedTuple):
    name: str
    is_bot: bool
    # A bot whose seat is reserved for a person, who gets it after the hand.
    leaves: bool = False
    # Of the symbol that shows them.
    number: int = NOBODY


class LobbyRow(NamedTuple):
    id: int
    name: str
    game: str
    game_name: str
    stakes: str
    stakes_in_short: str
    level: str
    currency: str
    buy_in_min: int
    buy_in: str
    faces: tuple[Face, ...]
    places: int
    seconds: int
    hands_an_hour: int
    # "running", "waiting" or "closing".
    state: str
    mine: bool
    # How many people look on and do not sit there.
    watchers: int = 0
    # The patterns on the road of a baccarat table, and the end of its big road.
    marks: tuple[str, ...] = ()
    road: str = ""
    # What a player who sits down gets: one of `BEGINNINGS`.
    begins: str = ""

    @property
    def people(self) -> int:
        """The people who sit there, or get a bot's seat after the hand."""
        return sum(not face.is_bot or face.leaves for face in self.faces)

    @property
    def free(self) -> int:
        return self.places - len(self.faces)

    @property
    def sign(self) -> str:
        """The symbol of the game, next to its name."""
        return GAMES[self.game].sign

    @property
    def cloth(self) -> str:
        """The group of games, by which the sign has its colour."""
        return GAMES[self.game].group.key

    @property
    def is_full(self) -> bool:
        """Whether people have every seat: a bot would give its seat up."""
        return self.people >= self.places

    @property
    def can_sit(self) -> bool:
        return self.state != "closing" and not self.is_full and not self.mine


class Pool(NamedTuple):
    """A jackpot, and what it shows just now."""

    id: int
    name: str
    amount: str
    currency: str


def reads() -> list[Read]:
    """What `rows` asks for all tables of the lobby."""
    of_notes = [read for family in families() for read in family.lobby_reads()]
    return [(_TABLES, (FIRST,)), (_SEATS, (FIRST,)), *of_notes]


def rows(viewer: Viewer, now: datetime, only: Sequence[Table] | None = None) -> list[LobbyRow]:
    """All tables of the lobby, in its order, for one reader; or only these."""
    seats: Iterable[Seat]
    if only is None:
        with read_together(reads()):
            tables, seats = _TABLES(FIRST), _SEATS(FIRST)
            notes = _notes(tables, now)
    else:
        tables, taken = list(only), Seat.objects.filter(table__in=only, left_at__isnull=True)
        seats = taken.select_related("player").order_by("number")
        notes = _notes(tables, now)
    seated = defaultdict(list)
    for seat in seats:
        seated[seat.table_id].append(seat)
    levels, hands = levels_of(tables), hands_an_hour(now)
    looking = watchers(
        {table.pk: [seat.player_id for seat in seated[table.pk]] for table in tables}
    )
    return [
        _row(table, seated[table.pk], levels[table.pk], viewer, now)._replace(
            hands_an_hour=hands[table.pk],
            watchers=looking[table.pk],
            marks=notes[table.pk].marks,
            road=notes[table.pk].picture,
        )
        for table in tables
    ]


def _notes(tables: Sequence[Table], now: datetime) -> defaultdict[int, LobbyNotes]:
    noteses: defaultdict[int, LobbyNotes] = defaultdict(LobbyNotes)
    for family in families():
        noteses.update(family.lobby_notes(tables, now))
    return noteses


def _row(
    table: Table, seats: Sequence[Seat], level: str, viewer: Viewer, now: datetime
) -> LobbyRow:
    return LobbyRow(
        id=table.pk,
        name=table.title,
        game=table.game,
        game_name=str(game_name(table.game)),
        stakes=table_stakes(table),
        stakes_in_short=stakes_in_short(table),
        level=level,
        currency=table.currency_id,
        buy_in_min=table.buy_in_min,
        buy_in=show_amount(table.buy_in_min, table.currency),
        faces=tuple(
            Face(
                player_title(seat.player.username, seat.player.is_bot),
                seat.player.is_bot,
                seat.reserved_for_id is not None,
                seat.player.face,
            )
            for seat in seats
        ),
        places=table.places,
        seconds=table.decision_seconds,
        hands_an_hour=0,
        state=_state(table),
        begins=begins(table, seats, now),
        mine=any(viewer.pk in (seat.player_id, seat.reserved_for_id or 0) for seat in seats),
    )


def _state(table: Table) -> str:
    if table.status == Table.Status.CLOSING:
        return "closing"
    return "waiting" if table.phase == Table.Phase.WAITING else "running"


def levels_of(tables: Iterable[Table]) -> dict[int, str]:
    """The level of each table among those of its currency, by its minimum buy-in."""
    known = defaultdict(set)
    tables = list(tables)
    for table in tables:
        known[table.currency_id].add(table.buy_in_min)
    ladders = {currency: sorted(amounts) for currency, amounts in known.items()}
    return {table.pk: _level(ladders[table.currency_id], table.buy_in_min) for table in tables}


def _level(ladder: Sequence[int], amount: int) -> str:
    """The lowest is low and the highest high, as soon as there are two."""
    if len(ladder) == 1:
        return LEVELS[0]
    return LEVELS[round(ladder.index(amount) / (len(ladder) - 1) * (len(LEVELS) - 1))]


def hands_an_hour(now: datetime) -> Counter[int]:
    """Return how many hands an hour each table plays, by those that ended in the last hour.

    A table that has begun since is measured from its first hand, yet never over less than a few
    minutes: one hand is no pace.
    """
    kept: dict[int, int] | None = cache.get("hands-an-hour")
    if kept is None:
        ended = Hand.objects.filter(ended_at__gt=now - LAST_HOUR, status=Hand.Status.FINISHED)
        counted = ended.order_by().values("table")
        counted = counted.annotate(hands=Count("pk"), first=Min("ended_at"))
        kept = {
            table: round(hands * (LAST_HOUR / max(now - first, LEAST_MEASURED)))
            for table, hands, first in counted.values_list("table", "hands", "first")
        }
        cache.set("hands-an-hour", kept, COUNTED_SECONDS)
    return Counter(kept)


def pools() -> list[Pool]:
    """The jackpots that are played for, the largest first, in one query."""
    return [
        _pool(jackpot, view) for jackpot in RUNNING(FIRST) if (view := jackpot_view(jackpot)).amount
    ]


def _pool(jackpot: Jackpot, view: JackpotView) -> Pool:
    currency = jackpot.pool.currency
    return Pool(view.id, view.name, show_amount(view.amount, currency), currency.unit)


def currencies_of(listed: Iterable[LobbyRow]) -> list[str]:
    return sorted({row.currency for row in listed})


def fingerprint(*shown: object) -> str:
    """A content hash of what a reader is shown, used like an ETag."""
    text = msgspec.json.encode(shown, enc_hook=repr)
    return hashlib.blake2b(text, digest_size=12).hexdigest()


class Watch:
    """A number that rises whenever the lobby looks different; the streams of a process share one.

    The clock gives the number, so a browser that reconnects to another process gets one renewal too
    many rather than none.
    """

    def __init__(self) -> None:
        self._seen = ""
        self._number = 0
        self._pools: tuple[object, ...] = ()
        self._pools_at = float("-inf")

    @property
    def latest(self) -> int:
        """The number that was found last; 0 before the first query."""
        return self._number

    def number(self) -> int:
        look = fingerprint(self._tables(), self._seats(), self._jackpots(), sections.states())
        if look != self._seen:
            self._seen = look
            self._number = max(self._number + 1, time.time_ns() // 1_000_000)
        return self._number

    def _tables(self) -> list[object]:
        shown = tables_to_show().select_related(None).order_by("pk")
        return [
            (key, status, phase == Table.Phase.WAITING)
            for key, status, phase in shown.values_list("pk", "status", "phase")
        ]

    def _seats(self) -> tuple[object, ...]:
        """The seats that are taken, each with the player for whom it is reserved, if any."""
        listed = listed_tables("table__")
        public = Seat.objects.filter(listed, left_at__isnull=True, table__private=False)
        return tuple(public.order_by("pk").values_list("pk", "reserved_for"))

    def _jackpots(self) -> tuple[object, ...]:
        if time.monotonic() - self._pools_at >= POOLS_SECONDS:
            self._pools_at = time.monotonic()
            held = Account.objects.filter(jackpot__active=True).order_by("pk")
            self._pools = tuple(held.values_list("pk", "balance"))
        return self._pools


ROOM: Final = Watch()
