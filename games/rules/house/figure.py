"""A figure of a game against the house, such as the edge of a bet.

Nothing of it is money that moves, so figures may be floats.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

MAIN: Final = "main"
# Gets the number of finished steps, and may stop the work.
Progress = Callable[[int], None]


class Figure(Struct, frozen=True):
    """One figure: `key` is the bet, or what is averaged; no error means that it is exact."""

    key: str
    mean: float
    error: float | None = None
    samples: int = 0
