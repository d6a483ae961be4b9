"""The actions of seats at Russian poker after the deal; blind boxes buy and insure before.

Folding and the antes are those of all games with an ante: `games/rules/house/antes.py`.
"""

from typing import Annotated

from msgspec import Meta

from games.rules.cards import Card
from games.rules.contract import Action, Amount
from games.rules.house.actions import Box
from games.rules.house.sides import BACKS


class Exchange(Action, frozen=True):
    """For one ante, two to five cards of the box are exchanged for as many new ones."""

    box: Box
    cards: tuple[Card, ...]


class Buy(Action, frozen=True):
    """For one ante, the box gets a sixth card."""

    box: Box


class Insure(Action, frozen=True):
    """A bet that the dealer does not qualify, beside a hand of three of a kind or better."""

    box: Box
    amount: Amount


class Bet(Action, frozen=True):
    """The box plays on, for twice its ante."""

    box: Box


class BuyDealer(Action, frozen=True, tag="buy_dealer"):
    """For one ante, this box meets the dealer with the highest card exchanged."""

    box: Box


class Pick(Action, frozen=True):
    """One of the three prizes of the lucky game, which lie face down."""

    box: Box
    place: Annotated[int, Meta(ge=1, le=BACKS)]


class Accept(Action, frozen=True):
    """The box takes 1:1 on its ante from the dealer who does not qualify."""

    box: Box
