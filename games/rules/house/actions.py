"""The actions of seats and the house in every game against the house; the betting of a round."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from games.rules.contract import HOUSE, SEAT_MAX, Action, Amount, Party, Seat, SeatStack, State
from games.rules.errors import Illegal
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


# A seat bets, and takes bets back, as often as it likes until it is done. The betting ends when
# the house closes it or when every seat is done, and after that nothing is added, moved or taken.
# Each kind of bet has a least and a most, and a seat can never commit more than its stack:
# everything it has bet in the round counts, and so does what the next move would add.


class HouseState(State, frozen=True, kw_only=True):
    """A round against the house; `phase` is `bet` first and `over` last."""

    phase: str = "bet"
    done: tuple[Seat, ...] = ()


def stack_of(stakes: Sequence[SeatStack], seat: Party) -> int:
    for stake in stakes:
        if stake.seat == seat:
            return stake.stack
    raise AssertionError("asked for the stack of a seat that is not in the round")


def topped_up(stakes: Sequence[SeatStack], seat: Seat, amount: int) -> tuple[SeatStack, ...]:
    """The stacks with an amount added to that of a seat."""
    if all(stake.seat != seat for stake in stakes):
        raise Illegal("not_seated", "Seat {seat} takes no part in this hand.", seat=seat)
    return tuple(
        [SeatStack(seat, stake.stack + amount) if stake.seat == seat else stake for stake in stakes]
    )


def still_betting(state: HouseState) -> frozenset[Party]:
    """The seats that may yet bet, and the house, which may close."""
    done = state.done
    return frozenset([HOUSE, *[stake.seat for stake in state.stakes if stake.seat not in done]])


def require_betting(state: HouseState, seat: Party) -> SeatStack:
    """The seat; refused are the house, a stranger, a seat that is done, and any after the close."""
    if state.phase != "bet" or seat in state.done:
        raise Illegal("no_more_bets", "No more bets.")
    for stake in state.stakes:
        if stake.seat == seat:
            return stake
    if seat == HOUSE:
        raise Illegal("house_bets_not", "The house does not bet.")
    raise Illegal("not_seated", "Seat {seat} takes no part in this hand.", seat=seat)


def require_free(free: int, added: int) -> None:
    """Refuse a move that adds more than is free in the stack."""
    if added > free:
        raise Illegal(
            "above_purse",
            "That needs {added}, but only {left} of your stack is free.",
            added=added,
            left=free,
        )


def require_limits(total: int, least: int, most: int) -> None:
    """Refuse a bet whose sum with the addition is outside its limits."""
    if total < least:
        raise Illegal("bet_too_small", "The smallest bet is {least}.", least=least)
    if total > most:
        raise Illegal("bet_too_large", "The largest bet is {most}.", most=most)


def left_after(standing: int, removed: int) -> int:
    """What is left of a bet; refused is to take back more than there is."""
    if removed > standing:
        raise Illegal("removed_too_much", "You have bet {most} there, and no more.", most=standing)
    return standing - removed


def addition_bounds(standing: int, least: int, most: int, free: int) -> tuple[int, int] | None:
    """The least and the most that can be added to a standing bet; None where nothing can."""
    bounds = max(1, least - standing), min(most - standing, free)
    return bounds if bounds[0] <= bounds[1] else None
