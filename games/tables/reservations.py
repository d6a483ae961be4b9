"""Reservations: a bot in a hand gives up its seat afterwards to the person who waits for it.

The bot's own row says for whom the seat is reserved, and for how much that player will sit down. So
a seat is reserved for one player at most, and no other player can take it: when no hand runs any
more, the bot gets up and the player sits down in one transaction. No money moves before that. The
bot plays on until then. A bot is always present, so `seen_at` in its row is the time when the
waiting player was last seen.

A reservation lapses when the player is offline for longer than the table's grace period, or can no
longer pay; the bot then keeps its seat.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.models import Seat, Table
from games.models.prepared import Query
from games.tables import admission, buy_in
from games.tables.admission import Occasion, Request
from games.tables.autoplay import SIGNS, note_here
from games.tables.lock import lock_table, seat_of, seats_at, store_table
from wallets.models.holders import player_reference
from wallets.money.accounts import account
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import Player, Viewer

WAITING: Final = Query(
    lambda table: Seat.objects.filter(
        table_id=table, left_at__isnull=True, reserved_for__isnull=False
    ).order_by("number")
)


def is_reserved(table: Table, seat: Seat, now: datetime) -> bool:
    """Whether a bot's seat is reserved for a player who is still there."""
    grace = timedelta(seconds=table.grace_seconds)
    return seat.reserved_for_id is not None and now - seat.seen_at <= grace


def reservation_of(player: Viewer, seats: Iterable[Seat]) -> Seat | None:
    return next(
        (seat for seat in seats if seat.reserved_for_id and seat.reserved_for_id == player.pk), None
    )


def has_seat(player: Viewer, seats: Sequence[Seat]) -> bool:
    """Whether a player sits among these seats, or has one of them reserved."""
    return bool(seat_of(player, seats) or reservation_of(player, seats))


def reserve(table: Table, seat: Seat, player: Player, amount: int, now: datetime) -> None:
    """Reserve the seat of a bot in a hand; a second request may change the amount."""
    buy_in.require_buy_in(table, amount)
    held = account("player", player_reference(player.pk), table.currency).balance
    if held < amount:
        raise Refused(
            "wallet_short",
            _n("Your wallet holds {held}, less than this buy-in."),
            held=show_amount(held, table.currency),
        )
    seat.reserved_for_id, seat.reserved_buy_in = player.pk, amount
    note_here(seat, now)
    seat.save(update_fields=["reserved_for", "reserved_buy_in", *SIGNS])


def release(seat: Seat) -> None:
    """The bot keeps its seat after all."""
    seat.reserved_for, seat.reserved_buy_in = None, 0
    seat.save(update_fields=["reserved_for", "reserved_buy_in"])


def seat_reserved(table_id: int, now: datetime) -> None:
    """Seat all players with a reservation once no hand is live at the table.

    Each is a separate transaction that first pays the bot and then takes from the player who waits:
    so no two tables can wait for each other's wallets.
    """
    for waiting in WAITING(table_id):
        with transaction.atomic():
            table = lock_table(table_id)
            if table.hand_id is None:
                _seat_player(table, seats_at(table), waiting.pk, now)


def _seat_player(table: Table, seats: Sequence[Seat], seat_id: int, now: datetime) -> None:
    seat = next((seat for seat in seats if seat.pk == seat_id), None)
    if seat is None or seat.reserved_for is None:
        return
    player, amount = seat.reserved_for, seat.reserved_buy_in
    signs = seat.seen_at, seat.here_until
    request = Request(Occasion.SIT, player, now, table, amount)
    admitted = player.is_active and admission.refusal(request) is None
    lapsed = not is_reserved(table, seat, now) or not admitted
    release(seat)
    if not lapsed and table.status == Table.Status.OPEN:
        try:
            with transaction.atomic():
                buy_in.require_buy_in(table, amount)
                buy_in.vacate(table, seat, now)
                taken = buy_in.take_seat(table, player, seat.number, amount, now)
                # The player keeps the earlier signs, and so gets no longer grace than others.
                taken.seen_at, taken.here_until = signs
                taken.save(update_fields=SIGNS)
        except Refused:
            # The wallet has been emptied since, or the table asks for more.
            pass
    store_table(table)
