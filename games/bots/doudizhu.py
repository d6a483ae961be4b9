"""Players of Dou Dizhu.

`best` bids by what its hand would cost to play out, counts the cards that are out of sight, and
chooses the play that leaves the least to pay. As a farmer it leaves the lead to its partner where
that is as good, feeds a partner who is nearly out, and stands in the way of the landlord. `thinker`
deals the hidden cards in many ways and plays its best choices out. `greedy` beats whatever it can
with the lowest cards, `legal` plays anything, and `house` as the house does for the absent.
"""

import hashlib
from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import json

from games.rules.contract import Action
from games.rules.doudizhu.actions import Call, Pass, Play
from games.rules.doudizhu.combinations import Reading, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import Hint, Planner
from games.rules.doudizhu.outlook import EVERYTHING, Outlook
from games.rules.doudizhu.paying import BOMBS
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import RankSet, pick, rank_set
from games.rules.doudizhu.view import DoudizhuView

# The most that a hand may cost, in leads, to call so many points on it.
CALL_COSTS: Final = ((3, 1.6), (2, 2.1), (1, 2.6))
# What it costs to lose the lead to an opponent who may go out, and to one who is close to it.
OUT_COST: Final = 2.0
CLOSE_COST: Final = 1.0
CLOSE_CARDS: Final = 6
# What the partner's lead is worth beside the own, and what feeding a partner's last card gains.
PARTNER_LEAD: Final = 0.8
FEEDING: Final = 1.5
# What leaving an opponent's play to the partner who acts next makes of its cost.
LEFT_TO_PARTNER: Final = 0.5


class Position(NamedTuple):
    """What the seat to act knows of the play, in rank sets and hand sizes."""

    hand: RankSet
    unseen: RankSet
    other: Reading | None
    other_is_partner: bool
    opponents: tuple[int, ...]  # how many cards each of them holds
    partner: int | None  # how many the partner holds
    partner_next: bool


def position(view: DoudizhuView) -> Position:
    """The position of the seat that looks, which is to play."""
    hand = rank_set(view.hand)
    played = sum(rank_set(turn.cards) for turn in view.turns)
    seats = [stake.seat for stake in view.stakes]
    at = seats.index(view.seat or 0)
    after = [seats[(at + 1) % 3], seats[(at + 2) % 3]]
    partners = [] if view.seat == view.landlord else [s for s in after if s != view.landlord]
    return Position(
        hand=hand,
        unseen=EVERYTHING - hand - played,
        other=view.to_beat.reading if view.to_beat else None,
        other_is_partner=view.to_beat is not None and view.to_beat.seat in partners,
        opponents=tuple(view.cards_left[seat] for seat in after if seat not in partners),
        partner=view.cards_left[partners[0]] if partners else None,
        partner_next=after[0] in partners,
    )


def planner_for(now: Position, game: Doudizhu) -> Planner:
    facing = sum(now.opponents)
    share = facing / (facing + (now.partner or 0))
    return Planner(Outlook(now.unseen, max(now.opponents), share), game.wings)


def choose(now: Position, planner: Planner) -> RankSet:
    """What to play; nothing is a pass."""
    ranked = rank_choices(now, planner)
    return ranked[0][1]


def rank_choices(now: Position, planner: Planner) -> list[tuple[float, RankSet]]:
    """Every choice worth a thought with its cost, the best first; a certain way out alone."""
    certain = _certain(now, planner)
    if certain is not None:
        return [(0.0, certain)]
    choices = [(_cost(now, hint), hint.ranks) for hint in planner.hints(now.hand, now.other)]
    if now.other is not None:
        choices.append((_pass_cost(now, planner, now.other), 0))
    return sorted(choices)


