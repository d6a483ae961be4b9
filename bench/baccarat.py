"""Speed of baccarat: `python -m bench.baccarat`."""

from bench.calibration import speed
from bench.rules import deals, rounds
from games.rules.baccarat.game import Baccarat, BaccaratCommission, Bet
from games.rules.baccarat.odds import exact_odds
from games.rules.baccarat.roads import Result, result_of, roads
from games.rules.contract import HOUSE, Context, PlayedMove, SeatStack
from games.rules.house.actions import Close


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
    speed("all road maps of 80 results", roads, [results[:80]])


def main() -> None:
    shoe = Baccarat().composition()
    for game in (Baccarat(), BaccaratCommission()):
        # Six cards of a shoe each.
        hands = [tuple(order[at : at + 6]) for order in deals(shoe, 20) for at in range(0, 390, 6)]
        moves: list[PlayedMove] = [(1, Bet("banker", 1_000)), (HOUSE, Close())]
        rounds(f"a round of {game.key}", game, hands, moves, ">= 8,000 R")
    speed("exact odds of a full shoe", lambda game: exact_odds(game, shoe), [Baccarat()], "<= 10 s")
    road_maps()


if __name__ == "__main__":
    main()
