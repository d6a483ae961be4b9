"""The clock of a table: what the house does by itself when it is due.

Every table's row says when the house next has something to do there (`due_at`): let a bot play,
end a turn whose time is up, mix a shoe, deal. `tick` does it, under the row's lock, if it is due;
called twenty times, or by two workers at once, it is done once. A worker calls it at that time, and
a sweeper looks every second for tables that were missed.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.combined import CannotPlan, Plan, Read, planned, read_together, together
from games.models.prepared import Update
from games.rules.contract import AnyGame
from games.rules.errors import Unreadable
from games.shoes import custody
from games.shoes.seats import note_withheld
from games.tables import admission, signals
from games.tables.autoplay import Thought, is_to_think, think
from games.tables.between_hands import clear_and_fill, expire, is_to_clear, play_for_the_absent
from games.tables.deal import is_mixed, no_new_hand
from games.tables.formats import format_of
from games.tables.hand_in_play import next_due, resume
from games.tables.hand_state import game_from
from games.tables.hand_verbs import start_hand, void
from games.tables.jackpots import ACTIVE_AT, has_pools, read_jackpots
from games.tables.lock import (
    LOCKED_IF_DUE,
    ROW,
    SEATS,
    TICK,
    lock_tables,
    read_shoes,
    reads_of_shoes,
    seats_at,
    set_status,
    store_table,
)
from games.tables.next_shoe import (
    REVEAL_TIME,
    WRITE_RECORDS,
    lock_when_due,
    mix,
    take_away,
    take_next,
)
from games.tables.table_cache import TABLE_CACHE
from games.tables.table_rules import follow
from games.words.refusals import (
    NOT_DEALT,
    NOT_REVEALED,
    OTHER_CARDS,
    OUT_OF_CARDS,
    OUT_OF_CARDS_CODE,
)
from wallets.of_record.verbs import under

WRITE_DUE: Final = Update(Table, ("due_at",))
WRITE_REVEAL_TIME: Final = Update(Shoe, ("reveal_until",))
# If the clock itself is so late, pages may not have reached the house either.
LATE: Final = timedelta(seconds=3)
BETWEEN_HANDS: Final = (Table.Phase.WAITING, Table.Phase.PAUSE)
# How often the house checks a table with players and without play.
ROUND: Final = timedelta(seconds=10)

log = logging.getLogger(__name__)


@under(TICK)
def tick(table_id: int, now: datetime, *, may_think: bool = True) -> bool:
    """Do what is due at a table; False where a strong bot has to think, and may not here.

    Clearing seats takes a transaction for each, and a strong bot thinks while others may act: both
    come before the table is locked for what is due, and it is locked first to see whether they do.
    """
    with transaction.atomic():
        table = LOCKED_IF_DUE.first(table_id, now)
        if table is None:
            return True
        with read_together(_reads_of_tick(table)):
            seats = _at_tick(table)
            clears = table.phase in BETWEEN_HANDS and is_to_clear(table, seats, now)
            thinks = table.phase == Table.Phase.PLAY and is_to_think(table, seats, now)
            if not clears and not thinks:
                _advance(table, seats, now, None)
                return True
    if thinks and not may_think:
        return False
    if clears:
        clear_and_fill(table_id, now)
    thought = think(table, seats, now) if thinks else None
    with transaction.atomic():
        table = LOCKED_IF_DUE.first(table_id, now)
        if table is not None:
            with read_together(_reads_of_tick(table)):
                _advance(table, _at_tick(table), now, thought)
    return True


def reads_of_plan(table_id: int) -> list[Read]:
    """What `plan` reads of a table, as far as this process knows it."""
    known = TABLE_CACHE.known(table_id)
    if known is None:
        raise CannotPlan
    if known.table.phase == Table.Phase.PLAY:
        return [*TABLE_CACHE.reads_of_newest(table_id), *admission.reads_of_holds()]
    return [(ROW, (table_id,)), *reads_of_deal(known.table, known.table.shoe_id)]


def plan(table_id: int, now: datetime) -> Plan | None:
    """Plan what is due at a table, by rows that were read together; None if nothing is.

    No lock is held: what was read may be old when the plan is carried out, which then fails. A plan
    writes nothing of record, so it needs no verb.
    """
    table = ROW.get(table_id)
    if not is_due(table, now):
        return None
    seats = seats_at(table)
    if table.phase in BETWEEN_HANDS:
        is_left = is_to_clear(table, seats, now)
    else:
        is_left = table.phase == Table.Phase.PLAY and is_to_think(table, seats, now)
    if is_left:
        raise CannotPlan
    with planned(table, table.version) as made:
        _advance(table, seats, now, None)
    return made


def _at_tick(table: Table) -> list[Seat]:
    """The seats at a locked table, whose shoes are read, too, where they are not known."""
    if table.phase != Table.Phase.PLAY or not TABLE_CACHE.lend_shoes(table):
        read_shoes(table)
    return seats_at(table)


def _reads_of_tick(table: Table) -> list[Read]:
    """What the clock reads of a table whose row it has locked."""
    if table.phase == Table.Phase.PLAY:
        unknown = [] if TABLE_CACHE.lend_shoes(table) else reads_of_shoes(table)
        return [(SEATS, (table.pk,)), *TABLE_CACHE.reads_of_live(table), *unknown]
    return reads_of_deal(table, table.shoe_id)


def reads_of_deal(table: Table, shoe: str | None) -> list[Read]:
    """What is read at a locked table to deal the next hand, and of the shoe of this name."""
    reads = [(SEATS, (table.pk,)), *reads_of_shoes(table), *admission.reads_of_holds()]
    if shoe is not None:
        reads.append((custody.PARTS, (shoe,)))
    return [*reads, (ACTIVE_AT, (table.pk,))] if has_pools(table) else reads


def is_due(table: Table, now: datetime) -> bool:
    """Whether something is due at a table whose row was just read or written."""
    return table.due_at is not None and table.due_at <= now


def due_tables(now: datetime) -> QuerySet[Table]:
    return Table.objects.filter(due_at__lte=now)


def sweep(now: datetime) -> int:
    """Do what is due at any table; one that fails does not hold up the others."""
    tables = due_tables(now).order_by("due_at").values_list("pk", flat=True)
    for table_id in tables:
        try:
            tick(table_id, now)
        except Exception:
            log.exception("table %s could not be advanced", table_id)
    return len(tables)


def _advance(table: Table, seats: list[Seat], now: datetime, thought: Thought | None) -> None:
    if table.phase == Table.Phase.PLAY:
        playing = resume(table, seats)
        if not playing.bettors and no_new_hand(table, now) is not None:
            playing.call_off(now)
            return
        try:
            due = table.deadline
            if due is not None and due <= now:
                expire(playing, now)
            else:
                play_for_the_absent(playing, now, thought)
            playing.let_house_act(now)
        except Unreadable as reason:
            if reason.code != "too_few_cards":
                raise
            # Such a round can never end, and no other would begin.
            void(playing.hand.pk, OUT_OF_CARDS, "house", now, code=OUT_OF_CARDS_CODE)
            return
        if playing.moved:
            playing.store(now)
        elif table.deadline != due:
            # A player's time bank runs.
            table.due_at = next_due(table, seats, now)
            store_table(table)
        else:
            # The player who was missed has been seen since: no watcher needs a new version.
            table.due_at = next_due(table, seats, now)
            WRITE_DUE(table)
        return
    if table.phase == Table.Phase.REVEAL:
        if _was_away(table, now):
            table.due_at = now + REVEAL_TIME
            store_table(table)
            return
        assert table.shoe is not None
        end_reveal(table, seats, custody.PARTS(table.shoe.code), now)
        return
    _next_hand(table, seats, now)


def _next_hand(table: Table, seats: list[Seat], now: datetime) -> None:
    """Deal, or wait for players; at a waiting table they first get a pause to commit."""
    until = follow(table, seats, now)
    rules = format_of(table)
    _take_options(table, rules.options(now))
    game = game_from(table.game, table.options)
    ready = rules.dealt_in(seats, now)
    if no_new_hand(table, now) is not None or not rules.enough(game, ready):
        _wait(table, seats, now)
        return
    if table.shoe is not None and not custody.fits(table.shoe, game):
        take_away(table, seats, OTHER_CARDS, now)
    if table.shoe is None or table.phase == Table.Phase.WAITING:
        _pause(table, game, now)
        return
    start = rules.may_start(now)
    if until is not None and start is not None:
        start = max(start, until)
    if start is None or start > now or until is not None:
        # Until then seats may go on to commit to their part of the shoe.
        table.due_at = start
        store_table(table)
        return
    if is_mixed(table.shoe):
        if _mixed_by_others(table.shoe, ready):
            take_away(table, seats, NOT_DEALT, now)
            _pause(table, game, now)
            return
        start_hand(table, seats, ready, now)
        return
    read_jackpots(table)
    with together():
        parts, until = lock_when_due(table, game, seats, ready, now)
        if any(not part.reveal for part in parts) and now < until:
            table.phase, table.due_at = Table.Phase.REVEAL, until
            table.shoe.reveal_until = until
            WRITE_REVEAL_TIME(table.shoe)
            store_table(table)
            return
        _deal_or_take_away(table, seats, parts, now)


def _mixed_by_others(shoe: Shoe, ready: Iterable[Seat]) -> bool:
    """Whether the first hand of a shoe would go to others than those who mixed it.

    A round without a bet leaves such a shoe behind, and players may change after it.
    """
    if shoe.rounds_played or shoe.deal:
        return False
    mixed = {part.number: part.player_id for part in shoe.seats.all()}
    return mixed != {seat.number: seat.player_id for seat in ready}


def _pause(table: Table, game: AnyGame, now: datetime) -> None:
    """Let the seats commit: no shoe is locked before they have had the time for it."""
    if table.shoe is None:
        take_next(table, game, now)
    table.phase = Table.Phase.PAUSE
    table.due_at = now + timedelta(seconds=table.pause_seconds)
    store_table(table)


def release(table_ids: Iterable[int], now: datetime) -> None:
    """Have the clock look at tables whose next hand was held back, or where nothing was due."""
    with transaction.atomic():
        for table in lock_tables(table_ids):
            if table.phase in (Table.Phase.WAITING, Table.Phase.PAUSE):
                table.due_at = now
                store_table(table)


def _take_options(table: Table, options: dict[str, object]) -> None:
    """Take over the options of the next hand where the table's format has changed them."""
    if options != table.options:
        table.options = options
        table.save(update_fields=["options"])


