"""Thinking ahead in Dou Dizhu: deal the hidden cards in many ways and play the best choices out.

How the cards are dealt follows from the hash of the view, so that the same view is always answered
in the same way. In each deal everybody plays as `best` does, and sees no more than at a table.
"""

import hashlib
from typing import Final, NamedTuple

from msgspec import json

from games.bots.doudizhu_position import (
    Position,
    choose,
    planner_for,
    position,
    rank_choices,
)
from games.rules.doudizhu.combinations import Kind, Reading, Wings, first_beating, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import RankSet, count, rank_set
from games.rules.doudizhu.state import SEATS
from games.rules.doudizhu.view import DoudizhuView
from games.rules.shoe import perm

# How many choices are played out, and in how many deals: as many games as fit into a second.
CHOICES_MAX: Final = 4
DEALS: Final = 12
# A choice that costs this much more than the best one is not played out.
COST_MAX: Final = 1.5


class Layout(NamedTuple):
    """Everybody's cards in one deal; places count from the seat that thinks."""

    hands: tuple[RankSet, ...]
    landlord: int
    turn: int
    table: Reading | None  # what is to be beaten
    owner: int  # whose play that is
    doublings: int


def think(game: Doudizhu, view: DoudizhuView) -> RankSet:
    """Return the cards to play; no cards are a pass."""
    now = position(view)
    ranked = rank_choices(now, planner_for(now, game.wings))
    choices = [ranks for cost, ranks in ranked if cost <= ranked[0][0] + COST_MAX][:CHOICES_MAX]
    if len(choices) == 1:
        return choices[0]
    worth = dict.fromkeys(choices, 0)
    for layout in layouts(view, now):
        for ranks in choices:
            worth[ranks] += playout(played(layout, ranks, game.wings), game.wings)
    return max(choices, key=lambda ranks: worth[ranks])


def layouts(view: DoudizhuView, now: Position) -> list[Layout]:
    """Deals of the hidden cards that agree with the view."""
    seats = [one.seat for one in view.stakes]
    at = seats.index(view.seat or 0)
    order = [*seats[at:], *seats[:at]]
    landlord = order.index(view.landlord or 0)
    played_cards = {card for turn in view.turns for card in turn.cards}
    shown = [card for card in view.middle if landlord and card not in played_cards]
    hidden = digits_of(now.unseen - rank_set(shown))
    key = hashlib.sha256(json.encode(view)).digest()
    owner = order.index(view.to_beat.seat) if view.to_beat else 0
    deals = []
    for number in range(DEALS):
        shuffled = [hidden[place] for place in perm(key, b"deal %d" % number, len(hidden))]
        hands = [now.hand, 0, 0]
        for place in (1, 2):
            known = shown if place == landlord else []
            size = view.cards_left[order[place]] - len(known)
            hands[place] = rank_set(known) + sum(shuffled[:size])
            del shuffled[:size]
        deals.append(Layout(tuple(hands), landlord, 0, now.other, owner, 0))
    return deals


def digits_of(ranks: RankSet) -> list[RankSet]:
    """The cards one by one."""
    return [1 << 4 * at for at in range(15) for _ in range(ranks >> 4 * at & 7)]


def played(layout: Layout, ranks: RankSet, wings: Wings) -> Layout:
    """The layout after a play, or a pass."""
    turn = (layout.turn + 1) % SEATS
    if not ranks:
        table = None if turn == layout.owner else layout.table
        return layout._replace(turn=turn, table=table)
    found = readings(ranks, wings)
    reading = found[0] if layout.table is None else first_beating(found, layout.table)
    assert reading is not None
    hands = list(layout.hands)
    hands[layout.turn] -= ranks
    return layout._replace(
        hands=tuple(hands),
        turn=turn,
        table=reading,
        owner=layout.turn,
        doublings=layout.doublings + (reading.kind in (Kind.BOMB, Kind.ROCKET)),
    )


def playout(layout: Layout, wings: Wings) -> int:
    """The win of the thinking seat's side if everybody continues with `best`."""
    while all(layout.hands):
        now = seen_from(layout)
        layout = played(layout, choose(now, planner_for(now, wings)), wings)
    landlord_wins = not layout.hands[layout.landlord]
    won = landlord_wins is (layout.landlord == 0)
    return (1 if won else -1) << layout.doublings


def seen_from(layout: Layout) -> Position:
    """Return what the seat to act knows."""
    turn, landlord = layout.turn, layout.landlord
    after = [(turn + 1) % SEATS, (turn + 2) % SEATS]
    partner = next((place for place in after if landlord not in (turn, place)), None)
    left = [count(hand) for hand in layout.hands]
    return Position(
        hand=layout.hands[turn],
        unseen=layout.hands[after[0]] + layout.hands[after[1]],
        other=layout.table,
        other_is_partner=layout.table is not None and layout.owner == partner,
        opponents=tuple(left[place] for place in after if place != partner),
        partner=None if partner is None else left[partner],
        partner_next=after[0] == partner,
    )
