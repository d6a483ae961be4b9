"""Kept places: a bot that plays a hand gives its seat up after it, to one person who waits for it.

The place stands in the bot's own row: its **heir**, and for how much they will sit down. So a seat
has one heir at most, and nobody else can come between: when no hand runs any more, the bot gets up
and its heir sits down in one transaction. No money moves before that. The bot goes on playing as if
nothing were; what `seen_at` says in its row is when its heir was seen, for nobody looks for a bot.

A place lapses when its heir is out of sight for longer than the table puts up with, or cannot pay
any more; the bot then keeps its seat.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games import stays
from games.models import Seat, Table
from games.refusal import Refused
from games.rows import lock_table, seats_at, store_table
from wallets.accounts import account
from wallets.errors import Refused as PostingRefused
from wallets.holders import player_reference


def is_kept(table: Table, seat: Seat, now: datetime) -> bool:
    """Whether a bot's seat is promised to somebody who is still there."""
    grace = timedelta(seconds=table.grace_seconds)
    return seat.heir_id is not None and now - seat.seen_at <= grace


def kept_for(player: Any, seats: Iterable[Seat]) -> Seat | None:
    """The seat that is kept for a player among those of one table."""
    return next((seat for seat in seats if seat.heir_id and seat.heir_id == player.pk), None)


def keep(table: Table, seat: Seat, player: Any, amount: int, now: datetime) -> Seat:
    """Promise the seat of a bot that plays; asked again, it is another amount or the same."""
    stays.require_buy_in(table, amount)
    if account("player", player_reference(player.pk), table.currency).balance < amount:
        raise Refused("wallet_short", _n("Your wallet does not hold this buy-in."))
    seat.heir, seat.heir_buy_in, seat.seen_at = player, amount, now
    seat.save(update_fields=["heir", "heir_buy_in", "seen_at"])
    return seat


def let_go(seat: Seat) -> None:
    """The bot keeps its seat after all."""
    seat.heir, seat.heir_buy_in = None, 0
    seat.save(update_fields=["heir", "heir_buy_in"])


def hand_over(table_id: int, now: datetime) -> None:
    """Seat all for whom a place is kept, once no hand runs at the table.

    Each is a transaction of its own, and first pays the bot and then takes from the heir: so no two
    tables can wait for each other's wallets.
    """
    waiting = Seat.objects.filter(table=table_id, left_at__isnull=True, heir__isnull=False)
    for seat_id in waiting.order_by("number").values_list("pk", flat=True):
        with transaction.atomic():
            table = lock_table(table_id)
            if table.hand_id is None:
                _hand_over(table, seats_at(table), seat_id, now)


def _hand_over(table: Table, seats: Sequence[Seat], seat_id: int, now: datetime) -> None:
    seat = next((one for one in seats if one.pk == seat_id), None)
    if seat is None or seat.heir is None:
        return
    heir, amount, seen_at = seat.heir, seat.heir_buy_in, seat.seen_at
    lapsed = not is_kept(table, seat, now) or not heir.is_active
    let_go(seat)
    if not lapsed and table.status == Table.Status.OPEN:
        try:
            with transaction.atomic():
                stays.end(table, seat, now)
                stay = stays.begin(table, heir, seat.number, amount, now)
                # Who has not been seen since is missed as soon as anybody else at the table.
                stay.seen_at = seen_at
                stay.save(update_fields=["seen_at"])
        except (Refused, PostingRefused):
            # The wallet has been emptied since, or the table asks for more.
            pass
    store_table(table)
