"""How well the detectors tell cheats from luck, on players of known honesty.

    python -m bench.integrity [PLAYERS [RUNS]]

Everything follows from fixed seeds. The results of single hands are drawn from a bell whose
standard deviation is nine big bets a hand (90 in a hundred hands, as poker rooms assume), and from
what bots have won in hands of the games that this house deals. An honest player draws at random; a
superuser draws from results that are shifted so that, after rake, 90 bets in 100 hands remain.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from math import exp
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple

from casino.office.integrity import chance
from casino.office.integrity.chance import Shape, Total

HANDS: Final = 2_500
RATE: Final = 0.9
BELL: Final = 9.0
RAKE: Final = 0.05
# How often a bell is drawn for its shape.
SHAPED: Final = 20_000

Draw = Callable[[Random, int], list[float]]


class Game(NamedTuple):
    """How the results of single hands are drawn, and how they spread."""

    name: str
    draw: Draw
    shape: Shape


def shape_of(values: Iterable[float]) -> Shape:
    shape = Shape()
    for value in values:
        shape.add(value)
    return shape


def bell(deviation: float = BELL) -> Game:
    def draw(random: Random, hands: int) -> list[float]:
        return [random.gauss(0.0, deviation) for _ in range(hands)]

    return Game("bell of 90 in 100", draw, shape_of(draw(Random("shape"), SHAPED)))


def drawn_from(name: str, values: Sequence[float]) -> Game:
    """A game whose results are among these; their mean is taken off, as the seats are alike."""
    mean = sum(values) / len(values)
    fair = [value - mean for value in values]
    return Game(name, lambda random, hands: random.choices(fair, k=hands), shape_of(fair))


def played_by_bots(name: str, hands: int) -> Game:
    """What bots won in hands of a game, in points of the table."""
    from games.bots.simulate import play_hand, strategies
    from games.rules.catalogue import game_type
    from games.rules.contract import SeatStack

    kind: Any = game_type(name)
    game = kind(rake_bp=0)
    seats = range(1, game.seats[-1] + 1)
    stakes = [SeatStack(seat, 100_000 * game.point) for seat in seats]
    best = strategies(game)["best"]
    values: list[float] = []
    for number in range(hands):
        played = play_hand(game, stakes, dict.fromkeys(seats, best), bytes(32), number)
        values += [played.settlement.net.get(seat, 0) / game.point for seat in seats]
    return drawn_from(name, values)


def shift_for(game: Game, rate: float = RATE) -> float:
    """By how much each result must be better for this rate to remain after rake."""
    drawn = game.draw(Random("shift"), SHAPED)
    mean = sum(drawn) / SHAPED
    values = [value - mean for value in drawn]
    low, high = 0.0, 2 * rate + max(map(abs, values)) * RAKE
    for _ in range(40):
        middle = (low + high) / 2
        kept = sum(v + middle - RAKE * max(0.0, v + middle) for v in values) / len(values)
        low, high = (middle, high) if kept < rate else (low, middle)
    return high


def found_after(game: Game, random: Random, shift: float = 0.0, hands: int = HANDS) -> int:
    """After how many hands a player is flagged; 0 if never. What detectors see is before rake."""
    total, done, look = Total(), 0, 0
    for least in (*chance.EARLY_LOOKS, *(chance.MAIN_LOOK << n for n in range(8))):
        if least > hands:
            return 0
        values = game.draw(random, least - done)
        if shift:
            values = [value + shift for value in values]
        count = len(values)
        total.count += count
        total.total += sum(values)
        total.squares += sum(map(float.__mul__, values, values))
        total.weights2 += count
        total.weights4 += count
        done, look = least, look + 1
        if chance.wins_beyond(total, game.shape, chance.error_of(look)).beyond:
            return done
    return 0


def flagged(game: Game, players: int, hands: int = HANDS) -> int:
    """How many of so many honest players are flagged."""
    return sum(
        found_after(game, Random(f"honest {game.name} {player}"), hands=hands) > 0
        for player in range(players)
    )


def caught(game: Game, runs: int) -> list[int]:
    """After how many hands each of so many superusers is found."""
    shift = shift_for(game)
    return [found_after(game, Random(f"cheat {game.name} {run}"), shift) for run in range(runs)]


def pair_found_after(game: Game, random: Random, shift: float = 0.0, hands: int = 640) -> int:
    """After how many hands a pair is flagged between whom so much more passes one way."""
    total, look = Total(), 0
    for value in game.draw(random, hands):
        total.add(value + shift)
        if chance.pair_looks_at(total.count) > look:
            look = chance.pair_looks_at(total.count)
            verdict = chance.flows_beyond(total, game.shape, chance.pair_error_of(look))
            if verdict.beyond:
                return total.count
    return 0


def answers_evenly(
    random: Random, spread: float, acts: int = chance.ACTS, fastest: float = 0.4
) -> bool:
    """Whether response times that spread like this are taken for a program's."""
    times = [fastest + exp(random.gauss(0.5, spread)) for _ in range(acts)]
    return chance.is_a_programs(chance.rhythm_of_times(times))


def main(players: int, runs: int) -> None:
    started = perf_counter()
    played = ("chinese_poker", "thirteen_taiwan", "doudizhu")
    games = [bell(), *(played_by_bots(name, 200) for name in played)]
    print(f"superusers who win 90 in 100 after rake, {runs} of each; {players:,} honest players")
    for game in games:
        after = caught(game, runs)
        hand_counts = [hands for hands in after if hands]
        middle = sorted(hand_counts)[len(hand_counts) // 2] if hand_counts else 0
        print(
            f"{game.name:<20} deviation {game.shape.variance**0.5:6.2f}"
            f"  skew {game.shape.skewness:5.2f}  tails {game.shape.excess:6.1f}"
            f"  found {len(hand_counts):>4} of {runs}, half of them within {middle:>5} hands"
            f"  honest flagged {flagged(game, players)} of {players:,}",
            flush=True,
        )
        deviation = game.shape.variance**0.5
        pairs = [
            sum(
                pair_found_after(game, Random(f"{game.name} {part} {pair}"), part * deviation) > 0
                for pair in range(count)
            )
            for part, count in ((1.0, runs), (0.5, runs), (0.0, players // 10))
        ]
        print(
            f"{'':<20} pairs within 640 hands: dumping a deviation a hand {pairs[0]} of {runs},"
            f" half of one {pairs[1]} of {runs}, honest {pairs[2]} of {players // 10:,}",
            flush=True,
        )
    for words, spread, fastest, count in (
        ("people", 0.5, 0.4, players // 10),
        ("quick people", 0.35, 0.2, players // 10),
        ("programs that wait a little", 0.02, 0.4, runs),
        ("programs that wait evenly", 0.1, 0.0, runs),
    ):
        seen = sum(
            answers_evenly(Random(f"{words} {trial}"), spread, fastest=fastest)
            for trial in range(count)
        )
        print(f"timing of {words:<28} taken for a program's: {seen} of {count:,}", flush=True)
    print(f"{perf_counter() - started:.0f} s")


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*(given + [10_000, 100][len(given) :]))
