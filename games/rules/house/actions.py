"""The actions of seats and the house in every game against the house."""

from typing import Annotated

from msgspec import Meta

from games.rules.contract import SEAT_MAX, Action, Amount, Seat
from games.rules.settlement import PoolName
from wallets.values import AMOUNT_MAX

Box = Annotated[int, Meta(ge=1, le=SEAT_MAX)]
# What is added to a bet or taken off it.
Addition = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]


class Done(Action, frozen=True):
    """The seat has finished betting; when the last seat has, the betting ends early."""


class Remove(Action, frozen=True):
    """Takes back what the seat has bet on a box, all of it unless it says how much.

    A box whose main bet is gone is given up with everything on it.
    """

    box: Box
    amount: Addition = 0
    bonus: Addition = 0


class Close(Action, frozen=True):
    """The house ends the betting: no more bets."""


class TopUp(Action, frozen=True, tag="top_up"):
    """The house adds chips to a stack, whose player has brought them before the first bet."""

    seat: Seat
    amount: Amount


class Pool(Action, frozen=True):
    """The house names the amount of a pool that has been hit.

    For the progressive jackpot it is what the pool held before the round, of which each hit pays a
    share. For the mystery prize it is the prize itself.
    """

    pool: PoolName
    amount: Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]


def is_done(action: Action) -> bool:
    """Whether a seat says with it that it will not bet any more."""
    return isinstance(action, Done)


def is_removal(action: Action) -> bool:
    """Whether a seat takes back a bet with it."""
    return action.__struct_config__.tag == Remove.__struct_config__.tag


def is_top_up(action: Action) -> bool:
    """Whether the house adds chips to a stack with it."""
    return isinstance(action, TopUp)


def pool_named(action: Action) -> PoolName | None:
    """The pool whose amount an action of the house names."""
    return action.pool if isinstance(action, Pool) else None
