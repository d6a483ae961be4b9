"""Speed of Dou Dizhu: `python -m bench.doudizhu`."""

from itertools import cycle
from statistics import median
from time import process_time

from bench.calibration import additions_per_second, measure, report, speed
from bench.rules import deals
from games.bots.doudizhu import STRATEGIES
from games.rules.cards import Card
from games.rules.contract import Move, SeatStack, replay
from games.rules.doudizhu.actions import Call, Pass, Play
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import pick, rank_set
from games.rules.doudizhu.state import DoudizhuContext, DoudizhuState, to_beat
from games.rules.shoe import perm

GAME = Doudizhu()
STAKES = [SeatStack(seat, 10**9) for seat in (1, 2, 3)]
CONTEXT = DoudizhuContext(button=3, wild=0)
SHOE = GAME.composition()
HANDS = 2_000
GAMES = 200


def lead_generation(size: int, target: str) -> None:
    hands = [rank_set(order[:size]) for order in deals(SHOE, HANDS)]
    speed(f"all legal leads of {size} cards", leads, hands, target)


def chances() -> "cycle[int]":
    """Numbers to choose by, drawn beforehand so that drawing is not measured."""
    return cycle(perm(bytes(32), b"chances", 60_000))


def random_game(cards: list[Card], chance: "cycle[int]") -> tuple[DoudizhuState, list[Move]]:
    """A game of random legal plays through the contract, with the moves that made it."""
    state = GAME.open(STAKES, cards, CONTEXT)
    moves: list[Move] = [(1, Call(3))]
    state = GAME.apply(state, *moves[0])
    while GAME.to_act(state):
        hand = state.hands[state.place(state.turn)]
        beaten = to_beat(state.turns)
        if beaten is None or beaten.reading is None:
            plays = leads(rank_set(hand))
        else:
            plays = [*follows(rank_set(hand), beaten.reading), 0]
        ranks = plays[next(chance) % len(plays)]
        moves.append((state.turn, Play(pick(hand, ranks)) if ranks else Pass()))
        state = GAME.apply(state, *moves[-1])
    return state, moves


def games() -> None:
    orders = deals(SHOE, GAMES)

    def work() -> int:
        chance = chances()
        for order in orders:
            state, _ = random_game(order, chance)
            GAME.settle(state)
        return len(orders)

    report("a whole game of random legal plays", measure(work), ">= 25 R")


def replays() -> None:
    chance = chances()
    played = [(order, random_game(order, chance)[1]) for order in deals(SHOE, GAMES)]
    order, moves = min(played, key=lambda game: abs(len(game[1]) - 60))
    name = f"replay of a finished hand of {len(moves)} moves"
    speed(name, lambda _n: replay(GAME, STAKES, order, CONTEXT, moves), range(100), "<= 1 ms")


def decisions(name: str, orders: list[list[Card]], target: str) -> None:
    """How long a player takes for a decision: in the middle, and the longest."""
    strategy, taken = STRATEGIES[name], []
    for order in orders:
        state = GAME.apply(GAME.open(STAKES, order, CONTEXT), 1, Call(3))
        while GAME.to_act(state):
            view = GAME.view(state, state.turn)
            # Processor time: what other programs do meanwhile is no part of a decision.
            start = process_time()
            action = strategy(GAME, view)
            taken.append(1_000 * (process_time() - start))
            state = GAME.apply(state, state.turn, action)
    print(
        f"{f'a decision of {name}, of {len(taken)}':<52}"
        f"median {median(taken):.2f} ms, longest {max(taken):.1f} ms   {target}",
        flush=True,
    )


def main() -> None:
    print(f"calibration: {additions_per_second() / 1e6:.1f} million additions a second")
    lead_generation(20, ">= 2,000 R")
    lead_generation(17, ">= 3,500 R")
    games()
    replays()
    decisions("best", deals(SHOE, 100), "<= 20 ms")
    decisions("thinker", deals(SHOE, 6), "<= 1,000 ms")


if __name__ == "__main__":
    main()
