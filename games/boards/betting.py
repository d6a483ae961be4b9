"""The spots that a viewer bets on with chips: the bets there, and the limits of further ones.

A page puts bets together at its spots and sends them when the player says so, by the same action as
the plain forms. This module provides what the page needs for that: the limits of each spot, the
rest of the stack, and the player's bets in the last round. The server still checks what is sent.
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from games.boards.chips import rack
from games.boards.family import family_of
from games.boards.spots import Box, Felt, Spot
from games.boards.table_view import TableView
from games.models import Seat, Table
from games.rules.catalogue import against_house
from games.rules.contract import Choices, View
from games.rules.house.antes import BET_ANTES
from games.rules.house.betting import stack_of
from games.tables.formats import format_of
from games.tables.jackpots import game_at
from games.tables.live_hands import live_hand
from games.tables.next_bets import first_state
from games.tables.ready import last_bets


class Betting(NamedTuple):
    """All that can be bet on, chips to do it with, and what was bet last: spots and amounts."""

    spots: dict[str, Spot]
    boxes: tuple[Box, ...]
    chips: tuple[int, ...]
    free: int
    # The cost of a blind box, in antes.
    blind_cost: int
    last: tuple[tuple[str, int], ...]
    # The number of the hand after which the bets are placed; None while a round takes them.
    after: int | None = None

    @property
    def last_as_json(self) -> str:
        """The last bets for a script to read."""
        return json.dumps(self.last)

    @property
    def is_ahead(self) -> bool:
        return self.after is not None

    @property
    def standing(self) -> int:
        return sum(spot.standing for spot in self.spots.values())


def betting(
    game: Any, view: View, choices: Choices, table: Table, seat: Seat | None
) -> Betting | None:
    """Return what a viewer can bet on; None while they cannot bet at all."""
    if seat is None or not any(choice.do == "done" for choice in choices):
        return None
    live, family = live_hand(table), family_of(game)
    winnings = live.once("winnings", lambda: family.bet_winnings(game))
    felt = Felt(game, table.currency, choices, winnings)
    last = live.once(("last bets", seat.code), lambda: _last_bets(seat))
    return _betting(felt, view, last)


def betting_ahead(snapshot: TableView) -> Betting | None:
    """Return what the viewer can bet on in the next round.

    They can while the last result still lies there, or while a round runs without them.
    """
    table, seat = snapshot.table, snapshot.mine
    if seat is None or not against_house(table.game) or not _may_bet_ahead(snapshot):
        return None
    game = game_at(table)
    state = first_state(game, seat.number, format_of(table).funds(seat))
    choices, view = game.choices(state, seat.number), game.view(state, seat.number)
    felt = Felt(game, table.currency, choices, family_of(game).bet_winnings(game))
    offered = _betting(felt, view, _last_bets(seat))
    return offered and offered._replace(after=table.hands_dealt)


def _may_bet_ahead(snapshot: TableView) -> bool:
    """Whether the viewer waits for the next round and will be dealt in."""
    if snapshot.between is not None:
        return True
    seat, view = snapshot.mine, snapshot.view
    if seat is None or view is None or snapshot.table.hand_id is None:
        return False
    waits = snapshot.my_bet == 0 and getattr(view, "phase", "bet") != "bet"
    return waits and not (seat.sits_out or seat.leaves or snapshot.short)


def _betting(felt: Felt, view: View, last: tuple[tuple[str, int], ...]) -> Betting | None:
    offer = family_of(felt.game).bets(felt, view)
    if offer is None:
        return None
    spots = [*offer.spots, *(spot for box in offer.boxes for spot in (box.main, box.bonus) if spot)]
    assert view.seat is not None
    return Betting(
        spots={spot.key: spot for spot in spots},
        boxes=offer.boxes,
        chips=rack(felt.game.min, felt.game.max, felt.currency.exponent),
        free=stack_of(view.stakes, view.seat) - offer.standing,
        blind_cost=1 + BET_ANTES,
        last=last,
    )


def _last_bets(seat: Seat) -> tuple[tuple[str, int], ...]:
    """A seat's bets in the last round in which it bet, by spot, in the order of placing."""
    bets: dict[str, int] = {}
    for action in last_bets(seat):
        for key, amount in _placed(action):
            bets[key] = bets.get(key, 0) + amount
    return tuple(bets.items())


def _placed(action: dict[str, Any]) -> Iterable[tuple[str, int]]:
    """The spots and amounts of a bet before the deal."""
    key = action.get("on") or f"box-{action['box']}"
    if action["amount"]:
        yield key, action["amount"]
    if action.get("bonus"):
        yield f"{key}-bonus", action["bonus"]
