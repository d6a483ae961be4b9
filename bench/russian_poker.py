"""Speed of Russian poker, `python -m bench.russian_poker`; its edge, `... edge` (some minutes)."""

import sys
from itertools import count

from bench.calibration import speed
from bench.rules import deals, rounds
from games.rules.cards import DECK, Card
from games.rules.contract import HOUSE, PlayedMove
from games.rules.house.actions import Close
from games.rules.house.antes import Ante
from games.rules.russian_poker.best_play import Average, average_worth, draws, finish
from games.rules.russian_poker.boxes import Bet, Buy
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import read_hand
from games.rules.shoe import perm

GAME = RussianPoker()
DEALS, DEALS_OF_A_KIND = 100_000, 1_500


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
    shoes = deals(GAME.composition(), 1_000)
    bonus = Ante(1, 1_000, 100)
    plain: list[PlayedMove] = [(1, Ante(1, 1_000)), (HOUSE, Close()), (1, Bet(1))]
    bought: list[PlayedMove] = [(1, bonus), (HOUSE, Close()), (1, Buy(1)), (1, Bet(1))]
    # As many cards as a round of one box can draw, and some more.
    twenties = [shoe[:20] for shoe in shoes]
    rounds("a round of russian_poker", GAME, twenties, plain, ">= 1,000 R")
    rounds("the same with a bonus and a sixth card", GAME, twenties, bought)

    def last(cards: list[Card]) -> None:
        finish(GAME, 100, read_hand(cards[:5]), cards[5], cards[:5])

    few = shoes[:20]
    draw = "the worth of every draw"
    speed(draw, lambda cards: draws(GAME, 100, cards[:5], cards[5]), few, "<= 20 ms")
    speed("to bet or to fold, insured or not", last, few, "<= 20 ms")


if __name__ == "__main__":
    main()
