"""How long one balancing step of a large event takes: `python -m bench.seating`.

A thousand tables of four lose players at random, from hardly any to most of them, and some wait for
a seat; the step finds out who moves where. Times are those of this process alone. R says how many
steps are made for every million additions of the same run.
"""

from random import Random
from time import process_time
from typing import Final

from bench.calibration import measure
from tournaments.seating import Field, Sizes, TableSeats, balance

TABLES: Final = 1_000
WAITING: Final = 200
SIZES: Final = Sizes(2, 4)
# Of a hundred players, how many have gone.
GONE: Final = (1, 10, 30, 60)
MILLISECONDS_MAX: Final = 100


def event(gone: int) -> tuple[list[TableSeats], Field]:
    """The tables of an event of which so many players in a hundred have gone."""
    random = Random(gone)
    tables = []
    for number in range(1, TABLES + 1):
        seats = {seat: 4 * number + seat for seat in (1, 2, 3, 4) if random.randrange(100) >= gone}
        tables.append(TableSeats(number, seats, random.randint(1, 4)))
    players = [entry for table in tables for entry in table.seats.values()]
    waiting = list(range(10**6, 10**6 + WAITING))
    numbers = list(range(len(players) + WAITING))
    random.shuffle(numbers)
    return tables, Field(waiting, dict(zip(players + waiting, numbers, strict=True)))


def main() -> None:
    """Print a line for each event."""
    for gone in GONE:
        tables, field = event(gone)
        began = process_time()
        plan = balance(tables, SIZES, field, next_number=TABLES + 1)
        milliseconds = 1_000 * (process_time() - began)

        def step(tables: list[TableSeats] = tables, field: Field = field) -> int:
            balance(tables, SIZES, field, next_number=TABLES + 1)
            return 1

        print(
            f"{gone:3} % gone: {len(plan.moves):5} moves, {len(plan.broken):4} tables broken, "
            f"{milliseconds:6.1f} ms of {MILLISECONDS_MAX}, R {measure(step).ratio:.2f}"
        )


if __name__ == "__main__":
    main()
