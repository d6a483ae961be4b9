"""For whom the house plays: bots, players who asked it to, and players who are not there.

For a bot or a seat on auto-play the house plays the game's best strategy, after a pause like a
person's. It does the same at once for a player who has closed the page, if others wait at a cash
table; if none waits, and at a tournament, when the grace period is over. Such a player makes the
next decision after coming back. Auto-play also takes over, until the hand is over, where a player's
time is up at a table among players. It raises no stake for one who is not there.

A strong bot's move is found while its table is not locked: that takes up to a second of one core,
and no other player may have to wait for it. The clock therefore lets go of the table, asks here,
and locks it again. The thought is of one moment of one hand; if the table has moved on, it is
dropped, and the bot plays without it.
"""

import hashlib
import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from games.bots.simulate import strategies, strengths
from games.models import Move, Seat, Table
from games.models.prepared import Update
from games.rules.catalogue import against_house
from games.rules.contract import Action, AnyGame, State
from games.tables.formats import format_of
from games.tables.table_cache import cached_hand
from games.words.players import EASY, STRONG

PAUSE_LEAST: Final = timedelta(milliseconds=900)
PAUSE_SPAN_MILLISECONDS: Final = 1_400
# Where only bots and absent players are left in a hand, and a player waits for its end.
PAUSE_ALONE: Final = timedelta(milliseconds=100)
# Added to a limit, so that the limit has passed by then.
MOMENT: Final = timedelta(milliseconds=1)
# How long the house waits for a player who has closed the last page, or has sent a request and has
# no page open. A request may take two seconds to be stored.
CLOSED_AFTER: Final = timedelta(seconds=10)
REQUEST_COUNTS: Final = CLOSED_AFTER + timedelta(seconds=2)
# How long an open stream counts: a process that is slow, or restarts, reports it later than usual.
STREAM_COUNTS: Final = timedelta(seconds=30)

# The columns of a seat that say when its player was there.
SIGNS: Final = ("seen_at", "here_until")

# The moves that decide how much is played for.
WRITE_TAKEN_OVER: Final = Update(Seat, ("auto_play", "time_bank"))
STAKES: Final = frozenset(("call", "bet"))

log = logging.getLogger(__name__)


def is_absent(table: Table, seat: Seat, now: datetime) -> bool:
    """Whether a player has been offline for longer than the table's grace period."""
    grace = timedelta(seconds=table.grace_seconds)
    return not seat.player.is_bot and now - seat.seen_at > grace


def note_here(seat: Seat, now: datetime) -> None:
    """Note at a seat, in memory, that its player has just sent a request."""
    seat.seen_at = now
    seat.here_until = max(seat.here_until or now, now + REQUEST_COUNTS)


def has_left(seat: Seat, now: datetime) -> bool:
    """Whether a player has no page of the house open; the house may still wait for them."""
    return not seat.player.is_bot and _is_gone(seat, now)


def _is_gone(seat: Seat, now: datetime) -> bool:
    """Whether a seat's player has gone; at a reserved seat, the player who waits for it."""
    return seat.here_until is not None and now > seat.here_until


def others_wait(table: Table, seat: Seat, seats: Collection[Seat], now: datetime) -> bool:
    """Whether a player who is there waits for this seat, in the hand or for the next."""
    return format_of(table).plays_for_closed_pages and any(
        not _is_gone(other, now)
        and (
            other.reserved_for_id is not None
            if other.player.is_bot
            else other.number != seat.number and not other.sits_out
        )
        for other in seats
    )


def plays_by_itself(table: Table, seat: Seat, seats: Collection[Seat], now: datetime) -> bool:
    """Whether the house plays for one of these seats without waiting for its deadline."""
    return (
        seat.player.is_bot
        or seat.auto_play
        or is_absent(table, seat, now)
        or (has_left(seat, now) and others_wait(table, seat, seats, now))
    )


def pause(table: Table, seat: Seat, seats: Collection[Seat], now: datetime) -> timedelta:
    """Return how long the house takes to play for a seat: it varies, as a person's pauses do."""
    is_alone = all(taken_seat.player.is_bot or has_left(taken_seat, now) for taken_seat in seats)
    if is_alone and others_wait(table, seat, seats, now):
        return PAUSE_ALONE
    occasion = f"{table.pk} {table.hands_dealt} {table.moves_made} {seat.number}".encode()
    spread = int.from_bytes(hashlib.sha256(occasion).digest()[:2], "big") % PAUSE_SPAN_MILLISECONDS
    return PAUSE_LEAST + timedelta(milliseconds=spread)


