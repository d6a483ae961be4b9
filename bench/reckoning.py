"""How much a running simulation slows moves: the same clients with it and without it, in turn.

    python -m bench.reckoning

The simulation is that of a profile of Chinese poker, in a process of its own with the lowest
priority, as the supervisor starts the worker of the simulations. It ends with 1 if moves are made
more than ten percent more slowly beside it.
"""

import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Final

from bench.ledger import CLIENTS
from tests.houses import open_house

ROUNDS: Final = 7
SLOWER_MAX: Final = 1.10
NICE: Final = 19
GAME: Final = "chinese_poker"


def simulate() -> None:
    """Compute one profile after the other, until this process is ended."""
    from games.profiles.figures import figures
    from games.tables.hand_state import game_from

    os.nice(NICE)
    while True:
        figures(game_from(GAME, {}), 100_000, "bench", lambda _done: None)


@contextmanager
def beside_a_simulation() -> Iterator[None]:
    process = multiprocessing.get_context("fork").Process(target=simulate)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def measure() -> float:
    """Print both, and return how many times as long a move takes beside a simulation."""
    from django.db import connection

    from bench.play import moves, open_table

    tables = [open_table(number) for number in range(CLIENTS)]
    connection.close()
    moves(tables)
    ratios, alone, beside = [], [], []
    for _round in range(ROUNDS):
        without = moves(tables)
        with beside_a_simulation():
            also = moves(tables)
        ratios.append(len(without) / len(also))
        alone += without
        beside += also
    for what, took in (("alone", sorted(alone)), ("beside a simulation", sorted(beside))):
        p50, p95 = (1_000 * took[int(len(took) * share)] for share in (0.5, 0.95))
        print(f"{what:20} {len(took):7,} moves, p50 {p50:6.1f} ms, p95 {p95:6.1f} ms")
    slower = median(ratios)
    print(f"moves beside a simulation take {slower:.2f} times as long (at most {SLOWER_MAX:.2f})")
    return slower


def main() -> int:
    with open_house(database="durable", redis=True):
        return 1 if measure() > SLOWER_MAX else 0


if __name__ == "__main__":
    sys.exit(main())
