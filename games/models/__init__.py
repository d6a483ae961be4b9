"""What the house keeps of its tables: who sits where, which shoe lies there, what was played.

A hand is its shoe and its moves; no state of a hand is stored. What stands beside them in a row
(who may act until when, results by seat) is derived, and can be made again by replay.
"""

from games.models.common import game_choices, new_token, seat_reference
from games.models.hands import Hand, HandSeat, Move, SharedHand
from games.models.published import ChainEntry, Day, DayResult
from games.models.shoes import Shoe, ShoeSeat
from games.models.tables import Seat, Table
from wallets.holders import player_reference

__all__ = [
    "ChainEntry",
    "Day",
    "DayResult",
    "Hand",
    "HandSeat",
    "Move",
    "Seat",
    "SharedHand",
    "Shoe",
    "ShoeSeat",
    "Table",
    "game_choices",
    "new_token",
    "player_reference",
    "seat_reference",
]
