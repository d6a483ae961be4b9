"""A stay at a table: the seat, and the money that comes to it and goes from it with its player.

This is the lower floor of `seating`, which decides who may: every function works on a table whose
row is locked, and changes it in memory; the caller stores it.
"""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from django.utils.translation import gettext_noop as _n

from games.models import HandSeat, Seat, Table, seat_reference
from games.paying import posting_key
from games.refusal import Refused
from wallets import cashier
from wallets.accounts import account
from wallets.holders import player_reference

# Who sits down does not wait longer than this for the table to notice.
NOTICE: Final = timedelta(seconds=1)
# So long after getting up one is still held to what one has withheld from the mixing of shoes.
REMEMBERED: Final = timedelta(days=1)


def begin(table: Table, player: Any, number: int, amount: int, now: datetime) -> Seat:
    """Take a seat that is free, and buy in."""
    require_buy_in(table, amount)
    code = uuid4()
    seat = Seat.objects.create(
        code=code,
        table=table,
        number=number,
        player=player,
        stack=account("stack", seat_reference(code), table.currency),
        withheld=_withheld(table, player, now),
        seen_at=now,
        sat_down_at=now,
    )
    move_in(table, seat, amount, "sitting down")
    wake(table, now)
    return seat


def end(table: Table, seat: Seat, now: datetime, why: str = "") -> None:
    """The whole purse goes back to the wallet, and the seat is free; the house says why."""
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
    wake(table, now)


def move_in(table: Table, seat: Seat, amount: int, occasion: str) -> None:
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


def require_buy_in(table: Table, amount: int) -> None:
    if not table.buy_in_min <= amount <= table.buy_in_max:
        raise Refused(
            "buy_in_bounds",
            _n("The buy-in here is {least} to {most}."),
            least=table.buy_in_min,
            most=table.buy_in_max,
        )


def _withheld(table: Table, player: Any, now: datetime) -> int:
    """How often the player has withheld here lately: getting up does not make that undone."""
    stays = table.seats.filter(player=player, left_at__gt=now - REMEMBERED)
    before: int | None = stays.order_by("-left_at").values_list("withheld", flat=True).first()
    return before or 0


def wake(table: Table, now: datetime) -> None:
    """Let the clock look at a table where nothing was going on."""
    if table.phase == Table.Phase.WAITING and table.due_at is None:
        table.due_at = now + NOTICE


def plays(table: Table, seat: Seat) -> bool:
    """Whether the hand that runs is dealt to this seat."""
    return (
        table.hand_id is not None
        and HandSeat.objects.filter(hand_id=table.hand_id, seat=seat).exists()
    )
