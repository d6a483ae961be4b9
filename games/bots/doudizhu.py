"""Players of Dou Dizhu.

`best` bids by what its hand would cost to play out, counts the cards that it cannot see, and
chooses the play that leaves the least to pay. As a farmer it leaves the lead to its partner where
that is as good, feeds a partner who is nearly out, and blocks the landlord. `thinker` deals the
hidden cards in many ways and plays its best choices out. `greedy` beats all it can with the lowest
cards, `legal` plays anything, and `house` as the house does for the absent.
"""

import hashlib
from typing import Final

from msgspec import json

from games.bots.doudizhu_position import Position, considered, position
from games.bots.doudizhu_thinker import think
from games.bots.simulate import Bot
from games.rules.contract import Action
from games.rules.doudizhu.combinations import readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import EVERYTHING, Outlook, Planner
from games.rules.doudizhu.paying import BOMBS
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import RankSet, pick, rank_set
from games.rules.doudizhu.state import Call, DoudizhuView, Pass, Play

# The most leads that a hand may need for each call.
CALL_COSTS: Final = ((3, 2.6), (2, 3.1), (1, 3.6))


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
    return play(view, considered(now, game.wings)[0][1])


def thinker(game: Doudizhu, view: DoudizhuView) -> Action:
    return call(game, view) if view.phase == "call" else play(view, think(game, view))


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
    """The house's move for an absent player."""
    if view.phase == "call":
        return Call(0)
    return Play(view.hand[:1]) if view.to_beat is None else Pass()


def _plays(game: Doudizhu, now: Position) -> list[RankSet]:
    if now.other is None:
        return leads(now.hand, game.wings)
    return follows(now.hand, now.other, game.wings)


Strategy = Bot[Doudizhu, DoudizhuView]
STRATEGIES: Final[dict[str, Strategy]] = {
    "best": best,
    "thinker": thinker,
    "greedy": greedy,
    "legal": legal,
    "house": house,
}
QUICK: Final = ("greedy",)
# The strategy of a bot by its strength.
STRENGTHS: Final = {"easy": "greedy", "steady": "best", "strong": "thinker"}
