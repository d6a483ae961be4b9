"""Taking a seat, buying in, topping up, sitting out, and leaving.

A seat has one purse, the balance of its stack account. Money goes between a player's wallet and a
stack only while no hand runs for the seat; what is asked for during a hand happens after it. Every
verb locks the table's row first, and posts at most once.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.access import require_entry
from games.models import HandSeat, Seat, Table, seat_reference
from games.paying import posting_key
from games.play import next_due
from games.refusal import Refused
from games.rows import lock_table, seats_at, store_table
from wallets import cashier
from wallets.accounts import account
from wallets.errors import Overdrawn
from wallets.holders import player_reference

# Who sits down does not wait longer than this for the table to notice.
NOTICE: Final = timedelta(seconds=1)
# So long after getting up one is still held to what one has withheld from the mixing of shoes.
REMEMBERED: Final = timedelta(days=1)


class SeatOfBot(Refused):
    """A bot plays a hand on that seat; it has been asked to leave after it."""


def sit(
    player: Any, table_id: int, number: int, amount: int, now: datetime, invitation: str = ""
) -> Seat:
    """Take a seat and buy in; asked twice, it is done once. A bot gives its seat up to a person."""
    try:
        return _sit(player, table_id, number, amount, now, invitation)
    except SeatOfBot:
        # Somebody else may have been quicker, and is not the one to leave.
        bots = Seat.objects.filter(table=table_id, number=number, player__is_bot=True)
        bots.filter(left_at__isnull=True).update(leaves=True)
        raise


def _sit(
    player: Any, table_id: int, number: int, amount: int, now: datetime, invitation: str
) -> Seat:
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
        taken = next((seat for seat in seats if seat.number == number), None)
        if taken is not None:
            _make_room(table, taken, player, now)
        _require_buy_in(table, amount)
        code = uuid4()
        stack = account("stack", seat_reference(code), table.currency)
        seat = Seat.objects.create(
            code=code,
            table=table,
            number=number,
            player=player,
            stack=stack,
            withheld=_withheld(table, player, now),
            seen_at=now,
            sat_down_at=now,
        )
        _move_in(table, seat, amount, "sitting down")
        _wake(table, now)
        _hurry(table, seat, now)
        store_table(table)
        return seat


def _make_room(table: Table, seat: Seat, player: Any, now: datetime) -> None:
    if not seat.player.is_bot or player.is_bot:
        raise Refused("seat_taken", _n("That seat is taken."))
    if _plays(table, seat):
        raise SeatOfBot("seat_of_bot", _n("A bot plays there; the seat is free after this hand."))
    _stand_up(table, seat, now)


def _withheld(table: Table, player: Any, now: datetime) -> int:
    """How often the player has withheld here lately: getting up does not make that undone."""
    stays = table.seats.filter(player=player, left_at__gt=now - REMEMBERED)
    before: int | None = stays.order_by("-left_at").values_list("withheld", flat=True).first()
    return before or 0


def _require_buy_in(table: Table, amount: int) -> None:
    if not table.buy_in_min <= amount <= table.buy_in_max:
        raise Refused(
            "buy_in_bounds",
            _n("The buy-in here is {least} to {most}."),
            least=table.buy_in_min,
            most=table.buy_in_max,
        )


def _move_in(table: Table, seat: Seat, amount: int, occasion: str) -> None:
    """Money from the wallet of the seat's player to the stack, once an occasion."""
    cashier.buy_in(
        player_reference(seat.player_id),
        seat.reference,
        table.currency,
        amount,
        key=posting_key(f"buy-in {seat.code} {occasion}"),
        book=table.reference,
        reference=seat.reference,
        actor=player_reference(seat.player_id),
    )


def _wake(table: Table, now: datetime) -> None:
    """Let the clock look at a table where nothing was going on."""
    if table.phase == Table.Phase.WAITING and table.due_at is None:
        table.due_at = now + NOTICE


def _hurry(table: Table, seat: Seat, now: datetime) -> None:
    """Start the countdown of a round in which nobody has bet, for one who waits for the next."""
    if table.phase == Table.Phase.PLAY and table.deadline is None and not _plays(table, seat):
        table.deadline = now + timedelta(seconds=table.betting_seconds)
        table.due_at = next_due(table, seats_at(table), now)


def _plays(table: Table, seat: Seat) -> bool:
    """Whether the hand that runs is dealt to this seat."""
    return (
        table.hand_id is not None
        and HandSeat.objects.filter(hand_id=table.hand_id, seat=seat).exists()
    )


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
        if _plays(table, seat):
            seat.top_up = amount
        else:
            _move_in(table, seat, amount, f"top-up {key}")
        seat.seen_at = now
        seat.save(update_fields=["top_up", "seen_at"])
        _wake(table, now)
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
        _wake(table, now)
        store_table(table)
        return seat


def leave(player: Any, table_id: int, now: datetime, why: str = "") -> Seat:
    """Give the seat up with the whole purse: at once, or as soon as the hand is over.

    Where it is the house that gives it up, it says why.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        seat = _mine(player, seats_at(table))
        if _plays(table, seat):
            seat.leaves = True
            seat.save(update_fields=["leaves"])
        else:
            _stand_up(table, seat, now, why)
        store_table(table)
        return seat


def _stand_up(table: Table, seat: Seat, now: datetime, why: str = "") -> None:
    """The whole purse goes back to the wallet, and the seat is free."""
    amount = seat.stack.balance
    if amount:
        cashier.cash_out(
            player_reference(seat.player_id),
            seat.reference,
            table.currency,
            amount,
            key=posting_key(f"cash-out {seat.code}"),
            book=table.reference,
            reference=seat.reference,
            actor=player_reference(seat.player_id),
        )
    seat.left_at, seat.left_why = now, why
    seat.save(update_fields=["left_at", "left_why"])
    _wake(table, now)


def top_up_after_hand(table_id: int, seat_id: int, now: datetime) -> None:
    """What was asked for during the hand, as far as it still fits and can be paid."""
    with transaction.atomic():
        table = lock_table(table_id)
        seat = next((seat for seat in seats_at(table) if seat.pk == seat_id), None)
        if seat is None or not seat.top_up or _plays(table, seat):
            return
        amount = min(seat.top_up, table.buy_in_max - seat.stack.balance)
        if amount > 0:
            # Where the wallet has been emptied since, the table asks for money again.
            with suppress(Overdrawn):
                _move_in(table, seat, amount, f"after hand {table.hands_dealt}")
        seat.top_up = 0
        seat.save(update_fields=["top_up"])
        store_table(table)
