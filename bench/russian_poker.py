"""Speed of Russian poker, `python -m bench.russian_poker`; its edge, `... edge` (some minutes)."""

import sys
from itertools import count

from bench.calibration import measure, report
from bench.rules import deals
from games.rules.analysis.russian_poker import Average, average_worth
from games.rules.analysis.russian_poker_play import draws, finish
from games.rules.cards import DECK
from games.rules.contract import HOUSE, Action, Party, SeatStack
from games.rules.house.actions import Close
from games.rules.house.antes import Ante
from games.rules.house.sides import SideContext
from games.rules.russian_poker.actions import Bet, Buy
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import read_hand
from games.rules.shoe import perm

GAME = RussianPoker()
DEALS, DEALS_OF_A_KIND = 100_000, 1_500


def rounds(name: str, bonus: int, decisions: list[Action], target: str) -> None:
    """One box: ante, close, the decisions, the answer to the dealer, and the settlement."""
    # As many cards as a round of one box can draw, and some more.
    shoes = [shoe[:20] for shoe in deals(GAME.composition(), 1_000)]
    stakes, context = [SeatStack(1, 10**6)], SideContext()
    moves: list[tuple[Party, Action]] = [(1, Ante(1, 1_000, bonus)), (HOUSE, Close())]
    moves += [(1, decision) for decision in decisions]

    def work() -> int:
        for cards in shoes:
            state = GAME.open(stakes, cards, context)
            for seat, action in moves:
                state = GAME.apply(state, seat, action)
            while waiting := GAME.to_act(state):
                (seat,) = waiting
                state = GAME.apply(state, seat, GAME.fallback(state, seat))
            GAME.settle(state)
        return len(shoes)

    report(name, measure(work), target)


def decisions() -> None:
    shoes = deals(GAME.composition(), 20)

    def draw() -> int:
        for cards in shoes:
            draws(GAME, 100, cards[:5], cards[5])
        return len(shoes)

    def last() -> int:
        for cards in shoes:
            finish(GAME, 100, read_hand(cards[:5]), cards[5], cards[:5])
        return len(shoes)

    report("the worth of every draw", measure(draw), "<= 20 ms")
    report("to bet or to fold, insured or not", measure(last), "<= 20 ms")


def worth() -> Average:
    """The worth of a box with the best play, over the same deals at each run."""
    key = bytes(32)
    orders = (perm(key, str(number).encode(), len(DECK))[:6] for number in count())
    wanted = ([DECK[at] for at in order] for _, order in zip(range(DEALS), orders, strict=False))
    return average_worth(GAME, GAME.min, wanted, DEALS_OF_A_KIND)


def edge() -> None:
    mean, error = worth()
    print(f"an open box is worth {mean:+.4f} antes, standard error {error:.4f}")


def main() -> None:
    if sys.argv[1:] == ["edge"]:
        edge()
        return
    rounds("a round of russian_poker", 0, [Bet(1)], ">= 1,000 R")
    rounds("the same with a bonus and a sixth card", 100, [Buy(1), Bet(1)], "")
    decisions()


if __name__ == "__main__":
    main()
