"""Thirteen cards in the Philippine manner.

Four players, one of them the banker; rows, prices and naturals are those of Hong Kong. After the
deal, and before anyone arranges, the banker may order one or two exchanges, or none: all players
give three cards at once and then receive three, clockwise, anticlockwise or with the opposite seat.
One direction serves both rounds, and the second gifts are chosen after the first have come.

A banker out of time orders no exchange; a seat that does not choose gives its three lowest cards.
"""

from typing import ClassVar

from games.rules.contract import Action
from games.rules.thirteen.actions import Arrange, Bet, Exchange, Give
from games.rules.thirteen.banking import HongkongManner


class ThirteenPhilippine(HongkongManner, frozen=True, kw_only=True):
    """A Philippine table: the Hong Kong manner with exchanges, always for four."""

    key: ClassVar[str] = "thirteen_philippine"
    name: ClassVar[str] = "Philippine thirteen cards"
    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Exchange, Give, Arrange)

    @property
    def has_exchanges(self) -> bool:
        return True
