"""The betting of a round: when it ends, and what a bet must keep to.

A seat bets, and takes bets back, as often as it likes until it is done. The betting ends when the
house closes it or when every seat is done, and after that nothing is added, moved or taken. Each
kind of bet has a least and a most, and a seat can never commit more than its stack: everything it
has bet in the round counts, and so does what the next move would add.
"""

from collections.abc import Sequence

from games.rules.contract import HOUSE, Party, Seat, SeatStack, State
from games.rules.errors import Illegal


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
