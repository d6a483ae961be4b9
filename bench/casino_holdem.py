"""Speed of casino hold'em, `python -m bench.casino_holdem`; its edges, `… edges [HANDS]`.

The edges are those of the players' page that take minutes: of calling always, exactly, and of the
strategies that fold, sampled.
"""

import sys
from random import Random

from bench.calibration import measure, report
from bench.rules import deals
from games.rules.analysis.casino_holdem import best_is_call, call_points, call_value, rule_is_call
from games.rules.analysis.casino_holdem_edges import (
    CALLING_EDGE,
    calling_edge,
    qualifying_probability,
    strategy_edge,
)
from games.rules.casino_holdem.actions import Call
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import HOUSE, SeatStack
from games.rules.house.actions import Close
from games.rules.house.antes import Ante
from games.rules.house.sides import SideContext


def rounds() -> None:
    """One seat, one box: open, ante, close, which deals, call and settle."""
    game = CasinoHoldem()
    hands = [tuple(shoe[:9]) for shoe in deals(game.composition(), 500)]
    stakes, context = [SeatStack(1, 10**6)], SideContext()
    ante, close, call = Ante(1, 1_000), Close(), Call(1)

    def work() -> int:
        for cards in hands:
            state = game.open(stakes, cards, context)
            state = game.apply(state, 1, ante)
            state = game.apply(state, HOUSE, close)
            state = game.apply(state, 1, call)
            game.settle(state)
        return len(hands)

    report("a round of casino_holdem", measure(work), ">= 1,000 R")


def decisions() -> None:
    hands = [(shoe[:2], shoe[2:5]) for shoe in deals(CasinoHoldem().composition(), 30)]

    def points() -> int:
        for hole, flop in hands:
            call_points(hole, flop)
        return len(hands)

    def value() -> int:
        for hole, flop in hands:
            call_value(hole, flop)
        return len(hands)

    def best() -> int:
        for hole, flop in hands:
            best_is_call(hole, flop)
        return len(hands)

    report("points of a hand", measure(points))
    report("exact value of a call", measure(value, 3), "<= 100 ms")
    report("decision of the best bot", measure(best, 3))


def edges(hands: int) -> None:
    always = calling_edge()
    assert always == CALLING_EDGE
    print(f"the dealer plays          {float(qualifying_probability()):.7f}")
    print(f"edge, calling always      {100 * float(always):.4f}%")
    for name, calls in (("best", best_is_call), ("rule", rule_is_call)):
        edge = strategy_edge(calls, hands, Random(1))
        print(f"edge, {name:<20}{100 * edge.mean:.3f}% ± {100 * edge.standard_error:.3f}")


def main() -> None:
    if sys.argv[1:2] == ["edges"]:
        edges(int(sys.argv[2]) if sys.argv[2:] else 20_000)
        return
    rounds()
    decisions()


if __name__ == "__main__":
    main()