def _wait(table: Table, seats: list[Seat], now: datetime) -> None:
    if table.status == Table.Status.CLOSING:
        set_status(table, Table.Status.CLOSED)
    table.phase = Table.Phase.WAITING
    table.due_at = now + ROUND if seats else None
    store_table(table)


def _was_away(table: Table, now: datetime) -> bool:
    """Whether the house itself was down during the time to reveal: then no player has withheld a
    reveal.

    That time is given once more, and only once.
    """
    shoe, due = table.shoe, table.due_at
    assert shoe is not None
    assert due is not None
    return now - due > LATE and due == shoe.reveal_until


def end_reveal(table: Table, seats: list[Seat], parts: list[ShoeSeat], now: datetime) -> None:
    """The time to reveal is over: deal, or void the shoe if a seat withheld its part."""
    if table.status == Table.Status.OPEN and admission.held(now) is not None:
        # Its mix is known to some by now: taking the shoe away would let the house choose hands.
        table.due_at = now + ROUND
        table.save(update_fields=["due_at"])
        return
    read_jackpots(table)
    _deal_or_take_away(table, seats, parts, now)


def _deal_or_take_away(
    table: Table, seats: list[Seat], parts: list[ShoeSeat], now: datetime
) -> None:
    """Deal from a locked shoe with these parts, or take it away."""
    shoe = table.shoe
    assert shoe is not None
    game = game_from(table.game, table.options)
    missing = [part for part in parts if not part.reveal]
    if missing:
        _count_withheld(table, seats, missing, now)
        numbers = ", ".join(str(part.number) for part in missing)
        take_away(table, seats, NOT_REVEALED.format(seats=numbers), now)
        _pause(table, game, now)
        return
    rules = format_of(table)
    mixed = {(part.number, part.player_id): part for part in parts}
    dealt_in = rules.dealt_in(seats, now)
    ready = [seat for seat in dealt_in if mixed.pop((seat.number, seat.player_id), None)]
    is_open = table.status == Table.Status.OPEN
    if is_open and not mixed and rules.enough(game, ready) and custody.fits(shoe, game):
        with together():
            mix(shoe, parts, ready, now)
            start_hand(table, seats, ready, now, parts)
        return
    # A player who came later has no part in this mix and must not be dealt from it. A player who
    # leaves now may know the mix: without them every other seat would get other cards.
    gone = [part for part in mixed.values() if not part.by_house and _may_leave(table, part)]
    _count_withheld(table, seats, gone, now)
    take_away(table, seats, NOT_DEALT, now)
    _next_hand(table, seats, now)


def _seat_of_part(table: Table, part: ShoeSeat) -> Seat:
    """The seat of the player who gave a part of a shoe, even one who has left since."""
    seats = Seat.objects.filter(table=table, player_id=part.player_id)
    return seats.latest("sat_down_at")


def _may_leave(table: Table, part: ShoeSeat) -> bool:
    """Whether the player could choose to leave; a tournament moves its players by itself."""
    return format_of(table).may_leave(_seat_of_part(table, part)) is None


def _count_withheld(
    table: Table, seats: Iterable[Seat], parts: Iterable[ShoeSeat], now: datetime
) -> None:
    """Count it at the seat of each player who withheld, even one who has left since.

    A player who lost everything in the hand after the lock had no choice: the shoe would have been
    voided with their reveal, too.
    """
    here, rules = {seat.pk: seat for seat in seats}, format_of(table)
    for part in parts:
        seat = _seat_of_part(table, part)
        if rules.is_broke(seat):
            continue
        # The next shoe is sealed for the seats as they are in memory.
        seat = here.get(seat.pk, seat)
        note_withheld(seat)
        WRITE_RECORDS([seat])
        signals.report(signals.Occasion.WITHHELD, part.player_id, table.pk, now)
