"""The columns read of a hand's moves and results, stored or not."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from games.models import Hand


class MoveRow(Protocol):
    """A move, as `games.models.Move` stores it."""

    hand_id: int
    number: int
    seat: int
    turn: int
    by: str
    at: datetime
    action: dict[str, object]
    sealed_action: str


class ResultRow(Protocol):
    """A seat in a hand, as `games.models.HandSeat` stores it."""

    number: int
    player_id: int
    seat_id: int


class HandRows(Protocol):
    """A hand that is over, with its rows."""

    @property
    def hand(self) -> Hand: ...

    @property
    def moves(self) -> Sequence[MoveRow]: ...

    @property
    def seats(self) -> Sequence[ResultRow]: ...
