"""Our calls at Dou Dizhu by themselves: who calls in one way among two that call in another.

All three play the hand with `best`, so that only the calls differ. Each deal is played from each of
the three seats, with ours among two of the others and the other way round. A deal without a call
is worth nothing.
"""

import hashlib
from collections.abc import Callable
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from games.bots.doudizhu import STRATEGIES, call
from games.bots.doudizhu_match import STAKES
from games.rules.contract import Action
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import ROCKET, TWO_PLACE, masks, rank_set
from games.rules.doudizhu.state import (
    CALL_MAX,
    DEALT,
    Call,
    DoudizhuContext,
    DoudizhuState,
    DoudizhuView,
)
from games.rules.shoe import perm

GAME: Final = Doudizhu(point=1, rake_bp=0)
Caller = Callable[[Doudizhu, DoudizhuView], Action]

# What high cards count for one who calls by them alone, and how much each call wants.
ROCKET_POINTS, BOMB_POINTS = 8, 6
HIGH_POINTS: Final = (1, 2, 3, 4)  # an ace, a 2, the black and the red joker
WANTED: Final = ((3, 9), (2, 7), (1, 5))


def by_strength(_game: Doudizhu, view: DoudizhuView) -> Action:
    """Calls by high cards and bombs, as a table of points that beginners learn has it."""
    hand = rank_set(view.hand)
    points = BOMB_POINTS * masks(hand)[3].bit_count() + ROCKET_POINTS * (hand & ROCKET == ROCKET)
    for at, worth in enumerate(HIGH_POINTS, TWO_PLACE - 1):
        held = hand >> 4 * at & 7
        counted = held < 4 and not (at > TWO_PLACE and hand & ROCKET == ROCKET)
        points += worth * held * counted
    return higher(view, next((say for say, least in WANTED if points >= least), 0))


def always(_game: Doudizhu, view: DoudizhuView) -> Action:
    return higher(view, CALL_MAX)


def higher(view: DoudizhuView, points: int) -> Action:
    highest = max((bid.points for bid in view.bids), default=0)
    return Call(points if points > highest else 0)


def measure_calls(deals: int, seed: str) -> None:
    print(f"{deals} deals of seed {seed!r} from each seat; points a deal for the odd one out")
    for name, other in (("by strength", by_strength), ("always three", always)):
        # The three seats of a deal are one observation, as they hold the same cards.
        ours, theirs = (
            [
                fmean(net(opened(seed, number), seat, odd, others) for seat in (1, 2, 3))
                for number in range(deals)
            ]
            for odd, others in ((call, other), (other, call))
        )
        print(f"our calls among two that call {name:<13}{estimate(ours)}")
        print(f"one that calls {name:<13} among ours  {estimate(theirs)}", flush=True)


def opened(seed: str, number: int) -> DoudizhuState:
    key = hashlib.sha256(seed.encode()).digest()
    shoe = GAME.composition()
    cards = [shoe[at] for at in perm(key, f"deal {number}".encode(), len(shoe))]
    wild = perm(key, f"wild {number}".encode(), DEALT)[0]
    return GAME.open(STAKES, cards, DoudizhuContext(wild=wild))


def net(state: DoudizhuState, seat: int, odd: Caller, others: Caller) -> int:
    while state.phase == "call":
        caller = odd if state.turn == seat else others
        state = GAME.apply(state, state.turn, caller(GAME, GAME.view(state, state.turn)))
    while state.phase == "play":
        best = STRATEGIES["best"]
        state = GAME.apply(state, state.turn, best(GAME, GAME.view(state, state.turn)))
    return GAME.settle(state).net.get(seat, 0)


def estimate(values: list[float]) -> str:
    return f"{fmean(values):>+8.3f} ±{stdev(values) / sqrt(len(values)):.3f}"
