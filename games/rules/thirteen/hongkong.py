"""Thirteen cards in the Hong Kong manner.

Two to four players, one of them the banker. The punters bet before the deal, and each is compared
with the banker only. Suits do not count. A-2-3-4-5 is the second-highest straight. The front must
be lower than the middle; the middle may equal the back.

A row won is one bet. Three of a kind in front earns three; in the middle a full house two, four of
a kind eight, a straight flush ten; in the back four of a kind four and a straight flush five. Equal
rows are a tie; or the banker eats ties (食夾棍): then only the category and the biggest point are
compared, and what is equal by these is the banker's.

Naturals are reported (報到) and win without a comparison. When both report, the banker pays the
punter the punter's natural. Rows out of order (倒水), and reporting what one does not hold, lose
every row at the price of the opponent's row. When both foul, nothing moves.
"""

from typing import ClassVar

from games.rules.contract import Action
from games.rules.thirteen.actions import Arrange, Bet
from games.rules.thirteen.banking import HongkongManner


class ThirteenHongkong(HongkongManner, frozen=True, kw_only=True):
    """A Hong Kong table: the manner as it is, for two to four."""

    key: ClassVar[str] = "thirteen_hongkong"
    name: ClassVar[str] = "Hong Kong thirteen cards"
    seats: ClassVar[range] = range(2, 5)
    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Arrange)
