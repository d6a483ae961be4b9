"""The actions of a seat in a thirteen-card game."""

from typing import Annotated, Literal

from msgspec import Meta

from games.rules.cards import Card
from games.rules.contract import Action, Amount
from games.rules.thirteen.naturals import Natural

Direction = Literal["clockwise", "anticlockwise", "opposite"]


class Bet(Action, frozen=True):
    """A punter's stake per unit, placed before the deal."""

    amount: Amount


class Exchange(Action, frozen=True):
    """The banker's order: how often everyone passes three cards on, and which way."""

    rounds: Annotated[int, Meta(ge=0, le=2)]
    direction: Direction = "clockwise"


class Give(Action, frozen=True):
    """The three cards a seat passes on in an exchange."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=3, max_length=3)]


class Arrange(Action, frozen=True):
    """A seat's final rows; with a natural declared they may be left empty."""

    front: Annotated[tuple[Card, ...], Meta(max_length=3)] = ()
    middle: Annotated[tuple[Card, ...], Meta(max_length=5)] = ()
    back: Annotated[tuple[Card, ...], Meta(max_length=5)] = ()
    declare: Natural | None = None

    @property
    def rows(self) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
        return self.front, self.middle, self.back
