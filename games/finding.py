"""Finding a seat: the tables anybody may see, and the best of them for one who wants to play.

However many tables there are, they are asked about together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _n

from games import seating
from games.hands import game_from
from games.hosting import welcome
from games.models import HandSeat, Seat, Table
from games.refusal import Refused
from wallets.accounts import account
from wallets.holders import player_reference


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
    """Sit down where one can play at once, for the smallest buy-in; whoever sits there stays."""
    open_tables = {table.pk: table for table in tables if table.status == Table.Status.OPEN}
    here = Seat.objects.filter(player=player, table__in=open_tables, left_at__isnull=True).first()
    if here is not None:
        return here
    currencies = {table.currency_id: table.currency for table in open_tables.values()}
    wallets = {}
    for code, currency in currencies.items():
        welcome(player, currency)
        wallets[code] = account("player", player_reference(player.pk), currency).balance
    refused: Refused | None = None
    for place in sorted(_places(open_tables)):
        table = open_tables[place.table_id]
        if wallets[table.currency_id] < table.buy_in_min:
            refused = refused or Refused(
                "wallet_short", _n("Your wallet does not hold the smallest buy-in.")
            )
            continue
        try:
            return seating.sit(player, table.pk, place.number, table.buy_in_min, now, invitation)
        except Refused as reason:
            # Somebody was quicker, or a bot has still to finish its hand.
            refused = reason
    raise refused or Refused("no_seat", _n("No table of this game has a free seat just now."))


def _places(tables: dict[int, Table]) -> Iterator[Place]:
    """The seats of all tables that one could take."""
    seated = defaultdict(list)
    seats = Seat.objects.filter(table__in=tables, left_at__isnull=True)
    for seat in seats.select_related("player"):
        seated[seat.table_id].append(seat)
    hands = [table.hand_id for table in tables.values() if table.hand_id]
    playing = set(HandSeat.objects.filter(hand__in=hands).values_list("seat_id", flat=True))
    for table in tables.values():
        yield from _places_at(table, seated[table.pk], playing)


def _places_at(table: Table, seats: Sequence[Seat], playing: set[int]) -> Iterator[Place]:
    taken = {seat.number: seat for seat in seats}
    least = game_from(table.game, table.options).seats[0]
    bots = sum(seat.player.is_bot for seat in seats)
    # Bots come where a person waits, as far as the table allows them.
    with_me = len(seats) + 1 + max(0, table.bots_max - bots)
    for number in range(1, table.places + 1):
        seat = taken.get(number)
        if seat is None:
            yield Place(0 if with_me >= least else 2, table.buy_in_min, table.pk, number)
        elif seat.player.is_bot:
            yield Place(3 if seat.pk in playing else 1, table.buy_in_min, table.pk, number)