def first_due(table: Table, seats: Collection[Seat], now: datetime) -> datetime | None:
    """Return when the house first has to play for one of those who are to act.

    For a player who is there now, that is when the house would stop waiting.
    """
    began = table.turn_began_at or now
    due = []
    for seat in seats:
        if str(seat.number) in table.turns:
            due.append(began + pause(table, seat, seats, now))
            if not plays_by_itself(table, seat, seats, now):
                due[-1] = max(due[-1], _waited_until(table, seat, seats, now) + MOMENT)
    return min(due, default=None)


def _waited_until(table: Table, seat: Seat, seats: Collection[Seat], now: datetime) -> datetime:
    """Return until when the house waits for a player who gives no further sign."""
    until = seat.seen_at + timedelta(seconds=table.grace_seconds)
    if seat.here_until is None or not others_wait(table, seat, seats, now):
        return until
    return min(until, seat.here_until)


def is_due(table: Table, seat: Seat, seats: Collection[Seat], now: datetime) -> bool:
    """Whether the house plays for a seat now: it has to act, and its pause is over."""
    began = table.turn_began_at or now
    return (
        str(seat.number) in table.turns
        and plays_by_itself(table, seat, seats, now)
        and began + pause(table, seat, seats, now) <= now
    )


def take_over(game: AnyGame, state: State, seat: Seat) -> Action:
    """Let auto-play finish the hand of a player whose time is up, and return its first move."""
    seat.auto_play, seat.time_bank = True, 0
    WRITE_TAKEN_OVER(seat)
    return _stand_in(game, state, seat)


def _stand_in(game: AnyGame, state: State, seat: Seat) -> Action:
    """The best move that raises no stake: a bid or a bet is the least that the rules name."""
    least: Action = game.fallback(state, seat.number)
    if least.__struct_config__.tag in STAKES:
        return least
    try:
        best: Action = strategies(game)["best"](game, game.view(state, seat.number))
    except Exception:
        log.exception("the house found no move for %s", seat)
        return least
    return best


def decide(
    game: AnyGame, state: State, table: Table, seat: Seat, now: datetime
) -> tuple[Action, Move.By]:
    """Return the house's action for a seat, from nothing but that seat's view.

    The table is locked, so no bot thinks here: a strong bot has done so before (`think`), and
    otherwise plays as a steady one.
    """
    if seat.player.is_bot or seat.auto_play:
        try:
            easy = seat.player.is_bot and seat.player.strength == EASY
            name = strengths(game.key).get(EASY, "best") if easy else "best"
            return strategies(game)[name](game, game.view(state, seat.number)), Move.By.BOT
        except Exception:
            # Without a deadline, the table would wait for this seat forever. No bot has made the
            # move, and a player who is there has missed no turn.
            log.exception("the house found no move for %s", seat)
            by = Move.By.TIMEOUT if is_absent(table, seat, now) else Move.By.HOUSE
            return game.fallback(state, seat.number), by
    # The move of a player who has just left is made at once, and is no missed turn.
    by = Move.By.TIMEOUT if is_absent(table, seat, now) else Move.By.BOT
    if against_house(table.game) or not format_of(table).plays_for_closed_pages:
        return game.fallback(state, seat.number), by
    return _stand_in(game, state, seat), by


class Moment(NamedTuple):
    """One seat's turn in a hand after so many moves."""

    hand: int | None
    moves_made: int
    seat: int


class Thought(NamedTuple):
    """The bot's play at that moment."""

    moment: Moment
    action: Action


def moment_of(table: Table, seat: Seat) -> Moment:
    return Moment(table.hand_id, table.moves_made, seat.number)


def is_to_think(table: Table, seats: Collection[Seat], now: datetime) -> bool:
    """Whether a strong bot has to act and its pause is over."""
    return STRONG in strengths(table.game) and _thinker(table, seats, now) is not None


def _thinker(table: Table, seats: Collection[Seat], now: datetime) -> Seat | None:
    strong = (seat for seat in seats if seat.player.is_bot and seat.player.strength == STRONG)
    return next((seat for seat in strong if is_due(table, seat, seats, now)), None)


def think(table: Table, seats: Collection[Seat], now: datetime) -> Thought | None:
    """The move of a strong bot whose pause is over; the rows need not be locked."""
    strategy, seat = strengths(table.game).get(STRONG), _thinker(table, seats, now)
    if strategy is None or seat is None:
        return None
    live = cached_hand(table)
    try:
        view = live.game.view(live.after(table.moves_made).state, seat.number)
        return Thought(moment_of(table, seat), strategies(live.game)[strategy](live.game, view))
    except Exception:
        # The bot then plays as a steady one does.
        log.exception("%s could not think", seat)
        return None
