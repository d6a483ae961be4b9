"""Finding a seat: the tables anybody may see, and the best of them for one who wants to play.

However many tables there are, they are asked about together. What is found may be gone a moment
later: then the next best is tried, and when all are gone a further table is opened (`doubling`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_noop as _n

from games import keeping, seating
from games.hands import game_from
from games.hosting import welcome
from games.lobby import doubling
from games.models import HandSeat, Seat, Table
from games.refusal import Refused
from wallets.accounts import account
from wallets.holders import player_reference

# Why a seat that was free a moment ago may be refused: somebody was quicker, or the table closes.
LOST: Final = frozenset(("seat_taken", "seat_kept", "table_closed"))
# How often one tries again at further tables while others are quicker there.
TRIES: Final = 50


class NoSeat(Refused):
    """People have taken every seat there is."""


class Place(NamedTuple):
    """A seat to take, as such are preferred: where play begins soonest, then the cheapest."""

    promise: int
    buy_in: int
    table_id: int
    number: int


def tables_to_show() -> QuerySet[Table]:
    """What the lobby lists, in its order."""
    tables = Table.objects.filter(private=False).exclude(status=Table.Status.CLOSED)
    return tables.select_related("currency").order_by("game", "buy_in_min", "name")


def find_seat(player: Any, tables: Iterable[Table], now: datetime, invitation: str = "") -> Seat:
    """Sit down where one can play at once, for the smallest buy-in; whoever sits there stays.

    Where only bots that play can make room, a place is kept, and the bot's seat is answered.
    """
    open_tables = {table.pk: table for table in tables if table.status == Table.Status.OPEN}
    seats = _seats(open_tables)
    here = next((seat for seat in seats if player.pk in (seat.player_id, seat.heir_id)), None)
    if here is not None:
        return here
    within_reach = _affordable(player, open_tables)
    for place in sorted(_places(within_reach, seats, now)):
        try:
            return seating.sit(player, place.table_id, place.number, place.buy_in, now, invitation)
        except Refused as refused:
            if refused.code == "one_seat":
                # The player's own other click was quicker.
                return Seat.objects.get(table=place.table_id, player=player, left_at__isnull=True)
            if refused.code not in LOST:
                raise
    if open_tables and not within_reach:
        raise Refused("wallet_short", _n("Your wallet does not hold the smallest buy-in."))
    raise NoSeat("no_seat", _n("No table of this game has a free seat just now."))


def find_or_open(player: Any, tables: Sequence[Table], now: datetime) -> Seat:
    """A seat at one of these tables or, where people have taken them all, at one like them."""
    try:
        return find_seat(player, tables, now)
    except NoSeat:
        may_double = [table for table in tables if table.twins_max and table.twin_of_id is None]
        for model in sorted(may_double, key=lambda table: table.buy_in_min):
            for _ in range(TRIES):
                twin = doubling.with_room(model.pk, now)
                if twin is None:
                    break
                with suppress(NoSeat):
                    return find_seat(player, [twin], now)
        raise


def _affordable(player: Any, tables: dict[int, Table]) -> dict[int, Table]:
    """The tables whose smallest buy-in the player holds, after the house's welcome."""
    wallets = {}
    for code, currency in {table.currency_id: table.currency for table in tables.values()}.items():
        welcome(player, currency)
        wallets[code] = account("player", player_reference(player.pk), currency).balance
    return {
        key: table
        for key, table in tables.items()
        if wallets[table.currency_id] >= table.buy_in_min
    }


def _seats(tables: Iterable[int]) -> list[Seat]:
    """Who sits at these tables, and whether the hand that runs is dealt to them: one question."""
    dealt = HandSeat.objects.filter(hand=OuterRef("table__hand"), seat=OuterRef("pk"))
    seats = Seat.objects.filter(table__in=tables, left_at__isnull=True)
    return list(seats.select_related("player").annotate(plays=Exists(dealt)))


def _places(tables: dict[int, Table], seats: Iterable[Seat], now: datetime) -> Iterator[Place]:
    """The seats of all tables that one could take."""
    seated = defaultdict(list)
    for seat in seats:
        seated[seat.table_id].append(seat)
    for table in tables.values():
        yield from _places_at(table, seated[table.pk], now)


def _places_at(table: Table, seats: Sequence[Seat], now: datetime) -> Iterator[Place]:
    taken: dict[int, Any] = {seat.number: seat for seat in seats}
    least = game_from(table.game, table.options).seats[0]
    bots = sum(seat.player.is_bot for seat in seats)
    # Bots come where a person waits, as far as the table allows them.
    with_me = len(seats) + 1 + max(0, table.bots_max - bots)
    for number in range(1, table.places + 1):
        seat = taken.get(number)
        if seat is None:
            yield Place(0 if with_me >= least else 3, table.buy_in_min, table.pk, number)
        elif seat.player.is_bot and not keeping.is_kept(table, seat, now):
            yield Place(2 if seat.plays else 1, table.buy_in_min, table.pk, number)
