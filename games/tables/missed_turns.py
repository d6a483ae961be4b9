"""Players who do not answer: turns left to the clock, and seats that the house gives up.

A player who times out three times in a row sits out when the hand is over, and so holds a table up
for three turns and no longer. So does a player who is offline then. The house keeps a seat
that sits out for minutes (`between_hands.py`), then gives it up and returns its whole stack; every
page tells its player why.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.models import HandSeat, Move, Seat, Table
from games.models.combined import Read
from games.models.prepared import Query, Update
from games.models.tables import MISSED_MAX
from games.tables import time_bank
from games.tables.autoplay import is_absent
from games.tables.formats import format_of
from wallets.values.player import Player, Viewer, is_player

# How long the table shows its player why their seat was given up.
SHOWN_AT_TABLE: Final = timedelta(hours=1)
# How long the strip of every page shows it to a player who does not dismiss it.
SHOWN_IN_STRIP: Final = timedelta(days=1)
LOST: Final = Query(
    lambda player, since: (
        Seat.objects.filter(player=player, left_at__gt=since, loss_seen=False)
        .exclude(left_why="")
        .select_related("table")
        .order_by("-left_at")
    ),
    int,
    datetime,
)
WRITE_AUTO_PLAY: Final = Update(Seat, ("auto_play",))
WRITE_MISSED: Final = Update(Seat, ("turns_missed", "sits_out", "sat_out_why"))


def after_hand(
    table: Table, dealt: Sequence[HandSeat], moves: Sequence[Move], seats: Sequence[Seat]
) -> None:
    """Make players sit out who missed too many turns in a row, and end auto-play.

    A bot misses no turn, nor does a player who asked for auto-play: those moves are a bot's. Where
    auto-play has taken over, the turn that was missed counts.
    """
    if format_of(table).missed_turns:
        _count_missed_turns(moves, seats)
    time_bank.refill(table, seats, _played_themselves(moves))
    played = {row.seat_id for row in dealt}
    for seat in seats:
        if seat.auto_play and seat.pk in played:
            seat.auto_play = False
            WRITE_AUTO_PLAY(seat)


def _played_themselves(moves: Sequence[Move]) -> set[int]:
    """The seats whose players made every move of theirs in the hand."""
    by: dict[int, set[str]] = {}
    for move in moves:
        by.setdefault(move.seat, set()).add(move.by)
    return {number for number, ways in by.items() if ways == {Move.By.PLAYER}}


def _count_missed_turns(moves: Sequence[Move], seats: Sequence[Seat]) -> None:
    for seat in seats:
        if seat.player.is_bot:
            continue
        missed = seat.turns_missed
        for move in moves:
            if move.seat == seat.number and move.by in (Move.By.PLAYER, Move.By.TIMEOUT):
                missed = missed + 1 if move.by == Move.By.TIMEOUT else 0
        if missed == seat.turns_missed:
            continue
        seat.turns_missed = missed
        if missed >= MISSED_MAX and not seat.sits_out:
            seat.sits_out, seat.sat_out_why = True, Seat.SatOutWhy.MISSED
        WRITE_MISSED(seat)


def mark(table: Table, seat: Seat, ready: bool, now: datetime) -> None:
    """Between hands: make an absent player sit out, and note since when a seat is not dealt in."""
    if _is_to_sit_out(table, seat, now):
        seat.sits_out, seat.sat_out_why = True, Seat.SatOutWhy.ABSENT
    ready = ready and not seat.sits_out
    seat.idle_since = None if ready else seat.idle_since or now
    seat.save(update_fields=["sits_out", "sat_out_why", "idle_since"])


def needs_mark(table: Table, seat: Seat, ready: bool, now: datetime) -> bool:
    """Whether `mark` would change anything."""
    return _is_to_sit_out(table, seat, now) or ready == (seat.idle_since is not None)


def _is_to_sit_out(table: Table, seat: Seat, now: datetime) -> bool:
    """Whether the house sits out this offline player."""
    counts = format_of(table).missed_turns
    return counts and is_absent(table, seat, now) and not seat.sits_out


def sat_out(seat: Seat) -> str:
    """Return why the house made a player sit out, in words; nothing where it did not."""
    if not seat.sat_out_by_house:
        return ""
    if seat.sat_out_why == Seat.SatOutWhy.ABSENT:
        return _("You were offline, so you now sit out. Sit in to be dealt in again.")
    return _("You timed out three times in a row, so you now sit out. Sit in to be dealt in again.")


class Lost(NamedTuple):
    """A seat that the house gave up; its player has not seen the message yet."""

    id: int
    table_id: int
    table: str
    words: str


def read_of_lost_seats(player: Player, now: datetime) -> Read:
    return LOST, (player.pk, now - SHOWN_IN_STRIP)


def lost_seats(player: Player, now: datetime) -> list[Lost]:
    """The lost seats whose message a player has not dismissed, the newest first."""
    return [
        Lost(seat.pk, seat.table_id, seat.table.title, words_of(seat.left_why))
        for seat in LOST(player.pk, now - SHOWN_IN_STRIP)
    ]


def saw_lost_seat(player: Player, seat_id: int) -> None:
    """Note that the player has dismissed the message."""
    Seat.objects.filter(player=player.pk, pk=seat_id, left_at__isnull=False).update(loss_seen=True)


def stood_up(viewer: Viewer, table: Table, now: datetime) -> str:
    """Return why the house has lately given up the viewer's seat here; empty if it has not."""
    if not is_player(viewer):
        return ""
    earlier = Seat.objects.filter(table=table, player=viewer.pk, left_at__gt=now - SHOWN_AT_TABLE)
    why = earlier.order_by("-left_at").values_list("left_why", flat=True).first()
    return words_of(why or "")


def words_of(why: str) -> str:
    """The sentence that tells a player why the house gave their seat up."""
    words: dict[str, str] = {
        Seat.LeftWhy.ABSENT: _(
            "You were offline too long and lost your seat. Its chips are in your wallet."
        ),
        Seat.LeftWhy.IDLE: _(
            "You were not dealt in for too long and lost your seat. Its chips are in your wallet."
        ),
        Seat.LeftWhy.CLOSED: _("The table was closed. Your chips are in your wallet."),
    }
    return words.get(why, "")
