"""The clock of a table: what the house does by itself, when it is due.

Every table's row says when the house next has something to do there (`due_at`): let a bot play,
end a turn whose time is up, mix a shoe, deal. `tick` does it, under the row's lock, if it is due;
called twenty times, or by two workers at once, it is done once. A task calls it at that time, and a
sweeper looks every second for tables that were missed, so that a lost task costs a second.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from games import shoes
from games.dealing import enough, ready_seats, shoe_goes_on
from games.hands import game_from
from games.hosting import tidy
from games.models import Seat, ShoeSeat, Table
from games.play import expire, next_due, play_for_the_absent, resume, start_hand, void
from games.rows import lock_table, seats_at, store_table
from games.rules.contract import AnyGame
from games.rules.errors import Unreadable
from games.words.reasons import NOT_DEALT, NOT_REVEALED, OTHER_CARDS, OUT_OF_CARDS

# How long a seat has to show the bytes it has committed to.
REVEAL_TIME: Final = timedelta(seconds=2)
# How often the house looks after a table where somebody sits and nothing is played.
ROUND: Final = timedelta(seconds=10)

log = logging.getLogger(__name__)


def tick(table_id: int, now: datetime) -> None:
    """Do what is due at a table."""
    seen = Table.objects.only("phase", "due_at").get(pk=table_id)
    if seen.due_at is None or seen.due_at > now:
        return
    if seen.phase in (Table.Phase.WAITING, Table.Phase.PAUSE):
        tidy(table_id, now)
    with transaction.atomic():
        table = lock_table(table_id)
        if table.due_at is None or table.due_at > now:
            return
        _advance(table, now)


def sweep(now: datetime) -> int:
    """Do what is due at any table; one that fails does not hold up the others."""
    due = Table.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)
    for table_id in due:
        try:
            tick(table_id, now)
        except Exception:
            log.exception("table %s could not be advanced", table_id)
    return len(due)


def _advance(table: Table, now: datetime) -> None:
    seats = seats_at(table)
    if table.phase == Table.Phase.PLAY:
        playing = resume(table, seats)
        try:
            if table.deadline is not None and table.deadline <= now:
                expire(playing, now)
            else:
                play_for_the_absent(playing, now)
            playing.let_house_act(now)
        except Unreadable as reason:
            if reason.code != "too_few_cards":
                raise
            # Nobody can play such a round to its end, and no other would ever begin.
            void(playing.hand.pk, OUT_OF_CARDS, "house", now)
            return
        if playing.moved:
            playing.store(now)
        else:
            # Whoever was missed has been seen since: there is nothing to tell anybody.
            table.due_at = next_due(table, seats, now)
            table.save(update_fields=["due_at"])
        return
    if table.phase == Table.Phase.REVEAL:
        end_reveal(table, seats, now)
        return
    _next_hand(table, seats, now)


def _next_hand(table: Table, seats: list[Seat], now: datetime) -> None:
    """Deal, or wait for players; whoever comes to a waiting table is given a pause to commit."""
    game = game_from(table.game, table.options)
    ready = ready_seats(table, seats)
    if table.status != Table.Status.OPEN or not enough(game, ready):
        _wait(table, seats, now)
        return
    if table.shoe is not None and not shoes.fits(table.shoe, game):
        _take_away(table, OTHER_CARDS, now)
    if table.shoe is None or table.phase == Table.Phase.WAITING:
        _pause(table, game, now)
        return
    if shoe_goes_on(game, table.shoe):
        start_hand(table, seats, ready, now)
        return
    shoes.lock(table.shoe, ready, now)
    if shoes.withholding(table.shoe):
        table.phase, table.due_at = Table.Phase.REVEAL, now + REVEAL_TIME
        store_table(table)
        return
    shoes.mix(table.shoe, now)
    start_hand(table, seats, ready, now)


def _pause(table: Table, game: AnyGame, now: datetime) -> None:
    """Let the seats commit: no shoe is locked without their having had the time for it."""
    if table.shoe is None:
        table.shoe = shoes.seal(table, game, now)
    table.phase = Table.Phase.PAUSE
    table.due_at = now + timedelta(seconds=table.pause_seconds)
    store_table(table)


def _wait(table: Table, seats: list[Seat], now: datetime) -> None:
    if table.status == Table.Status.CLOSING:
        table.status = Table.Status.CLOSED
    table.phase = Table.Phase.WAITING
    table.due_at = now + ROUND if seats else None
    store_table(table)


def end_reveal(table: Table, seats: list[Seat], now: datetime) -> None:
    """The time to reveal is over: deal, or take the shoe away if somebody withheld their part."""
    shoe = table.shoe
    assert shoe is not None
    game = game_from(table.game, table.options)
    missing = shoes.withholding(shoe)
    if missing:
        _count_withheld(table, missing)
        told = ", ".join(str(part.number) for part in missing)
        _take_away(table, NOT_REVEALED.format(seats=told), now)
        _pause(table, game, now)
        return
    mixed = {part.number: part.player_id for part in shoe.seats.all()}
    ready = [seat for seat in ready_seats(table, seats) if mixed.get(seat.number) == seat.player_id]
    if enough(game, ready) and shoes.fits(shoe, game):
        shoes.mix(shoe, now)
        start_hand(table, seats, ready, now)
        return
    # Whoever comes later has no part in this mix, and must not be dealt from it.
    _take_away(table, NOT_DEALT, now)
    _wait(table, seats, now)


def _count_withheld(table: Table, parts: Iterable[ShoeSeat]) -> None:
    """Whoever withholds and leaves is remembered by the seat they have left."""
    for part in parts:
        seat = Seat.objects.filter(table=table, player_id=part.player_id).latest("sat_down_at")
        Seat.objects.filter(pk=seat.pk).update(withheld=F("withheld") + 1)


def _take_away(table: Table, reason: str, now: datetime) -> None:
    assert table.shoe is not None
    shoes.void(table.shoe, reason, now)
    table.shoe = None
