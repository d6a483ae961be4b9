"""A table as one viewer sees it right now: the public part, their own part, and who is away.

The pages and the API are made of this alone. Between two hands the last one is still shown as it
ended, with the lines that explain it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple
from uuid import uuid4

from django.utils.translation import get_language
from django.utils.translation import gettext_noop as _n

from games.boards.action_places import DisabledAction, disabled_actions
from games.boards.own_view import Offers, OwnView, own_view
from games.boards.public_view import PublicView, Said, Voided, said
from games.boards.seat_view import (
    Attendance,
    SeatLayout,
    SeatView,
    attendance,
    seat_at_the_end,
    seat_layout,
    seat_views,
)
from games.boards.shoe_status import Counted, ShoeView
from games.boards.table_version import TableVersion, version_of
from games.models import Hand, Seat, Table
from games.rules.contract import Choices, View
from games.rules.settlement import StoredLine
from games.tables import time_bank
from games.tables.admission import require_watch
from games.tables.lock import ROW, seat_of, seats_at
from games.tables.seating import reservation_of
from wallets.values.errors import Hidden
from wallets.values.player import Viewer

# A table with this many places shows the free ones to seated players, too.
PLACES_KEPT: Final = 4
# The amounts offered for a buy-in or top-up, in multiples of the smallest buy-in.
TOP_UPS: Final = (1, 2, 5)


class Between(NamedTuple):
    """Between two hands, for a page: with the other seats that the next hand waits for."""

    after: int
    ready: bool
    waits_for: tuple[SeatView, ...]
    against_house: bool
    again_needs: int


@dataclass(frozen=True)
class TableView:
    table: Table
    # The row of the hand that is shown.
    hand: Hand | None
    # The rows of the viewer's seat, and of the bot's seat that is reserved for them.
    mine: Seat | None
    kept: Seat | None
    public: PublicView
    own: OwnView
    away: Attendance
    version: TableVersion
    now: datetime

    # What all viewers see.

    @property
    def free(self) -> tuple[int, ...]:
        return self.public.free

    @property
    def late(self) -> tuple[int, ...]:
        return self.public.late

    @property
    def deadline(self) -> datetime | None:
        return self.public.deadline

    @property
    def next_hand_at(self) -> datetime | None:
        return self.public.next_hand_at

    @property
    def lines(self) -> tuple[StoredLine, ...]:
        return self.public.lines

    @property
    def names(self) -> dict[int, str]:
        return self.public.names

    @property
    def results(self) -> dict[int, int]:
        return self.public.results

    @property
    def voided(self) -> Voided | None:
        return self.public.voided

    @property
    def given_back(self) -> Voided | None:
        """An earlier paid hand that was reversed within the last minute."""
        reversed_one = self.public.given_back
        if reversed_one is None or reversed_one.until is None:
            return None
        return reversed_one if self.now < reversed_one.until else None

    # What the viewer alone sees.

    @property
    def choices(self) -> Choices:
        return self.own.choices

    @property
    def decision(self) -> str:
        return self.own.decision

    @property
    def turn(self) -> int | None:
        return self.own.turn

    @property
    def won(self) -> int | None:
        return self.own.won

    @property
    def next_shoe(self) -> ShoeView | None:
        return self.own.next_shoe

    @property
    def counted(self) -> Counted | None:
        return self.own.counted

    @property
    def short(self) -> bool:
        return self.own.short

    @property
    def offers(self) -> Offers:
        return self.own.offers

    @property
    def not_admitted(self) -> str:
        return self.own.not_admitted

    @property
    def stood_up(self) -> str:
        return self.own.stood_up

    @property
    def sat_out(self) -> str:
        return self.own.sat_out

    @property
    def room(self) -> int:
        return self.own.room

    @property
    def is_betting(self) -> bool:
        return self.own.is_betting

    # Where the viewer's own part replaces the public one.

    @property
    def view(self) -> View | None:
        return self.public.view if self.own.view is None else self.own.view

    @property
    def shoe(self) -> ShoeView | None:
        return self.public.shoe if self.mine is None else self.own.shoe

    # What pages alone show, and programs need not wait for.

    @cached_property
    def said(self) -> Said:
        """The last moves in words, as the viewer may know them."""
        if self.mine is None or self.own.view is None:
            return self.version.once(("said", get_language()), lambda: self._said(None))
        return self._said(self.mine.number)

    def _said(self, seat: int | None) -> Said:
        at = self.version.hand
        return () if at is None else said(at, self.public, seat, self.table.currency)

    @cached_property
    def disabled(self) -> tuple[DisabledAction, ...]:
        """Actions that are not possible at this decision, with their reasons."""
        at = self.version.hand
        if at is None or self.mine is None or not self.choices:
            return ()
        seat, currency = self.mine.number, self.table.currency
        return disabled_actions(at.game, at.state, seat, self.choices, currency)

    # What is made of several parts.

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        return seat_views(self.public.seats, self.away, self.mine.number if self.mine else None)

    def _seats_at_the_end(self) -> tuple[SeatView, ...]:
        """For a closed and empty table, the players of its last hand."""
        at = self.version.hand
        if self.table.status != Table.Status.CLOSED or self.seats or at is None:
            return ()
        return seat_views([seat_at_the_end(player) for player in at.players], self.away, None)

    @cached_property
    def layout(self) -> SeatLayout:
        """The places around the felt, with the viewer at the bottom.

        Seated players need not see where others could sit; a small table keeps its free places, so
        that no player's place moves when others sit down.
        """
        own = self.mine or self.kept
        free = () if own and self.table.places > PLACES_KEPT else self.free
        if ended := self._seats_at_the_end():
            return seat_layout(self.table.game, ended)
        return seat_layout(self.table.game, self.seats, free, own.number if own else None)

    @cached_property
    def between(self) -> Between | None:
        own = self.own.between
        if own is None:
            return None
        waits_for = tuple(seat for seat in self.seats if seat.number in own.others)
        return Between(own.after, own.ready, waits_for, own.against_house, own.again_needs)

    @cached_property
    def top_up_key(self) -> str:
        """The occasion of a top-up: sent twice, it is done once."""
        return str(uuid4())

    @property
    def buy_ins(self) -> tuple[int, ...]:
        """Amounts to sit down with without typing, the largest last."""
        least, most = self.table.buy_in_min, self.table.buy_in_max
        return (*(least * times for times in TOP_UPS if least * times < most), most)

    @property
    def top_up_amounts(self) -> tuple[int, ...]:
        """Amounts to top up by without typing, the largest last."""
        least = self.table.buy_in_min
        smaller = (least * times for times in TOP_UPS)
        return (*(amount for amount in smaller if amount < self.room), self.room)

    @property
    def mixing(self) -> ShoeView | None:
        """The shoe in whose mix the viewer's browser takes part."""
        return self.next_shoe or self.shoe

    @property
    def before(self) -> int:
        """The number of the last hand that was over."""
        return self.table.hands_dealt - (self.table.hand_id is not None)

    @property
    def at_hand(self) -> int:
        """The part of the viewer's stack that is not bet."""
        return next((seat.free for seat in self.seats if seat.mine), 0)

    @property
    def my_bet(self) -> int:
        """The viewer's bet in the live round."""
        return next((seat.bet for seat in self.seats if seat.mine), 0)

    @property
    def time_bank(self) -> int | None:
        """The seconds in the viewer's bank while it is their turn; None where there is no bank."""
        if self.mine is None or self.turn is None or not time_bank.has_banks(self.table):
            return None
        return self.mine.time_bank

    @property
    def on_time_bank(self) -> bool:
        return time_bank.is_running(self.table)

    @property
    def on_auto_play(self) -> bool:
        """Whether the house plays the hand that runs for the viewer."""
        plays = self.mine is not None and self.mine.auto_play and self.table.hand_id is not None
        return plays and getattr(self.view, "seat", None) is not None

    @property
    def is_full(self) -> bool:
        """Whether no seat can be had here, not even one that a bot would give up."""
        return not self.free and all(seat.leaves or not seat.is_bot for seat in self.seats)


