"""The actions of blackjack; a box has a number from 1, and its hands one from 0."""

from typing import Annotated

from msgspec import Meta

from games.rules.contract import Action
from wallets.values import AMOUNT_MAX

BOXES: int = 7
HANDS: int = 4

BoxNumber = Annotated[int, Meta(ge=1, le=BOXES)]
HandNumber = Annotated[int, Meta(ge=0, lt=HANDS)]
Chips = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]


class Bet(Action, frozen=True):
    """Chips on a box and on its bonus, each added to what the seat has there."""

    box: BoxNumber
    amount: Chips
    bonus: Chips = 0


class Hit(Action, frozen=True):
    """One card more."""

    box: BoxNumber
    hand: HandNumber


class Stand(Action, frozen=True):
    """No more cards; where insurance or even money is offered, neither."""

    box: BoxNumber
    hand: HandNumber


class Double(Action, frozen=True):
    """An equal stake more, and one last card."""

    box: BoxNumber
    hand: HandNumber


class Split(Action, frozen=True):
    """Two cards of equal points become two hands, at an equal stake."""

    box: BoxNumber
    hand: HandNumber


class Surrender(Action, frozen=True):
    """The hand is given up for half of its stake."""

    box: BoxNumber


class Insure(Action, frozen=True):
    """An amount on the dealer's blackjack."""

    box: BoxNumber
    amount: Annotated[int, Meta(ge=1, le=AMOUNT_MAX)]


class Decline(Action, frozen=True):
    """No insurance, or no more of it: the answer for all boxes of a seat."""


class EvenMoney(Action, frozen=True, tag="even_money"):
    """A blackjack is paid 1:1 at once."""

    box: BoxNumber


class Follow(Action, frozen=True):
    """A guest adds an equal stake to the controller's double or split, or does not."""

    box: BoxNumber
    yes: bool
