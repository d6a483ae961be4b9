"""Our bots at Dou Dizhu against RLCard's rule agent: `python -m bench.bots --bots best thinker`.

Every deal is played from both sides on the same cards: our bot as landlord against two agents, then
as both farmers against an agent. The landlord is given, as RLCard has no calls. The agent against
itself says how much a landlord's place is worth. Several bots play the same deals, and each is
compared with the first of them deal by deal, so that small differences are seen. `--calls` measures
our calls by themselves instead; that needs no other package.
"""

import argparse
import hashlib
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev
from time import process_time
from typing import Final, NamedTuple

from bench.bots_agent import Missing, rule_agent
from bench.bots_calls import measure_calls
from games.bots.doudizhu import STRATEGIES, Strategy
from games.bots.doudizhu_match import STAKES
from games.rules.contract import Action
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.state import CALL_MAX, Call, DoudizhuContext, DoudizhuState, DoudizhuView
from games.rules.shoe import perm

AGENT: Final = "agent"
GAME: Final = Doudizhu(point=1, wings="strict", tournament=True)


class Timed:
    """A bot whose decisions about plays are timed, in processor time."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.milliseconds: list[float] = []

    def __call__(self, game: Doudizhu, view: DoudizhuView) -> Action:
        start = process_time()
        action = self._strategy(game, view)
        self.milliseconds.append(1_000 * (process_time() - start))
        return action


class Deal(NamedTuple):
    """One deal from both sides: whether the bot won, and the points that it won in both."""

    as_landlord: bool
    as_farmers: bool
    points: int

    @property
    def won(self) -> float:
        return (self.as_landlord + self.as_farmers) / 2


def main() -> None:
    options = arguments()
    if options.calls:
        measure_calls(options.deals, options.seed)
        return
    try:
        agent = rule_agent()
    except Missing:
        raise SystemExit("RLCard is not here: run `make bench-bots`, which installs it.") from None
    print(f"{options.deals} deals of seed {options.seed!r}, each from both sides, against RLCard")
    columns_said = ("landlord", "farmers", "both", "points", "ms mean, max")
    print(f"{'bot':<10}" + "".join(f"{title:>15}" for title in columns_said))
    show(AGENT, played(agent, agent, options.deals, options.seed), None)
    first: list[Deal] | None = None
    for name in options.bots:
        timed = Timed(STRATEGIES[name])
        deals = played(timed, agent, options.deals, options.seed)
        show(name, deals, timed)
        if first is None:
            first = deals
        else:
            compare(f"  {name} - {options.bots[0]}", deals, first)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.bots")
    parser.add_argument("--bots", nargs="+", default=["best"], choices=[*STRATEGIES])
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", default="bots")
    parser.add_argument("--calls", action="store_true", help="measure our calls instead")
    return parser.parse_args()


def played(bot: Strategy, agent: Strategy, deals: int, seed: str) -> list[Deal]:
    return [both_sides(dealt(seed, number), bot, agent) for number in range(deals)]


def dealt(seed: str, number: int) -> DoudizhuState:
    """A deal whose first seat is the landlord."""
    shoe = GAME.composition()
    key = hashlib.sha256(seed.encode()).digest()
    cards = [shoe[at] for at in perm(key, f"deal {number}".encode(), len(shoe))]
    state = GAME.open(STAKES, cards, DoudizhuContext(wild=0))
    return GAME.apply(state, state.turn, Call(CALL_MAX))


def both_sides(state: DoudizhuState, bot: Strategy, agent: Strategy) -> Deal:
    won, lost = landlord_net(state, bot, agent), landlord_net(state, agent, bot)
    return Deal(won > 0, lost < 0, (won - lost) // 2 // CALL_MAX)


def landlord_net(state: DoudizhuState, landlord: Strategy, farmers: Strategy) -> int:
    """The landlord's points."""
    while state.phase == "play":
        strategy = landlord if state.turn == state.landlord else farmers
        state = GAME.apply(state, state.turn, strategy(GAME, GAME.view(state, state.turn)))
    assert state.landlord is not None
    return GAME.settle(state).net[state.landlord]


def show(name: str, deals: Sequence[Deal], timed: Timed | None) -> None:
    taken = timed.milliseconds if timed else [0.0]
    clock = f"{fmean(taken):>8.1f}{max(taken):>7.0f}" if timed else ""
    print(f"{name:<10}{figures(deals)}{clock}", flush=True)


def compare(name: str, deals: Sequence[Deal], first: Sequence[Deal]) -> None:
    """The differences, deal by deal, of two bots that played the same."""

    def between(what: Callable[[Deal], float]) -> list[float]:
        return [what(deal) - what(other) for deal, other in zip(deals, first, strict=True)]

    print(f"{name}\n{'':<10}{columns(between)}", flush=True)


def figures(deals: Sequence[Deal]) -> str:
    return columns(lambda what: [what(deal) for deal in deals])


def columns(values: Callable[[Callable[[Deal], float]], list[float]]) -> str:
    """Means with their standard errors: as landlord, as farmers, both, and points a game."""
    return "".join(
        estimate(values(what))
        for what in (
            lambda deal: float(deal.as_landlord),
            lambda deal: float(deal.as_farmers),
            lambda deal: deal.won,
            lambda deal: deal.points / 2,
        )
    )


def estimate(values: Sequence[float]) -> str:
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{fmean(values):>8.3f} ±{error:.3f}"


if __name__ == "__main__":
    main()
