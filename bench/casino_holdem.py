"""Speed of casino hold'em, `python -m bench.casino_holdem`; its edges, `… edges [HANDS]`.

The edges are those of the players' page that take minutes: of calling always, exactly, and of the
strategies that fold, sampled.
"""

import sys
from random import Random

from bench.calibration import speed
from bench.rules import deals, rounds
from games.rules.casino_holdem.calling import best_is_call, call_points, call_value, rule_is_call
from games.rules.casino_holdem.edges import (
    CALLING_EDGE,
    calling_edge,
    qualifying_probability,
    strategy_edge,
)
from games.rules.casino_holdem.game import Call, CasinoHoldem
from games.rules.contract import HOUSE, PlayedMove
from games.rules.house.actions import Close
from games.rules.house.antes import Ante


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
    shoe = CasinoHoldem().composition()
    moves: list[PlayedMove] = [(1, Ante(1, 1_000)), (HOUSE, Close()), (1, Call(1))]
    nines = [tuple(order[:9]) for order in deals(shoe, 500)]
    rounds("a round of casino_holdem", CasinoHoldem(), nines, moves, ">= 1,000 R")
    hands = [(order[:2], order[2:5]) for order in deals(shoe, 30)]
    speed("points of a hand", lambda hand: call_points(*hand), hands)
    speed("exact value of a call", lambda hand: call_value(*hand), hands[:10], "<= 100 ms")
    speed("decision of the best bot", lambda hand: best_is_call(*hand), hands[:10])


if __name__ == "__main__":
    main()
