"""Casino hold'em players: each bets the least on one box and differs in when it calls.

`best` calls where it is worth more than a fold, `rule` by points that a player can learn, `caller`
always. `bonus` plays like `best`, and places the least bonus bet. Where no box is free, or the
stack is too short for an ante and its call, a bot is done at once.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from games.bots.simulate import Bot
from games.rules.cards import Card
from games.rules.casino_holdem.calling import best_is_call, rule_is_call
from games.rules.casino_holdem.game import Call, CasinoHoldem, HoldemView, SeenBox
from games.rules.contract import Action
from games.rules.house.actions import Done
from games.rules.house.antes import BET_ANTES, Ante, Fold

Calls = Callable[[Sequence[Card], Sequence[Card]], bool]


def play(calls: Calls, with_bonus: bool, game: CasinoHoldem, view: HoldemView) -> Action:
    """One box with the least bets; then a decision on its cards and the flop."""
    own = _open_box(view)
    if view.phase == "bet":
        return Done() if own else _bet(game, view, game.bonus_min if with_bonus else 0)
    assert own is not None
    if BET_ANTES * own.ante <= _free_stack(view) and calls(own.cards, view.board):
        return Call(own.box)
    return Fold(own.box)


def house(game: CasinoHoldem, view: HoldemView) -> Action:
    """The house's move for an absent player: no bet, and a fold."""
    own = _open_box(view)
    return Done() if view.phase == "bet" or own is None else Fold(own.box)


def always(_hole: Sequence[Card], _flop: Sequence[Card]) -> bool:
    return True


def _bet(game: CasinoHoldem, view: HoldemView, bonus: int) -> Action:
    taken = [box.box for box in view.boxes]
    free = next((number for number in game.box_numbers if number not in taken), None)
    if free is None or _free_stack(view) < (1 + BET_ANTES) * game.min + bonus:
        return Done()
    return Ante(free, game.min, bonus)


def _open_box(view: HoldemView) -> SeenBox | None:
    return next((box for box in view.boxes if box.seat == view.seat and not box.blind), None)


def _free_stack(view: HoldemView) -> int:
    """The part of the reader's stack that is not on the reader's boxes."""
    stack = next(stake.stack for stake in view.stakes if stake.seat == view.seat)
    own = [box for box in view.boxes if box.seat == view.seat]
    return stack - sum([box.ante + box.bonus + box.bet for box in own])


STRATEGIES: Final[dict[str, Bot[CasinoHoldem, HoldemView]]] = {
    "best": partial(play, best_is_call, False),
    "house": house,
    "rule": partial(play, rule_is_call, False),
    "caller": partial(play, always, False),
    "bonus": partial(play, best_is_call, True),
}
QUICK: Final = ("rule",)
