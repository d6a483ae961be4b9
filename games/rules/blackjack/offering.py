"""Insurance by the third edition: against an ace each seat is asked once, about all its boxes.

A seat answers box by box, in any order, and declines what is left; when it has answered for every
box that can be insured or has a blackjack, nothing is left to decline. The boxes are played when
all seats have answered.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from games.rules.blackjack import dealing, refusals
from games.rules.blackjack.actions import Decline, EvenMoney, Insure
from games.rules.blackjack.state import (
    BlackjackState,
    Box,
    Player,
    box_numbered,
    changed,
    place_of,
    player_on,
    with_box,
)
from games.rules.contract import Choice, Party, Seat

# The least and the most that insures a bet.
Bounds = Callable[[int], tuple[int, int]]


def offered(state: BlackjackState, bounds: Bounds, free: Callable[[Seat], int]) -> BlackjackState:
    """The state in which all are asked who can insure a box, or have a blackjack."""
    seats = sorted({player.seat for box in state.boxes for player in box.players})
    waiting = (seat for seat in seats if offers(state, seat, bounds, free(seat)))
    return dealing.offer(state, tuple(waiting))


def offers(state: BlackjackState, seat: Party, bounds: Bounds, free: int) -> tuple[Choice, ...]:
    """Return the offers that a seat can still answer: insurance on its boxes, even money."""
    choices: list[Choice] = []
    for box in state.boxes:
        player = player_on(box, seat)
        if player is None or player.even_money or player.insurance:
            continue
        choices += insurable(box.number, player, bounds, free)
        if box.hands[0].ended == "blackjack":
            choices.append(Choice("even_money", box.number))
    return tuple(choices)


def insurable(number: int, player: Player, bounds: Bounds, free: int) -> list[Choice]:
    """Insurance for a player's bet on a box, where they have none and their stack allows it."""
    least, most = bounds(player.bet)
    most = min(most, free)
    if player.insurance or least > most:
        return []
    return [Choice("insure", number, least=least, most=most)]


def insured(state: BlackjackState, seat: Seat, amount: int, bounds: Bounds) -> Box:
    """The box that is played with a player's bet insured; refused where it cannot be."""
    refusals.require_offer(state)
    player = state.box.players[place_of(state.box, seat)]
    refusals.require_insurance(amount, player.insurance, *bounds(player.bet))
    return changed(state.box, seat, insurance=amount)


def answered(
    state: BlackjackState, seat: Seat, action: Any, bounds: Bounds, free: int
) -> BlackjackState:
    """The state after an answer; the stack is known to allow it."""
    if type(action) is Decline:
        return dealing.offer_answered(state, seat)
    if type(action) not in (Insure, EvenMoney):
        raise refusals.offer_first()
    box = box_numbered(state.boxes, action.box)
    player = player_on(box, seat)
    if box is None or player is None:
        raise refusals.no_bet_on(action.box)
    if type(action) is Insure:
        refusals.require_uninsured(player)
        refusals.require_insurance(action.amount, 0, *bounds(player.bet))
        after_box = changed(box, seat, insurance=action.amount)
        free -= action.amount
    else:
        refusals.require_blackjack(box.hands[0])
        refusals.require_uninsured(player)
        after_box = changed(box, seat, even_money=True)
    after = replace(state, boxes=with_box(state.boxes, after_box))
    return after if offers(after, seat, bounds, free) else dealing.offer_answered(after, seat)
