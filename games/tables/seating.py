"""Taking or reserving a seat, buying in, topping up, sitting out, and leaving.

A seat has one stack, the balance of its stack account. Money moves between a player's wallet and a
stack only while the seat has no stake in a hand; requests during a hand are carried out after it.
Every verb locks the table's row first, and posts at most once; the welcome money comes before a
first buy-in.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.models import Move, Seat, Table
from games.models.prepared import Query
from games.tables import admission, buy_in, signals
from games.tables.admission import Occasion, Request, require_entry, require_seat
from games.tables.autoplay import SIGNS, has_left, note_here
from games.tables.formats import format_of
from games.tables.hand_in_play import next_due
from games.tables.hand_verbs import add_chips, bow_out
from games.tables.lock import lock_table, seat_of, seats_at, store_table
from games.tables.play_money import welcome
from wallets.models.holders import player_reference
from wallets.money.accounts import account
from wallets.money.ledger import is_posted
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused, require_none
from wallets.values.player import Player, Viewer

# The bot's own row says for whom the seat is reserved, and for how much that player will sit
# down. So a seat is reserved for one player at most, and no other player can take it: when no
# hand runs any more, the bot gets up and the player sits down in one transaction. No money moves
# before that. The bot plays on until then. A bot is always present, so `seen_at` in its row is
# the time when the waiting player was last seen.
#
# A reservation lapses when the player is offline for longer than the table's grace period, or can
# no longer pay; the bot then keeps its seat.

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


def sit(
    player: Player, table_id: int, number: int, amount: int, now: datetime, invitation: str = ""
) -> Seat:
    """Take a seat and buy in; a second request for the same seat changes nothing.

    A bot gives its seat up to a person. While it plays a hand the seat is reserved for the player:
    the answer is then the bot's seat.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        require_entry(player, table, invitation)
        seats = seats_at(table)
        mine = seat_of(player, seats)
        if mine is not None:
            if mine.number == number:
                return mine
            raise Refused("one_seat", _n("You sit at this table already."))
        require_none(format_of(table).may_sit(player))
        if not 1 <= number <= table.places:
            raise Refused("no_such_seat", _n("There is no such seat."))
        kept = reservation_of(player, seats)
        if kept is not None and kept.number != number:
            # A player has one reservation at most and gives it up by taking another seat.
            release(kept)
        admission.require(Request(Occasion.SIT, player, now, table, amount))
        welcome(player, table.currency, amount)
        seat = _take(table, seats, player, number, amount, now)
        if not player.is_bot:
            signals.report(signals.Occasion.SAT, player.pk, table.pk, now)
        store_table(table)
        return seat


def _take(
    table: Table, seats: Sequence[Seat], player: Player, number: int, amount: int, now: datetime
) -> Seat:
    taken = next((seat for seat in seats if seat.number == number), None)
    if taken is not None:
        if not taken.player.is_bot or player.is_bot:
            raise Refused("seat_taken", _n("That seat is taken."))
        if taken.reserved_for_id != player.pk and is_reserved(table, taken, now):
            raise Refused("seat_kept", _n("That seat is reserved for another player."))
        if buy_in.is_dealt_in(table, taken):
            reserve(table, taken, player, amount, now)
            table.due_at = next_due(table, seats, now)
            return taken
        buy_in.vacate(table, taken, now)
    buy_in.require_buy_in(table, amount)
    seat = buy_in.take_seat(table, player, number, amount, now)
    _hurry(table, [*seats, seat], seat, now)
    return seat


def _hurry(table: Table, seats: Sequence[Seat], seat: Seat, now: datetime) -> None:
    """Do not let a player who waits for the next hand wait for those who have left this one.

    The countdown of a round without a bet starts, or is over at once if only they could bet.
    """
    if table.phase != Table.Phase.PLAY:
        return
    if table.deadline is None and not buy_in.is_dealt_in(table, seat):
        may_bet = any(
            not (
                taken_seat.number == seat.number
                or taken_seat.player.is_bot
                or has_left(taken_seat, now)
            )
            for taken_seat in seats
        )
        table.deadline = now + timedelta(seconds=table.betting_seconds if may_bet else 0)
    table.due_at = next_due(table, seats, now)


def top_up(player: Player, table_id: int, amount: int, key: str, now: datetime) -> Seat:
    """Add money to the stack, up to the largest buy-in.

    It comes at once, or after a hand in which the seat has a stake.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        seat = require_seat(player, seats)
        table_format, posting = format_of(table), buy_in.key_of_top_up(table, player, key)
        if is_posted(posting):
            # It came before a hand was dealt or ended, or at an earlier seat, and comes again.
            return seat
        require_none(table_format.may_top_up(seat))
        admission.require(Request(Occasion.TOP_UP, player, now, table, amount))
        room = max(0, table.buy_in_max - table_format.funds(seat))
        if not 1 <= amount <= room:
            raise Refused(
                "top_up_bounds", _n("You can bring {most} more to this table."), most=room
            )
        if buy_in.is_dealt_in(table, seat) and not add_chips(table, seats, seat, amount, now):
            seat.top_up, seat.top_up_key = amount, posting
        else:
            buy_in.bring_chips(table, seat, amount, posting, buy_in.TOPPED_UP)
        note_here(seat, now)
        seat.save(update_fields=["top_up", "top_up_key", *SIGNS])
        buy_in.wake(table, now)
        _hurry(table, seats, seat, now)
        store_table(table)
        return seat


def change(player: Player, table_id: int, now: datetime, **switches: bool) -> Seat:
    """Sit out or in (`sits_out`), or let the house play the hand to its end (`auto_play`)."""
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        seat = require_seat(player, seats)
        if switches.get("sits_out"):
            require_none(format_of(table).may_sit_out(seat))
        for name, value in switches.items():
            setattr(seat, name, value)
        seat.turns_missed, seat.sat_out_why = 0, ""
        note_here(seat, now)
        seat.save(update_fields=[*switches, "turns_missed", "sat_out_why", *SIGNS])
        if table.phase == Table.Phase.PLAY:
            table.due_at = next_due(table, seats, now)
        if not seat.sits_out:
            _hurry(table, seats, seat, now)
        buy_in.wake(table, now)
        store_table(table)
        return seat


def leave(player: Player, table_id: int, now: datetime) -> Seat:
    """Give the seat up with the whole stack: at once, or after a hand in which it has a bet.

    A reservation of the player is given up, too.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        kept = reservation_of(player, seats)
        seat = kept or require_seat(player, seats)
        if kept is not None:
            release(kept)
            store_table(table)
            return seat
        require_none(format_of(table).may_leave(seat))
        if buy_in.is_dealt_in(table, seat) and not bow_out(table, seats, seat, Move.By.PLAYER, now):
            seat.leaves = True
            seat.save(update_fields=["leaves"])
        else:
            buy_in.vacate(table, seat, now)
            if table.phase == Table.Phase.PLAY:
                table.due_at = next_due(table, seats_at(table), now)
        store_table(table)
        return seat