def _certain(now: Position, planner: Planner) -> RankSet | None:
    """A play that wins however the cards lie, if one is found."""
    if now.other is None:
        return planner.certain_lead(now.hand)
    for hint in planner.hints(now.hand, now.other):
        rest = now.hand - hint.ranks
        if not rest or (planner.is_sure(hint.reading) and planner.certain_lead(rest) is not None):
            return hint.ranks
    return None


def _cost(now: Position, hint: Hint) -> float:
    size = hint.reading.size
    cost = hint.worth + (1 - hint.standing) * _danger(now, size)
    if now.partner == 1 and size == 1 and now.other is None:
        cost -= FEEDING * (1 - hint.reading.place / 14)
    return cost


def _danger(now: Position, size: int) -> float:
    """What an opponent may make of the lead, having beaten a play of this size."""
    danger = 0.0
    for left in now.opponents:
        if left == size:
            danger += OUT_COST
        elif size < left <= CLOSE_CARDS:
            danger += CLOSE_COST / (left - size)
    return danger


def _pass_cost(now: Position, planner: Planner, other: Reading) -> float:
    """What it costs to let the play on the table stand."""
    cost = planner.split(now.hand).cost
    if now.other_is_partner:
        # The landlord has passed already, unless it is the one to act next.
        standing = 1.0 if now.partner_next else planner.standing(other)
        return cost - PARTNER_LEAD * standing
    left = min(now.opponents)
    threat = OUT_COST / left if left <= CLOSE_CARDS else 0.0
    return cost + threat * (LEFT_TO_PARTNER if now.partner_next else 1.0)


def call(game: Doudizhu, view: DoudizhuView) -> Action:
    """Bid by what the hand would cost to play out."""
    hand = rank_set(view.hand)
    cost = Planner(Outlook(EVERYTHING - hand), game.wings).split(hand).cost
    points = next((points for points, most in CALL_COSTS if cost <= most), 0)
    highest = max((bid.points for bid in view.bids), default=0)
    return Call(points if points > highest else 0)


def best(game: Doudizhu, view: DoudizhuView) -> Action:
    if view.phase == "call":
        return call(game, view)
    now = position(view)
    return play(view, choose(now, planner_for(now, game)))


def play(view: DoudizhuView, ranks: RankSet) -> Action:
    return Play(pick(view.hand, ranks)) if ranks else Pass()


def greedy(game: Doudizhu, view: DoudizhuView) -> Action:
    """The lowest play, without a bomb if it can; never a pass when it can beat."""
    if view.phase == "call":
        return call(game, view)
    now = position(view)
    plays = _plays(game, now)
    return play(view, min(plays, key=_spending, default=0))


def _spending(ranks: RankSet) -> tuple[bool, RankSet]:
    """Bombs last; among others a rank set is a higher number the higher its highest card."""
    return readings(ranks)[0].kind in BOMBS, ranks


def legal(game: Doudizhu, view: DoudizhuView) -> Action:
    """Anything that is allowed, as the hash of the view says."""
    chance = int.from_bytes(hashlib.sha256(json.encode(view)).digest(), "big")
    if view.phase == "call":
        highest = max((bid.points for bid in view.bids), default=0)
        open_calls = [0, *range(highest + 1, 4)]
        return Call(open_calls[chance % len(open_calls)])
    now = position(view)
    plays = _plays(game, now)
    if now.other is not None:
        plays.append(0)
    return play(view, plays[chance % len(plays)])


def house(_game: Doudizhu, view: DoudizhuView) -> Action:
    """What the house plays for one who is not there."""
    if view.phase == "call":
        return Call(0)
    return Play(view.hand[:1]) if view.to_beat is None else Pass()


def _plays(game: Doudizhu, now: Position) -> list[RankSet]:
    if now.other is None:
        return leads(now.hand, game.wings)
    return follows(now.hand, now.other, game.wings)


Strategy = Callable[[Doudizhu, DoudizhuView], Action]
STRATEGIES: Final[dict[str, Strategy]] = {
    "best": best,
    "greedy": greedy,
    "legal": legal,
    "house": house,
}
