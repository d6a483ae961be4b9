"""For whom the house plays: bots, players who asked it to, and players who are offline.

For a bot or a seat on auto-play the house plays the game's best strategy, after a pause like a
person's. For an offline player it does not think: it plays the game's fallback. Auto-play also
takes over, until the hand is over, where a player's time is up at a table among players.
"""

import hashlib
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from games.bots.simulate import strategies, strengths
from games.models import Move, Seat, Table
from games.rules.contract import Action, AnyGame, State
from games.words.strengths import EASY

PAUSE_LEAST: Final = timedelta(milliseconds=900)
PAUSE_SPAN_MILLISECONDS: Final = 1_400
# Added to a limit, so that the limit has passed by then.
MOMENT: Final = timedelta(milliseconds=1)
# After this long without a sign of a player, the others at the table see them as offline.
OFFLINE_AFTER: Final = timedelta(seconds=30)

# The moves that decide how much is played for.
STAKES: Final = frozenset(("call", "bet"))

log = logging.getLogger(__name__)


def is_absent(table: Table, seat: Seat, now: datetime) -> bool:
    """Whether a player has been offline for longer than the table's grace period."""
    grace = timedelta(seconds=table.grace_seconds)
    return not seat.player.is_bot and now - seat.seen_at > grace


def is_offline(seat: Seat, now: datetime) -> bool:
    """Whether a player gives no sign of being there; the house may still wait for them."""
    return not seat.player.is_bot and now - seat.seen_at > OFFLINE_AFTER


def plays_by_itself(table: Table, seat: Seat, now: datetime) -> bool:
    """Whether the house plays for a seat without waiting for its deadline."""
    return seat.player.is_bot or seat.auto_play or is_absent(table, seat, now)


def pause(table: Table, seat: Seat) -> timedelta:
    """Return how long the house takes to play for a seat: it varies, as a person's pauses do."""
    occasion = f"{table.pk} {table.hands_dealt} {table.moves_made} {seat.number}".encode()
    spread = int.from_bytes(hashlib.sha256(occasion).digest()[:2], "big") % PAUSE_SPAN_MILLISECONDS
    return PAUSE_LEAST + timedelta(milliseconds=spread)


def first_due(table: Table, seats: Iterable[Seat], now: datetime) -> datetime | None:
    """Return when the house first has to play for one of those who are to act.

    For a player who is online now, that is when they would count as absent.
    """
    began = table.turn_began_at or now
    grace = timedelta(seconds=table.grace_seconds)
    due = []
    for seat in seats:
        if str(seat.number) in table.turns:
            due.append(began + pause(table, seat))
            if not plays_by_itself(table, seat, now):
                due[-1] = max(due[-1], seat.seen_at + grace + MOMENT)
    return min(due, default=None)


def is_due(table: Table, seat: Seat, now: datetime) -> bool:
    """Whether the house plays for a seat now: it has to act, and its pause is over."""
    began = table.turn_began_at or now
    return (
        str(seat.number) in table.turns
        and plays_by_itself(table, seat, now)
        and began + pause(table, seat) <= now
    )


def take_over(game: AnyGame, state: State, seat: Seat) -> Action:
    """Let auto-play finish the hand of a player whose time is up, and return its first move.

    It raises no stake for one who is not there: a bid or a bet is the least that the rules name.
    """
    seat.auto_play, seat.time_bank = True, 0
    seat.save(update_fields=["auto_play", "time_bank"])
    least = game.fallback(state, seat.number)
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

    The table is locked, so no bot thinks here: a strong bot has done so before (`thinking.py`), and
    otherwise plays as a steady one.
    """
    if seat.player.is_bot or seat.auto_play:
        try:
            easy = seat.player.is_bot and seat.player.strength == EASY
            name = strengths(game.key).get(EASY, "best") if easy else "best"
            return strategies(game)[name](game, game.view(state, seat.number)), Move.By.BOT
        except Exception:
            # Without a deadline, the table would wait for this seat forever.
            log.exception("the house found no move for %s", seat)
    return game.fallback(state, seat.number), Move.By.TIMEOUT
