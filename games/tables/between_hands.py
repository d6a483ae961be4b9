"""What the house does at a table by itself: it moves for players, and tidies between hands."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import transaction

from games.models import Move, Seat, Table
from games.rules.contract import HOUSE
from games.tables import admission, autoplay, buy_in, missed_turns, play_money, seating, time_bank
from games.tables.admission import Occasion, Request
from games.tables.autoplay import Thought, moment_of
from games.tables.formats import format_of
from games.tables.hand_in_play import HandInPlay
from games.tables.hand_state import party_of, seat_number
from games.tables.lock import ROW, lock_table, seats_at, store_table
from wallets.values.errors import Overdrawn, Refused
from wallets.values.player import Player


def play_for_the_absent(playing: HandInPlay, now: datetime, thought: Thought | None) -> None:
    """Play for one seat that the house need not wait for, if its pause is over."""
    table = playing.table
    for seat in playing.seats:
        if autoplay.is_due(table, seat, playing.seats, now):
            if thought is not None and thought.moment == moment_of(table, seat):
                action, by = thought.action, Move.By.BOT
            else:
                action, by = autoplay.decide(playing.game, playing.state, table, seat, now)
            playing.play(seat.number, action, by, now)
            return


def expire(playing: HandInPlay, now: datetime) -> None:
    """Close the betting, or play for all who have not acted, when the time is up.

    At a table among players, those who have time in their bank go on, and auto-play takes over for
    the others until the hand is over.
    """
    table = playing.table
    late = [party_of(int(number)) for number, turn in table.turns.items()]
    turns, began = dict(table.turns), table.turn_began_at
    if HOUSE in late:
        playing.play(HOUSE, playing.game.fallback(playing.state, HOUSE), Move.By.HOUSE, now)
        return
    for party in sorted(late, key=str):
        number = str(seat_number(party))
        # A fallback may begin a new turn for others, who have their own time.
        if table.turns.get(number) != turns[number]:
            continue
        seat = next((seat for seat in playing.seats if str(seat.number) == number), None)
        if seat is None or not time_bank.has_banks(table):
            action = playing.game.fallback(playing.state, party)
        elif (time_bank.limit(table, seat) or now) > now:
            continue
        else:
            action = autoplay.take_over(playing.game, playing.state, seat)
        playing.play(party, action, Move.By.TIMEOUT, now)
    if table.turn_began_at == began and time_bank.has_banks(table):
        table.deadline = time_bank.next_limit(table, playing.seats)


def clear_and_fill(table_id: int, now: datetime) -> None:
    """Do what waits for the end of a hand, seat by seat."""
    seating.seat_reserved(table_id, now)
    table = ROW.get(table_id)
    seats = seats_at(table)
    for seat in seats:
        # This check takes no lock, so a table with nothing to do is not written to.
        if _wants_care(table, seats, seat, now):
            _look_after(table_id, seat.pk, now)
    _invite_bots(table, now)


def is_to_clear(table: Table, seats: Sequence[Seat], now: datetime) -> bool:
    """Whether `clear_and_fill` has anything to do."""
    return (
        any(seat.reserved_for_id or _wants_care(table, seats, seat, now) for seat in seats)
        or _bots_wanted(table, seats, now) > 0
    )


def _wants_care(table: Table, seats: Sequence[Seat], seat: Seat, now: datetime) -> bool:
    rules = format_of(table)
    ready = bool(rules.dealt_in([seat], now))
    return (
        rules.eviction(seat, seats, now) is not None
        or bool(seat.top_up)
        or missed_turns.needs_mark(table, seat, ready, now)
    )


def _look_after(table_id: int, seat_id: int, now: datetime) -> None:
    """Clear a seat, or add its top-up, if that is still to be done."""
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        seat = next((seat for seat in seats if seat.pk == seat_id), None)
        if seat is None or table.hand_id is not None:
            return
        rules = format_of(table)
        why = rules.eviction(seat, seats, now)
        if why is None:
            _top_up(table, seat, now)
            missed_turns.mark(table, seat, bool(rules.dealt_in([seat], now)), now)
            # The seat of a player who sits out from now on may be in the way of others.
            why = rules.eviction(seat, seats, now)
        if why is not None:
            buy_in.vacate(table, seat, now, why)
        store_table(table)


def _top_up(table: Table, seat: Seat, now: datetime) -> None:
    """Add the top-up from during the hand, as far as it still fits and can be paid."""
    if not seat.top_up:
        return
    amount = min(seat.top_up, table.buy_in_max - format_of(table).funds(seat))
    request = Request(Occasion.TOP_UP, seat.player, now, table, amount)
    if amount > 0 and admission.refusal(request) is None:
        # Without a key, as in rows from before, the version names the occasion.
        key = seat.top_up_key or buy_in.key_of(seat, f"after a hand, {table.version}")
        # If the wallet has been emptied since, the table asks for money again.
        with suppress(Overdrawn):
            buy_in.bring_chips(table, seat, amount, key, buy_in.TOPPED_UP)
            seat.stack.refresh_from_db()
    seat.top_up, seat.top_up_key = 0, None
    seat.save(update_fields=["top_up", "top_up_key"])


def _invite_bots(table: Table, now: datetime) -> None:
    seats = seats_at(table)
    for number in _free(table, seats)[: _bots_wanted(table, seats, now)]:
        bot = _idle_bot(table)
        if bot is None:
            return
        try:
            play_money.grant(
                bot,
                table.currency,
                table.buy_in_max,
                occasion=f"{table} {table.version}",
                reason=play_money.FOR_A_BOT,
            )
            seating.sit(bot, table.pk, number, table.buy_in_max, now, table.invitation)
        except Refused:
            # A person was quicker, or the house has no play money left for bots.
            return


def _free(table: Table, seats: Sequence[Seat]) -> list[int]:
    taken = {seat.number for seat in seats}
    return [number for number in range(1, table.places + 1) if number not in taken]


def _bots_wanted(table: Table, seats: Sequence[Seat], now: datetime) -> int:
    """How many bots are to be invited; none to a table that closes."""
    if table.status != Table.Status.OPEN or not _free(table, seats):
        return 0
    bots = sum(1 for seat in seats if seat.player.is_bot)
    return max(0, format_of(table).wants_bots(seats, now) - bots)


def _idle_bot(table: Table) -> Player | None:
    """A bot that does not sit at this table, preferably one that sits nowhere."""
    seated = Seat.objects.filter(left_at__isnull=True)
    bots = get_user_model().objects.filter(is_bot=True, is_active=True)
    here = bots.exclude(pk__in=seated.filter(table=table).values("player"))
    return here.exclude(pk__in=seated.values("player")).first() or here.first()
