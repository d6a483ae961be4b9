"""The strip of every page: where a player sits, which seat was lost, and the jackpots."""

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

import msgspec
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.live.sources import HouseNews
from games.lobby.listing import READ_OF_POOLS, Pool, fingerprint, pools
from games.models import Seat, Table
from games.models.combined import Read
from games.models.prepared import Query
from games.rules.catalogue import GAMES
from games.tables import admission
from games.tables.formats import format_of
from games.tables.missed_turns import Lost, lost_seats, read_of_lost_seats
from games.words.naming import game_name
from games.words.refusals import sentence_of
from wallets.values.amounts import show_amount
from wallets.values.player import Player, Viewer, is_player

# How often a page refreshes its strip: a player with a seat elsewhere must not miss a turn.
PLAYS_ELSEWHERE_MILLISECONDS: Final = 5_000
IDLE_MILLISECONDS: Final = 30_000
SEATS_OF_PLAYER: Final = Query(
    lambda player: Seat.objects.filter(
        Q(player=player) | Q(reserved_for=player), left_at__isnull=True
    ).select_related("table__currency", "stack")
)
TABLE: Final = re.compile(r"/tables/([0-9]{1,18})/")


class MySeat(NamedTuple):
    """A seat of the reader's, or one that is reserved for them."""

    table_id: int
    table: str
    game_name: str
    # Empty for chips of a tournament, which are no money.
    stack: str
    currency: str
    to_act: bool
    state: str
    # Of the game: its sign, and the cloth of its group.
    sign: str = ""
    cloth: str = ""


class StatusStrip(NamedTuple):
    """The strip, for one reader on one page."""

    seats: tuple[MySeat, ...]
    pools: tuple[Pool, ...]
    # Lost seats whose notice the player has not dismissed yet.
    lost: tuple[Lost, ...]
    # The table of the page, if it has one.
    here: int | None
    watching: bool
    # Why the house opens no new hand, while it does not.
    notice: str = ""

    @property
    def elsewhere(self) -> bool:
        return any(seat.table_id != self.here for seat in self.seats)

    @property
    def calls(self) -> bool:
        """Whether another table waits for the reader's move."""
        return any(seat.to_act and seat.table_id != self.here for seat in self.seats)

    @property
    def milliseconds(self) -> int:
        """Return the pause before the page asks; "5s" would read like the name of a card."""
        return PLAYS_ELSEWHERE_MILLISECONDS if self.elsewhere else IDLE_MILLISECONDS

    @property
    def lost_elsewhere(self) -> list[Lost]:
        """The table itself says it on its own page."""
        return [seat for seat in self.lost if seat.table_id != self.here]

    @property
    def fingerprint(self) -> str:
        return fingerprint(self)


def my_seats(viewer: Viewer) -> list[MySeat]:
    """The tables at which a player sits, those that wait for them first."""
    if not is_player(viewer):
        return []
    mine = [_seat(viewer, seat) for seat in SEATS_OF_PLAYER(viewer.pk)]
    return sorted(mine, key=lambda seat: (not seat.to_act, seat.table))


def _seat(player: Player, seat: Seat) -> MySeat:
    table = seat.table
    kept = seat.reserved_for_id == player.pk
    held = seat.reserved_buy_in if kept else format_of(table).funds(seat)
    return MySeat(
        table_id=table.pk,
        table=table.title,
        game_name=str(game_name(table.game)),
        stack="" if table.currency.is_chips else show_amount(held, table.currency),
        currency="" if table.currency.is_chips else table.currency.unit,
        to_act=not kept and str(seat.number) in table.turns,
        state=_("your seat is reserved") if kept else _state(seat),
        sign=GAMES[table.game].sign,
        cloth=GAMES[table.game].group.key,
    )


def _state(seat: Seat) -> str:
    """The reason why the player cannot play, if there is one; else what the table does."""
    table = seat.table
    if table.status == Table.Status.CLOSING:
        return str(table.get_status_display())
    if seat.sits_out:
        return _("you sit out")
    if format_of(table).is_short(seat):
        return _("your stack is too small")
    return str(table.get_phase_display())


def reads(viewer: Viewer, now: datetime) -> list[Read]:
    """The reads of the strip, except the holds of the house."""
    if not is_player(viewer):
        return [READ_OF_POOLS]
    return [READ_OF_POOLS, (SEATS_OF_PLAYER, (viewer.pk,)), read_of_lost_seats(viewer, now)]


def strip_for(
    viewer: Viewer, here: int | None, now: datetime, mine: Iterable[MySeat] | None = None
) -> StatusStrip:
    """Return the strip for the page of a table, or for any other; `mine` where that is known."""
    seats = tuple(my_seats(viewer) if mine is None else mine)
    watching = here is not None and all(seat.table_id != here for seat in seats)
    lost = tuple(lost_seats(viewer, now)) if is_player(viewer) else ()
    held = admission.held(now)
    notice = sentence_of(held) if held else ""
    return StatusStrip(seats, tuple(pools()), lost, here, watching, notice)


def house_news(players: Iterable[int]) -> HouseNews:
    """The content of these players' strips that no table's version covers, for a hub."""
    listening = set(players)
    tables, at = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    own = Q(player__in=listening) | Q(reserved_for__in=listening)
    seats = Seat.objects.filter(own, left_at__isnull=True)
    for table, *owners in seats.values_list("table", "player", "reserved_for"):
        for player in listening.intersection(owners):
            tables[player].add(table)
            at[table].add(player)
    held = admission.held(timezone.now())
    return HouseNews(
        tables={player: frozenset(table) for player, table in tables.items()},
        players={table: frozenset(seated) for table, seated in at.items()},
        pools=msgspec.json.encode({str(pool.id): pool.amount for pool in pools()}),
        notice=held.code if held else "",
    )


def table_at(address: str) -> int | None:
    """The table whose page an address is."""
    match = TABLE.fullmatch(parts_of(address).path)
    return int(match[1]) if match else None


def parts_of(address: str) -> SplitResult:
    """The parts of an address that a browser sent; empty parts if it is no valid URL."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")
