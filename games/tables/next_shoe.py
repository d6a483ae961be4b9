"""The shoe of the next hand: mixed while the present hand is played, so that players do not wait
for it.

As soon as the last hand of a shoe is dealt, the next shoe is sealed. Where a shoe is one deal, it
is **locked ahead** in the same moment, for the seats of that hand: their devices send the links
with their acts. If others are to be dealt in when the next hand is due, that shoe is dropped, and
a fresh one is locked for them; then the deal waits for their devices. A table that has dropped
shoes locks the next ones only when they are due (`games/shoes/seats.py`). So is a shoe of many
rounds, and the first of a table.

Every function here works on a table whose row is locked, and changes it in memory; the caller
stores it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.prepared import UpdateRows
from games.rules import links
from games.rules.contract import AnyGame, lasting_shoe
from games.shoes import custody, seats
from games.tables.autoplay import has_left
from games.tables.deal import is_last
from games.tables.formats import format_of
from games.words.refusals import NOT_DEALT

# How long the deal waits for a link: longer for a device that answers slowly, and longer still for
# a shoe that lasts for many rounds.
REVEAL_TIME: Final = timedelta(seconds=2)
REVEAL_TIME_MAX: Final = timedelta(seconds=6)
REVEAL_TIME_MAX_OF_LASTING: Final = timedelta(seconds=15)
# So many times its slowest recent answer: a packet that is lost on the way is sent again.
REPLIES: Final = 2
WRITE_RECORDS: Final = UpdateRows(Seat, (*seats.FIELDS, "tip"))
NEXT_SHOE: Final = Table._meta.get_field("next_shoe")


def prepare(
    table: Table, game: AnyGame, at_table: Sequence[Seat], players: Sequence[Seat], now: datetime
) -> Sequence[ShoeSeat] | None:
    """Seal the next shoe if the hand that is being dealt is the last of the present one.

    Return its parts, none unless it is locked ahead; None where no shoe is sealed.
    """
    if table.next_shoe is not None or table.shoe is None or not is_last(game, table.shoe):
        return None
    shoe = table.next_shoe = format_of(table).next_shoe(game, now)
    if shoe is None or shoe.status != Shoe.Status.SEALED:
        return None
    # A player takes a bot's seat after the hand, or leaves: others will be dealt in.
    others = any(seat.reserved_for_id or seat.leaves for seat in at_table)
    if others or lasting_shoe(game) is not None:
        return ()
    away = [seat for seat in players if has_left(seat, now)]
    takes_part = any(seat.tip and not seats.is_set_aside(seat) for seat in players)
    if takes_part and seats.may_lock_ahead(table):
        return custody.lock(shoe, players, now, without=away)
    return ()


def take_next(table: Table, game: AnyGame, now: datetime) -> None:
    """Put the next shoe on the table: the one that was prepared, or else a fresh one."""
    if table.next_shoe_id is None:
        table.shoe = format_of(table).next_shoe(game, now)
    elif NEXT_SHOE.is_cached(table):
        table.shoe, table.next_shoe = table.next_shoe, None
    else:
        # Its row is read where more of it is needed than its name.
        table.shoe_id, table.next_shoe_id = table.next_shoe_id, None


def may_lock(shoe: Shoe, players: Iterable[Seat], now: datetime) -> bool:
    """Whether no player loses their part in the mix: all links have come, or chains started."""
    if shoe.status == Shoe.Status.LOCKED:
        return all(part.reveal for part in custody.PARTS(shoe.code))
    return all(
        bool(seat.tip) or seat.player.is_bot or seats.is_set_aside(seat) or has_left(seat, now)
        for seat in players
    )


def take_away(table: Table, at_table: Sequence[Seat], reason: str, now: datetime) -> None:
    """Void the shoe on the table; what its lock asked for is not asked for again."""
    shoe = table.shoe
    assert shoe is not None
    if shoe.status == Shoe.Status.LOCKED:
        WRITE_RECORDS(_moved_on(custody.PARTS(shoe.code), at_table))
        if table.phase != Table.Phase.REVEAL:
            seats.note_locked_ahead(table, dealt=False)
    custody.void(shoe, reason, now)
    table.shoe = None


def _moved_on(parts: Iterable[ShoeSeat], at_table: Iterable[Seat]) -> list[Seat]:
    """Move chains on to the links that a lock has asked for, and return their seats."""
    given = {(part.number, part.player_id): part for part in parts if not part.by_house}
    moved = []
    for seat in at_table:
        if (part := given.get((seat.number, seat.player_id))) is not None:
            seat.tip = links.tip_after(seat.tip, part.commit, part.reveal)
            moved.append(seat)
    return moved


def lock_when_due(
    table: Table, game: AnyGame, at_table: Sequence[Seat], players: Sequence[Seat], now: datetime
) -> tuple[list[ShoeSeat], datetime]:
    """Lock the shoe on the table if it is not yet; return its parts, and until when the deal waits.

    For a device that would hold up the deal for too long, or a player who has left, the house mixes
    this one shoe. Of a shoe that was locked ahead all links are there, but of players who have not
    acted: their devices send them now.
    """
    assert table.shoe is not None
    if table.shoe.status == Shoe.Status.LOCKED:
        parts = custody.PARTS(table.shoe.code)
        mixed = {(part.number, part.player_id) for part in parts}
        if mixed == {(seat.number, seat.player_id) for seat in players}:
            seats.note_locked_ahead(table, dealt=True)
            return parts, now + _longest(game, players, parts)
        take_away(table, at_table, NOT_DEALT, now)
        take_next(table, game, now)
    most = _most(game)
    silent = [seat for seat in players if _window(seat) > most or has_left(seat, now)]
    parts = custody.lock(table.shoe, players, now, without=silent)
    return parts, now + _longest(game, players, parts)


def _longest(game: AnyGame, players: Iterable[Seat], parts: Iterable[ShoeSeat]) -> timedelta:
    """How long the deal waits for the slowest of the devices whose links have not come."""
    awaited = {part.number for part in parts if not part.reveal}
    windows = (_window(seat) for seat in players if seat.number in awaited)
    return min(_most(game), max(windows, default=REVEAL_TIME))


def _most(game: AnyGame) -> timedelta:
    return REVEAL_TIME_MAX_OF_LASTING if lasting_shoe(game) else REVEAL_TIME_MAX


def _window(seat: Seat) -> timedelta:
    """How long the link of a seat may take to arrive; the first shows how slow its device is."""
    if not seat.reveals:
        return REVEAL_TIME_MAX
    return max(REVEAL_TIME, timedelta(milliseconds=REPLIES * seat.reply_ms))


def mix(shoe: Shoe, parts: Sequence[ShoeSeat], players: Iterable[Seat], now: datetime) -> None:
    """Mix a shoe whose reveals have arrived, and note at each seat whether it took part."""
    by_house = {part.number: part.by_house for part in custody.mix(shoe, now, parts)}
    _moved_on(parts, players)
    people = [seat for seat in players if not seat.player.is_bot]
    for seat in people:
        seats.note_mixed(seat, by_house=by_house[seat.number])
    WRITE_RECORDS(people)


def note_reply(seat: Seat, since: datetime, now: datetime) -> None:
    """Note how long the device of a seat took to answer, from when it could first be asked.

    That makes no version: the lock and the deal read the seats again.
    """
    took = now - max(since, seat.sat_down_at)
    if seats.note_reply(seat, took / timedelta(milliseconds=1)):
        seat.save(update_fields=["reply_ms"])
