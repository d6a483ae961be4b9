"""Finding a seat: the tables anybody may see, and the best of them for one who wants to play."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _n

from games import seating
from games.hands import game_from
from games.hosting import welcome
from games.models import HandSeat, Seat, Table
from games.refusal import Refused
from games.rows import seats_at
from wallets.accounts import account
from wallets.holders import player_reference


def tables_to_show() -> QuerySet[Table]:
    """What the lobby lists, in its order."""
    tables = Table.objects.filter(private=False).exclude(status=Table.Status.CLOSED)
    return tables.select_related("currency").order_by("game", "buy_in_min", "name")


def find_seat(player: Any, game: str, now: datetime) -> Seat:
    """Sit down where one can play at once, for the smallest buy-in; whoever sits already stays."""
    tables = list(tables_to_show().filter(game=game, status=Table.Status.OPEN))
    here = Seat.objects.filter(player=player, table__in=tables, left_at__isnull=True).first()
    if here is not None:
        return here
    for currency in {table.currency_id: table.currency for table in tables}.values():
        welcome(player, currency)
    found = sorted(place for table in tables for place in _places(table))
    refused: Refused | None = None
    for _promise, _buy_in, table_id, number in found:
        table = next(table for table in tables if table.pk == table_id)
        wallet = account("player", player_reference(player.pk), table.currency)
        if wallet.balance < table.buy_in_min:
            refused = refused or Refused(
                "wallet_short", _n("Your wallet does not hold the smallest buy-in.")
            )
            continue
        try:
            return seating.sit(player, table_id, number, table.buy_in_min, now)
        except Refused as reason:
            # Somebody was quicker, or a bot has still to finish its hand.
            refused = reason
    raise refused or Refused("no_seat", _n("No table of this game has a free seat just now."))


def _places(table: Table) -> Iterator[tuple[int, int, int, int]]:
    """Seats one could take, as they are preferred: where play begins soonest, then the cheapest."""
    seats = seats_at(table)
    taken = {seat.number: seat for seat in seats}
    least = game_from(table.game, table.options).seats[0]
    bots = sum(1 for seat in seats if seat.player.is_bot)
    # Bots come where a person waits, as far as the table allows them.
    with_me = len(seats) + 1 + max(0, table.bots_max - bots)
    playing = (
        HandSeat.objects.filter(hand=table.hand_id).values_list("seat_id", flat=True)
        if table.hand_id
        else ()
    )
    for number in range(1, table.places + 1):
        seat = taken.get(number)
        if seat is None:
            yield (0 if with_me >= least else 2), table.buy_in_min, table.pk, number
        elif seat.player.is_bot:
            yield (3 if seat.pk in playing else 1), table.buy_in_min, table.pk, number
