"""The models of the games: tables and seats, shoes, hands and moves, and published entries.

A hand is stored as its shoe and its moves, without a state. Further columns (who may act until
when, results by seat) are derived and can be computed again by replay.
"""

from games.models.common import game_choices, new_token, seat_reference
from games.models.hands import Hand, HandSeat, HeldCards, Move, SharedHand
from games.models.profiles import Profile, ProfileVersion, Reckoning, TableRules
from games.models.published import (
    Anchor,
    AnchoredBook,
    ChainEntry,
    Day,
    DayResult,
    WitnessedAnchor,
    shoe_of,
)
from games.models.shoes import Shoe, ShoeSeat
from games.models.tables import Seat, Table
from wallets.models.holders import player_reference

__all__ = [
    "Anchor",
    "AnchoredBook",
    "ChainEntry",
    "Day",
    "DayResult",
    "Hand",
    "HandSeat",
    "HeldCards",
    "Move",
    "Profile",
    "ProfileVersion",
    "Reckoning",
    "Seat",
    "SharedHand",
    "Shoe",
    "ShoeSeat",
    "Table",
    "TableRules",
    "WitnessedAnchor",
    "game_choices",
    "new_token",
    "player_reference",
    "seat_reference",
    "shoe_of",
]
