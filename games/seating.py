"""Taking a seat or having it kept, buying in, topping up, sitting out, and leaving.

A seat has one purse, the balance of its stack account. Money goes between a player's wallet and a
stack only while no hand runs for the seat; what is asked for during a hand happens after it. Every
verb locks the table's row first, and posts at most once.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games import keeping, stays
from games.access import require_entry
from games.models import Seat, Table
from games.play import next_due
from games.refusal import Refused
from games.rows import lock_table, seats_at, store_table
from wallets.errors import Overdrawn


def sit(
    player: Any, table_id: int, number: int, amount: int, now: datetime, invitation: str = ""
) -> Seat:
    """Take a seat and buy in; asked twice, it is done once.

    A bot gives its seat up to a person. While it plays a hand the place is kept: what is answered
    is then the bot's seat, with the player as its heir.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        require_entry(player, table, invitation)
        seats = seats_at(table)
        mine = next((seat for seat in seats if seat.player_id == player.pk), None)
        if mine is not None:
            if mine.number == number:
                return mine
            raise Refused("one_seat", _n("You sit at this table already."))
        if table.status != Table.Status.OPEN:
            raise Refused("table_closed", _n("This table is closed."))
        if not 1 <= number <= table.places:
            raise Refused("no_such_seat", _n("There is no such seat."))
        kept = keeping.kept_for(player, seats)
        if kept is not None and kept.number != number:
            # One place a player: whoever takes another gives up the one that is kept.
            keeping.let_go(kept)
        seat = _take(table, seats, player, number, amount, now)
        store_table(table)
        return seat


def _take(
    table: Table, seats: Sequence[Seat], player: Any, number: int, amount: int, now: datetime
) -> Seat:
    taken = next((seat for seat in seats if seat.number == number), None)
    if taken is not None:
        if not taken.player.is_bot or player.is_bot:
            raise Refused("seat_taken", _n("That seat is taken."))
        if taken.heir_id != player.pk and keeping.is_kept(table, taken, now):
            raise Refused("seat_kept", _n("That seat is kept for somebody else."))
        if stays.plays(table, taken):
            return keeping.keep(table, taken, player, amount, now)
        stays.end(table, taken, now)
    seat = stays.begin(table, player, number, amount, now)
    _hurry(table, seat, now)
    return seat


def _hurry(table: Table, seat: Seat, now: datetime) -> None:
    """Start the countdown of a round in which nobody has bet, for one who waits for the next."""
    if table.phase == Table.Phase.PLAY and table.deadline is None and not stays.plays(table, seat):
        table.deadline = now + timedelta(seconds=table.betting_seconds)
        table.due_at = next_due(table, seats_at(table), now)


def _mine(player: Any, seats: Sequence[Seat]) -> Seat:
    for seat in seats:
        if seat.player_id == player.pk:
            return seat
    raise Refused("not_seated_here", _n("You do not sit at this table."))


def top_up(player: Any, table_id: int, amount: int, key: str, now: datetime) -> Seat:
    """Bring more money to the seat, up to the largest buy-in; during a hand it comes after it."""
    with transaction.atomic():
        table = lock_table(table_id)
        seat = _mine(player, seats_at(table))
        if amount < 1 or seat.stack.balance + amount > table.buy_in_max:
            raise Refused(
                "top_up_bounds",
                _n("You can bring {most} more to this table."),
                most=max(0, table.buy_in_max - seat.stack.balance),
            )
        if stays.plays(table, seat):
            seat.top_up = amount
        else:
            stays.move_in(table, seat, amount, f"top-up {key}")
        seat.seen_at = now
        seat.save(update_fields=["top_up", "seen_at"])
        stays.wake(table, now)
        _hurry(table, seat, now)
        store_table(table)
        return seat


def change(player: Any, table_id: int, now: datetime, **switches: bool) -> Seat:
    """Sit out or in (`sits_out`), or let the house play for one (`trustee`)."""
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        seat = _mine(player, seats)
        for name, value in switches.items():
            setattr(seat, name, value)
        seat.turns_missed, seat.seen_at = 0, now
        seat.save(update_fields=[*switches, "turns_missed", "seen_at"])
        if table.phase == Table.Phase.PLAY:
            table.due_at = next_due(table, seats, now)
        if not seat.sits_out:
            _hurry(table, seat, now)
        stays.wake(table, now)
        store_table(table)
        return seat


def leave(player: Any, table_id: int, now: datetime, why: str = "") -> Seat:
    """Give the seat up with the whole purse: at once, or as soon as the hand is over.

    Where it is the house that gives it up, it says why. A place that is kept for the player
    is given up, too.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        kept = keeping.kept_for(player, seats)
        seat = kept or _mine(player, seats)
        if kept is not None:
            keeping.let_go(kept)
        elif stays.plays(table, seat):
            seat.leaves = True
            seat.save(update_fields=["leaves"])
        else:
            stays.end(table, seat, now, why)
        store_table(table)
        return seat


def top_up_after_hand(table_id: int, seat_id: int, now: datetime) -> None:
    """What was asked for during the hand, as far as it still fits and can be paid."""
    with transaction.atomic():
        table = lock_table(table_id)
        seat = next((seat for seat in seats_at(table) if seat.pk == seat_id), None)
        if seat is None or not seat.top_up or stays.plays(table, seat):
            return
        amount = min(seat.top_up, table.buy_in_max - seat.stack.balance)
        if amount > 0:
            # Where the wallet has been emptied since, the table asks for money again.
            with suppress(Overdrawn):
                stays.move_in(table, seat, amount, f"after hand {table.hands_dealt}")
        seat.top_up = 0
        seat.save(update_fields=["top_up"])
        store_table(table)
