"""Taking bets back before the betting ends; a player keeps their place on a box."""

from collections.abc import Callable

from msgspec.structs import replace

from games.rules.blackjack import refusals
from games.rules.blackjack.state import (
    BlackjackState,
    Box,
    box_numbered,
    changed,
    player_on,
    with_box,
)
from games.rules.contract import Choice, Choices, Party, Seat
from games.rules.house.actions import Remove
from games.rules.house.betting import left_after


def removable(boxes: tuple[Box, ...], seat: Party) -> Choices:
    """The boxes that a seat can take its bets back from."""
    return tuple([Choice("remove", box=box.number) for box in boxes if player_on(box, seat)])


def without_bet(
    state: BlackjackState, seat: Seat, action: Remove, require_bet: Callable[[int, int], None]
) -> BlackjackState:
    """The state without what a seat takes back; what is left of its bet keeps to the limits."""
    box = box_numbered(state.boxes, action.box)
    mine = player_on(box, seat)
    if box is None or mine is None:
        raise refusals.no_bet_on(action.box)
    whole = not action.amount and not action.bonus
    bet = left_after(mine.bet, mine.bet if whole else action.amount)
    bonus = left_after(mine.bonus, action.bonus)
    if bet:
        require_bet(bet, bonus)
        boxes = with_box(state.boxes, changed(box, seat, bet=bet, bonus=bonus))
    else:
        boxes = _without_player(state.boxes, box, seat)
    has_bonus = any(player.bonus for one in boxes for player in one.players)
    return replace(state, boxes=boxes, has_bonus=has_bonus)


def _without_player(boxes: tuple[Box, ...], box: Box, seat: Party) -> tuple[Box, ...]:
    """The boxes without a player on one of them; a box without players is no more."""
    players = tuple([player for player in box.players if player.seat != seat])
    if players:
        return with_box(boxes, Box(box.number, players))
    return tuple([other for other in boxes if other is not box])
