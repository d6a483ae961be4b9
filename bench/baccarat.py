"""Speed of baccarat: `python -m bench.baccarat`."""

from bench.calibration import measure, report
from bench.rules import deals
from games.rules.analysis.baccarat import exact_odds
from games.rules.baccarat.game import Baccarat, BaccaratCommission, BaccaratTable, Bet
from games.rules.baccarat.roads import Result, result_of, roads
from games.rules.contract import HOUSE, Context, SeatStack
from games.rules.house.actions import Close


def rounds(game: BaccaratTable) -> None:
    """One seat, one bet: open, bet, close, which deals, and settle; six cards of a shoe each."""
    shoes = deals(game.composition(), 20)
    hands = [tuple(shoe[at : at + 6]) for shoe in shoes for at in range(0, 390, 6)]
    stakes, context, bet, close = [SeatStack(1, 10**6)], Context(), Bet("banker", 1_000), Close()

    def work() -> int:
        for cards in hands:
            state = game.open(stakes, cards, context)
            state = game.apply(state, 1, bet)
            state = game.apply(state, HOUSE, close)
            game.settle(state)
        return len(hands)

    report(f"a round of {game.key}", measure(work), ">= 8,000 R")


def odds() -> None:
    game = Baccarat()
    shoe = game.composition()

    def work() -> int:
        exact_odds(game, shoe)
        return 1

    report("exact odds of a full shoe", measure(work), "<= 10 s")


def road_maps() -> None:
    game = Baccarat()
    results: list[Result] = []
    for shoe in deals(game.composition(), 2):
        for at in range(0, 400, 5):
            state = game.apply(
                game.open([SeatStack(1, 100)], shoe[at:], Context()), 1, Bet("tie", 100)
            )
            coup = game.apply(state, HOUSE, Close()).coup
            assert coup is not None
            results.append(result_of(coup))
    shoe_long = results[:80]

    def work() -> int:
        roads(shoe_long)
        return 1

    report("all road maps of 80 results", measure(work))


def main() -> None:
    rounds(Baccarat())
    rounds(BaccaratCommission())
    odds()
    road_maps()


if __name__ == "__main__":
    main()
