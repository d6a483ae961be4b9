"""The actions of a seat in Dou Dizhu."""

from typing import Annotated

from msgspec import Meta

from games.rules.cards import Card
from games.rules.contract import Action
from games.rules.doudizhu.combinations import PLAY_SIZE_MAX

CALL_MAX = 3


class Call(Action, frozen=True):
    """A bid; no points are no call."""

    points: Annotated[int, Meta(ge=0, le=CALL_MAX)]


class Play(Action, frozen=True):
    """Cards that lead, or that beat the last play."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=PLAY_SIZE_MAX)]


class Pass(Action, frozen=True):
    """Do not beat the last play."""