def table_for(user: Viewer, table_id: int, invitation: str = "") -> Table:
    """A table that the user may see; any other is treated as missing."""
    table = ROW.first(table_id)
    if table is None:
        raise Hidden("no_such_table", _n("There is no such table."))
    require_watch(user, table, invitation)
    return table


def table_view(
    user: Viewer,
    table: Table,
    now: datetime,
    seats: Sequence[Seat] | None = None,
    away: Attendance | None = None,
) -> TableView:
    """The table for one viewer; the caller has seen to it that they may look at it.

    The caller may know who is away; otherwise the seats say it.
    """
    try:
        return _as_read(user, table, now, seats_at(table) if seats is None else seats, away)
    except Hand.DoesNotExist:
        # The round had no bet, and was called off since the table was read.
        table.refresh_from_db()
        return _as_read(user, table, now, seats_at(table), away)


def _as_read(
    user: Viewer, table: Table, now: datetime, seats: Sequence[Seat], away: Attendance | None
) -> TableView:
    version = version_of(table, seats)
    at = version.hand
    return TableView(
        table=table,
        hand=at.hand if at else None,
        mine=seat_of(user, seats),
        kept=reservation_of(user, seats),
        public=version.public,
        own=own_view(user, table, seats, now, version),
        away=attendance(table, seats, now) if away is None else away,
        version=version,
        now=now,
    )
