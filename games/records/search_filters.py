"""The filters of a search in the history."""

from datetime import date
from typing import NamedTuple

from django.db.models import Q

from games.records.card_query import CardTerms
from games.words.families import games_of


class Search(NamedTuple):
    """The hands to find; every filter is optional."""

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
    # Who else played the hand.
    partners: tuple[int, ...] = ()
    # For staff alone (`auditor_filters.py`): cards, a flag, an option with its value, a profile,
    # a place in the public chain, and the address of a device.
    cards: CardTerms | None = None
    flag: str = ""
    option: tuple[str, object] | None = None
    profile: int | None = None
    chain: int | None = None
    address: str = ""

    @property
    def has_further(self) -> bool:
        """Whether it asks for what only staff search by."""
        terms = (self.cards, self.option, self.profile, self.chain)
        return any(one is not None for one in terms) or bool(
            self.flag or self.address or self.partners
        )

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
