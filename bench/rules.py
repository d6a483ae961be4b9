"""Speed and memory of the rules: `python -m bench.rules`, or `make bench`."""

import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import msgspec

from bench.calibration import additions_per_second, measure, report, speed
from games.rules.cards import Card
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import AnyGame, PlayedMove, SeatStack, State
from games.rules.poker import CODE, ranking
from games.rules.record import (
    HandRecord,
    RecordedMove,
    read_record,
    recorded,
    replay_record,
)
from games.rules.shoe import perm
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.solver import best_arrangement
from games.rules.thirteen.suggest import suggest

THIRTEEN = [key for key, entry in GAMES.items() if entry.family == "thirteen"]
IMPORT = """
from time import perf_counter
start = perf_counter()
import msgspec
from games.rules.catalogue import GAMES, game_type
from games.rules import record
for key in GAMES:
    game_type(key)
seconds = perf_counter() - start
# Not the resource usage of the process, which counts what its parent held when it was forked.
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(seconds, int(status["VmHWM"].split()[0]) / 1024)
"""


def deals(shoe: tuple[Card, ...], count: int) -> list[list[Card]]:
    """The shoe in so many orders, the same ones at each run."""
    key = bytes(32)
    return [
        [shoe[at] for at in perm(key, str(number).encode(), len(shoe))] for number in range(count)
    ]


def rounds(
    name: str,
    game: AnyGame,
    shoes: Sequence[Sequence[Card]],
    moves: Sequence[PlayedMove],
    target: str = "",
) -> None:
    """One box: the moves, what the house decides for one who does not, and the settlement."""
    stakes, context = [SeatStack(1, 10**6)], game.context_type()

    def play(cards: Sequence[Card]) -> None:
        state: State = game.open(stakes, cards, context)
        for seat, action in moves:
            state = game.apply(state, seat, action)
        while waiting := game.to_act(state):
            (seat,) = waiting
            state = game.apply(state, seat, game.fallback(state, seat))
        game.settle(state)

    speed(name, play, shoes, target)


def rank_fives() -> None:
    five = ranking().five
    orders = deals(game_type("chinese_poker")().composition(), 2_000)
    hands = [
        tuple(CODE[card] for card in order[at : at + 5])
        for order in orders
        for at in range(0, 50, 5)
    ]

    def work() -> int:
        for a, b, c, d, e in hands:
            five(a, b, c, d, e)
        return len(hands)

    report("rank five prepared cards", measure(work), ">= 110,000 R")


def best_splits(key: str, target: str = "", **options: object) -> None:
    game = game_type(key)(**options)
    assert isinstance(game, ThirteenGame)
    hands = [order[:13] for order in deals(game.composition(), 100)]
    name = f"exact best split of 13 cards, {key}"
    speed(name, lambda hand: best_arrangement(game, hand), hands, target)


def suggestions_with_jokers() -> None:
    game = ThirteenFujian()
    jokers = [card for card in game.composition() if card.is_joker]
    hands = [
        [card for card in order if not card.is_joker][:11] + jokers
        for order in deals(game.composition(), 20)
    ]
    start = perf_counter()
    suggest(game, hands[0])
    first = perf_counter() - start
    speed("suggestions with two jokers", lambda hand: suggest(game, hand), hands, "<= 50 ms")
    print(f"{'  the first in a process, its tables built':<52}{'':>16} {first * 1000:>10.1f} ms")


def a_hand(key: str) -> tuple[AnyGame, list[SeatStack], list[Card], Any, list[PlayedMove], State]:
    """A hand of this game as the house would play it, with its last state."""
    game = game_type(key)()
    stakes = [SeatStack(seat, 10**9) for seat in range(1, game.seats[-1] + 1)]
    cards = deals(game.composition(), 1)[0]
    context = game.context_type()
    state: State = game.open(stakes, cards, context)
    moves: list[PlayedMove] = []
    while waiting := game.to_act(state):
        seat = min(waiting, key=str)
        moves.append((seat, game.fallback(state, seat)))
        state = game.apply(state, *moves[-1])
    return game, stakes, cards, context, moves, state


def whole_hands(key: str) -> None:
    game, stakes, cards, context, moves, last = a_hand(key)

    def play(_number: int) -> None:
        state = game.open(stakes, cards, context)
        for seat, action in moves:
            state = game.apply(state, seat, action)
        game.settle(state)

    speed(f"a hand through the contract, settled, {key}", play, range(200), "<= 1 ms")
    record = HandRecord(
        game=key,
        options=game,
        stakes=tuple(stakes),
        context=context,
        cards=tuple(cards),
        moves=tuple(RecordedMove(seat=seat, action=action) for seat, action in moves),
        settlement=recorded(game.settle(last)),
    )
    text = msgspec.json.encode(record)

    def replay_text(_number: int) -> None:
        read = read_record(text)
        read.options.settle(replay_record(read))

    speed("  the same from its record, JSON read", replay_text, range(200))


def views(key: str) -> None:
    game, stakes, cards, context, _moves, _last = a_hand(key)
    state = game.open(stakes, cards, context)
    speed(f"a seat's view, {key}", lambda _number: game.view(state, 1), range(1_000))


def imports() -> None:
    """A fresh interpreter imports every game; its own start is not counted, its memory is."""
    runs = []
    for _ in range(5):
        figures = subprocess.run(
            [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
        ).stdout.split()
        runs.append((float(figures[0]), float(figures[1])))
    seconds, mebibytes = sorted(runs)[len(runs) // 2]
    print(
        f"{'import of the rules, every game':<52}{seconds:>14.3f} s  {mebibytes:>10.1f} MB"
        f"{'':>15}   <= 0.15 s, <= 40 MB"
    )


def main() -> None:
    print(f"yardstick: {additions_per_second() / 1e6:.1f} million additions a second\n")
    rank_fives()
    best_splits("chinese_poker", ">= 27 R")
    for key in THIRTEEN[1:]:
        best_splits(key)
    suggestions_with_jokers()
    for key in THIRTEEN:
        whole_hands(key)
    views("chinese_poker")
    imports()


if __name__ == "__main__":
    main()
