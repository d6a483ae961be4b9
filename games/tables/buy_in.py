"""Taking and vacating a seat, and the money that moves with its player.

`seating` calls this module and decides who may do it. Every function here works on a table whose
row is locked, and changes it in memory; the caller stores it.
"""

from datetime import datetime, timedelta
from typing import Any, Final, cast
from uuid import UUID, uuid4

from django.utils.translation import gettext_noop as _n

from games.models import HandSeat, Seat, Table, seat_reference
from games.shoes.seats import carry_over
from games.tables.autoplay import REQUEST_COUNTS
from games.tables.formats import Posting, format_of
from games.tables.settle import posting_key
from wallets.models.holders import player_reference
from wallets.money.accounts import account
from wallets.money.cashier import HOUSE
from wallets.values.errors import Refused
from wallets.values.player import Player

# Why money moved, as the ledger keeps it; pages say it in their reader's language.
SAT_DOWN: Final = _n("took a seat")
TOPPED_UP: Final = _n("topped up")
LEFT: Final = _n("left the table")
BOT_SAT_DOWN: Final = _n("the house seated a bot")
BOT_LEFT: Final = _n("the house removed a bot")
GIVEN_UP: Final[dict[str, str]] = {
    Seat.LeftWhy.ABSENT: _n("seat given up: offline for too long"),
    Seat.LeftWhy.IDLE: _n("seat given up: not dealt in for too long"),
    Seat.LeftWhy.CLOSED: _n("seat given up: the table was closed"),
}
# A player who sits down waits no longer than this until the clock looks at the table.
NOTICE: Final = timedelta(seconds=1)


def take_seat(table: Table, player: Player, number: int, amount: int, now: datetime) -> Seat:
    """Take a free seat and buy in; the caller has checked the bounds of the buy-in."""
    code = uuid4()
    seat = Seat(
        code=code,
        table=table,
        number=number,
        # The column wants the account's own class, which this package does not know.
        player=cast("Any", player),
        stack=account("stack", seat_reference(code), table.currency),
        seen_at=now,
        here_until=now + REQUEST_COUNTS,
        sat_down_at=now,
    )
    earlier = Seat.objects.filter(player=player.pk).order_by("-sat_down_at", "-pk").first()
    carry_over(seat, earlier)
    seat.save(force_insert=True)
    # A player who sits here again knows that an earlier seat was lost.
    lost = Seat.objects.filter(
        table=table, player=player.pk, left_at__isnull=False, loss_seen=False
    )
    lost.exclude(left_why="").update(loss_seen=True)
    key = key_of(seat, "sitting down")
    bring_chips(table, seat, amount, key, BOT_SAT_DOWN if player.is_bot else SAT_DOWN)
    wake(table, now)
    return seat


def vacate(table: Table, seat: Seat, now: datetime, why: str = "") -> None:
    """Return the whole stack to where it came from, and free the seat; the house says why."""
    by_house = bool(why) or seat.player.is_bot
    posting = Posting(
        key=posting_key(f"cash-out {seat.code}"),
        actor=HOUSE if by_house else player_reference(seat.player_id),
        reason=GIVEN_UP.get(why) or (BOT_LEFT if by_house else LEFT),
    )
    format_of(table).empty(seat, posting)
    seat.left_at, seat.left_why = now, why
    seat.save(update_fields=["left_at", "left_why"])
    wake(table, now)


def key_of(seat: Seat, occasion: str) -> UUID:
    """The key of the posting that brings chips to a seat on this occasion."""
    return posting_key(f"buy-in {seat.code} {occasion}")


def key_of_top_up(table: Table, player: Player, key: str) -> UUID:
    """The key of a top-up's posting: a form of an earlier stay at the table is no new one."""
    return posting_key(f"top-up {table.pk} {player.pk} {key}")


def bring_chips(table: Table, seat: Seat, amount: int, key: UUID, reason: str) -> None:
    """Add money to the stack, once a key; at a cash table it comes from the wallet."""
    posting = Posting(
        key=key,
        actor=HOUSE if seat.player.is_bot else player_reference(seat.player_id),
        reason=reason,
    )
    format_of(table).fill(seat, amount, posting)


def require_buy_in(table: Table, amount: int) -> None:
    if not table.buy_in_min <= amount <= table.buy_in_max:
        raise Refused(
            "buy_in_bounds",
            _n("The buy-in here is {least} to {most}."),
            least=table.buy_in_min,
            most=table.buy_in_max,
        )


def wake(table: Table, now: datetime) -> None:
    """Let the clock look at a table where nothing was going on."""
    if table.phase == Table.Phase.WAITING and table.due_at is None:
        table.due_at = now + NOTICE


def is_dealt_in(table: Table, seat: Seat) -> bool:
    """Whether the hand that runs is dealt to this seat."""
    return (
        table.hand_id is not None
        and HandSeat.objects.filter(hand_id=table.hand_id, seat=seat).exists()
    )
