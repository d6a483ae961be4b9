"""The actions of a seat in casino hold'em other than betting and folding."""

from games.rules.contract import Action
from games.rules.house.actions import Box


class Call(Action, frozen=True):
    """Stay in with a box for twice its ante."""

    box: Box
