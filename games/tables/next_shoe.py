"""The shoe of the next hand: mixed while the present hand is played, so that players do not wait
for it.

As soon as the last hand of a shoe is dealt, the next shoe is sealed, and seats commit to their part
of it for as long as the hand lasts. It is locked as late as the lines of its players allow. Where
all devices answer quickly that is when the next hand is due: before that the mix is unknown, so a
player who leaves has left in time. Where a device is slow it is locked as soon as all have
committed, so that its answer has the rest of the hand to arrive. A shoe that could not be prepared
in this way (the first of a table, or one for other seats) is locked without such a device.

Every function here works on a table whose row is locked, and changes it in memory; the caller
stores it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.prepared import UpdateRows
from games.rules.contract import AnyGame, lasting_shoe
from games.shoes import custody, seats
from games.tables.autoplay import has_left
from games.tables.deal import is_last
from games.tables.formats import format_of

# How long the deal waits for a reveal after the lock: longer for a device that answers slowly, and
# longer still for a shoe that lasts for many rounds.
REVEAL_TIME: Final = timedelta(seconds=2)
REVEAL_TIME_MAX: Final = timedelta(seconds=6)
REVEAL_TIME_MAX_OF_LASTING: Final = timedelta(seconds=15)
# So many times its slowest recent answer: a packet that is lost on the way is sent again.
REPLIES: Final = 2
# How long the lock for a slow device waits for others who have not committed: so many times the
# slowest recent answer, and no less than this.
REPLIES_TO_COMMIT: Final = 3
PATIENCE: Final = timedelta(seconds=8)

WRITE_RECORDS: Final = UpdateRows(Seat, seats.FIELDS)


def prepare(table: Table, game: AnyGame, now: datetime) -> None:
    """Seal the next shoe if the hand that is being dealt is the last of the present one."""
    if table.next_shoe is None and table.shoe is not None and is_last(game, table.shoe):
        table.next_shoe = format_of(table).next_shoe(game, now)


def take_next(table: Table, game: AnyGame, now: datetime) -> None:
    """Put the next shoe on the table: the one that was prepared, or else a fresh one."""
    table.shoe = table.next_shoe or format_of(table).next_shoe(game, now)
    table.next_shoe = None


def open_shoes(table: Table) -> list[Shoe]:
    """The shoes of a table that seats may still have a part in."""
    mixing = (Shoe.Status.SEALED, Shoe.Status.LOCKED)
    return [shoe for shoe in (table.shoe, table.next_shoe) if shoe and shoe.status in mixing]


def all_committed(shoe: Shoe, players: Iterable[Seat], now: datetime) -> bool:
    """Whether every person among these has committed, unless the house mixes for them."""
    committed = set(shoe.seats.values_list("number", "player_id"))
    return all(
        (seat.number, seat.player_id) in committed
        for seat in players
        if not (seat.player.is_bot or seats.is_set_aside(seat) or has_left(seat, now))
    )


def is_late_for_slow(table: Table, at_table: Sequence[Seat], now: datetime) -> bool:
    """Whether an act has to lock the next shoe for a slow device.

    The last commit does it, so an act has to where a commit has not come in time.
    """
    shoe = table.next_shoe
    return (
        shoe is not None
        and shoe.status == Shoe.Status.SEALED
        and bool(seats.slowest(at_table))
        and now >= shoe.sealed_at + _patience(at_table)
    )


def _patience(at_table: Sequence[Seat]) -> timedelta:
    return max(PATIENCE, timedelta(milliseconds=REPLIES_TO_COMMIT * seats.slowest(at_table)))


def lock_for_slow(table: Table, at_table: Sequence[Seat], now: datetime) -> bool:
    """Lock the next shoe while a hand is played, if a device needs that time to reveal."""
    shoe = table.next_shoe
    if shoe is None or shoe.status != Shoe.Status.SEALED or not seats.slowest(at_table):
        return False
    # A player takes a bot's seat after the hand, or leaves: others will be dealt in.
    if any(seat.reserved_for_id or seat.leaves for seat in at_table):
        return False
    players = format_of(table).dealt_in(at_table, now)
    if not is_late_for_slow(table, at_table, now) and not all_committed(shoe, players, now):
        return False
    custody.lock(shoe, players, now)
    return True


def lock_when_due(
    table: Table, game: AnyGame, players: Sequence[Seat], now: datetime
) -> tuple[list[ShoeSeat], datetime]:
    """Lock the shoe on the table if it is not yet; return its parts, and until when the deal waits.

    For a device that would hold up the deal for too long, or a player who has left, the house mixes
    this one shoe.
    """
    shoe = table.shoe
    assert shoe is not None
    most = REVEAL_TIME_MAX_OF_LASTING if lasting_shoe(game) else REVEAL_TIME_MAX
    if shoe.status == Shoe.Status.SEALED:
        silent = [seat for seat in players if _window(seat) > most or has_left(seat, now)]
        parts = custody.lock(shoe, players, now, without=silent)
        players = [seat for seat in players if seat not in silent]
    else:
        parts = custody.PARTS(shoe.code)
    assert shoe.locked_at is not None
    return parts, shoe.locked_at + min(most, max(map(_window, players), default=REVEAL_TIME))


def _window(seat: Seat) -> timedelta:
    """How long the bytes of a seat may take to arrive after a lock."""
    return max(REVEAL_TIME, timedelta(milliseconds=REPLIES * seat.reply_ms))


def mix(shoe: Shoe, parts: Sequence[ShoeSeat], players: Iterable[Seat], now: datetime) -> None:
    """Mix a shoe whose reveals have arrived, and note at each seat whether it took part."""
    by_house = {part.number: part.by_house for part in custody.mix(shoe, now, parts)}
    people = [seat for seat in players if not seat.player.is_bot]
    for seat in people:
        seats.note_mixed(seat, by_house=by_house[seat.number])
    WRITE_RECORDS(people)


def note_reply(seat: Seat, since: datetime, now: datetime) -> None:
    """Note how long the device of a seat took to answer, from when it could first be asked.

    That makes no version: the lock, the deal and a commit read the seats again, and otherwise it
    decides only whether an act takes the lock.
    """
    took = now - max(since, seat.sat_down_at)
    if seats.note_reply(seat, took / timedelta(milliseconds=1)):
        seat.save(update_fields=["reply_ms"])
