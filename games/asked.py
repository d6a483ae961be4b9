"""What somebody asks of the history."""

from datetime import UTC, date, datetime, time
from typing import NamedTuple


class Search(NamedTuple):
    """Which hands are asked for; nothing of it has to be said."""

    game: str = ""
    table: int | None = None
    currency: str = ""
    first_day: date | None = None
    last_day: date | None = None
    # won, lost, even or void.
    result: str = ""
    # Hands in which as much was won or lost, in minor units by currency.
    least: dict[str, int] | None = None
    code: str = ""
    player_id: int | None = None


def start_of(day: date) -> datetime:
    """Days are those of UTC, as the house closes them."""
    return datetime.combine(day, time(), UTC)
