"""The house's moves for players who make none: absent ones, and those whose time is up."""

from datetime import datetime

from games.models import Move
from games.rules.contract import HOUSE
from games.tables import autoplay, time_bank
from games.tables.autoplay import Thought, moment_of
from games.tables.hand_in_play import HandInPlay
from games.tables.hand_state import party_of, seat_number


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
