"""RLCard's rule agent as a bot of ours: cards and plays are put into its words and back.

With strict wings the two rule sets have the same 27,471 plays and understand each in the same way:
no bomb, no pair of jokers and no neighbouring trio is carried, and a four that carries two cards
is no bomb. RLCard knows no calls, so the landlord is given. Only this module needs the package.
"""

import hashlib
from importlib import import_module
from typing import Final, Protocol

from msgspec import json

from games.bots.doudizhu import Strategy, play
from games.rules.contract import Action
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import RankSet, rank_set
from games.rules.doudizhu.state import CALL_MAX, Call, DoudizhuView

LETTERS: Final = "3456789TJQKA2BR"
PASS: Final = "pass"


class Missing(Exception):
    """The package is not installed."""


class RuleAgent(Protocol):
    def step(self, state: dict[str, object]) -> str: ...


class Seeding(Protocol):
    def seed(self, seed: int) -> None: ...


def letters(ranks: RankSet) -> str:
    """Cards in RLCard's words, from low to high; no cards are a pass."""
    held = "".join(letter * (ranks >> 4 * at & 7) for at, letter in enumerate(LETTERS))
    return held or PASS


def ranks_of(text: str) -> RankSet:
    return 0 if text == PASS else sum(1 << 4 * LETTERS.index(letter) for letter in text)


def observed(game: Doudizhu, view: DoudizhuView) -> dict[str, object]:
    """The table as RLCard shows it to a seat; the landlord is number 0."""
    seats = [stake.seat for stake in view.stakes]
    at = seats.index(view.landlord or 0)
    numbers = {seat: (place - at) % len(seats) for place, seat in enumerate(seats)}
    hand, other = rank_set(view.hand), view.to_beat.reading if view.to_beat else None
    if other is None:
        actions = [letters(ranks) for ranks in leads(hand, game.wings)]
    else:
        actions = [PASS, *(letters(ranks) for ranks in follows(hand, other, game.wings))]
    return {
        "self": numbers[view.seat or 0],
        "landlord": 0,
        "current_hand": letters(hand),
        "trace": [(numbers[turn.seat], letters(rank_set(turn.cards))) for turn in view.turns],
        "actions": actions,
    }


def rule_agent() -> Strategy:
    """RLCard's agent; where it draws lots, the hash of the view decides."""
    try:
        agent: RuleAgent = import_module("rlcard.models.doudizhu_rule_models").DouDizhuRuleAgentV1()
        lots: Seeding = import_module("numpy.random")
    except ModuleNotFoundError as missing:
        raise Missing from missing

    def decide(game: Doudizhu, view: DoudizhuView) -> Action:
        if view.phase == "call":
            return Call(CALL_MAX)
        lots.seed(int.from_bytes(hashlib.sha256(json.encode(view)).digest()[:4], "big"))
        chosen = str(agent.step({"raw_obs": observed(game, view)}))
        return play(view, ranks_of(chosen))

    return decide
