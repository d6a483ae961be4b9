"""The filters of a search in the history."""

from datetime import UTC, date, datetime, time
from typing import NamedTuple

from django.db.models import Q

from games.words.families import games_of


class Search(NamedTuple):
    """Which hands to find; every filter is optional."""

    # A game or a family, as in the lobby.
    game: str = ""
    table: int | None = None
    currency: str = ""
    first_day: date | None = None
    last_day: date | None = None
    # won, lost, even or void.
    result: str = ""
    # The smallest win or loss, in minor units by currency.
    least: dict[str, int] | None = None
    code: str = ""
    player_id: int | None = None

    def about(self, currency: str = "currency_id") -> Q:
        """The filters by game, table and currency, which hands, seats and closed days share."""
        found = Q()
        if self.game:
            found &= Q(game__in=games_of(self.game))
        if self.table is not None:
            found &= Q(table_id=self.table)
        if self.currency:
            found &= Q(**{currency: self.currency})
        return found


def start_of(day: date) -> datetime:
    """The beginning of a day, in UTC like closed days."""
    return datetime.combine(day, time(), UTC)
