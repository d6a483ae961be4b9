"""Looking back on a finished hand with one of its players: what would have been better, and by how
much.

Each family has a room here that goes through the decisions of the seat and knows at each of them
what the seat knew then: it is given views. The figures are the rules package's own: the odds, the
thirteen-card coach, the planner of Dou Dizhu. Only finished hands come here.
"""

from importlib import import_module
from typing import Any

from games.coaching.advice import Advice, Path
from games.hands import moves_of
from games.history import every_state
from games.models import Hand
from games.rules.catalogue import GAMES


def coach(hand: Hand, seat: int, currency: Any) -> Advice:
    """What there is to say about the decisions of a seat in a finished hand."""
    game, states = every_state(hand)
    moves = moves_of(game, hand.moves.order_by("number"))
    room = import_module(f"games.coaching.{GAMES[hand.game].family}")
    advice: Advice = room.advise(Path(game, states, moves, seat, currency))
    return advice
