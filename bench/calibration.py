"""Measuring a rate as a ratio, so that figures of different days and machines compare.

The yardstick is a plain loop of integer additions. Each figure is taken in several rounds, and each
round measures the yardstick right before and right after the work, as the speed of a shared machine
drifts; the median of the rounds' ratios is what to quote. R means: per second, for every million
additions a second.
"""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import NamedTuple, TypeVar

ADDITIONS = 1_000_000
ROUNDS = 9

Clock = Callable[[], float]
T = TypeVar("T")


class Figure(NamedTuple):
    """One measurement: how often a second, and how often for each million additions."""

    rate: float
    ratio: float


def additions_per_second(clock: Clock = perf_counter) -> float:
    """The yardstick: how fast this interpreter adds small whole numbers, one by one, right now."""
    total = 0
    start = clock()
    for number in range(ADDITIONS):
        total += number
    return ADDITIONS / (clock() - start)


def measure(work: Callable[[], int], rounds: int = ROUNDS, clock: Clock = perf_counter) -> Figure:
    """The rate of `work`, which says how many things it did; one round beforehand warms up.

    By `process_time`, other work on the machine disturbs it less.
    """
    work()
    rates, ratios = [], []
    for _ in range(rounds):
        before = additions_per_second(clock)
        start = clock()
        done = work()
        rate = done / (clock() - start)
        yardstick = (before + additions_per_second(clock)) / 2
        rates.append(rate)
        ratios.append(rate / yardstick * 1_000_000)
    return Figure(median(rates), median(ratios))


def report(name: str, figure: Figure, target: str = "") -> None:
    """One line: the name, the rate, the time of one, the ratio and what was aimed at."""
    each = 1_000 / figure.rate
    print(
        f"{name:<52}{figure.rate:>14,.0f}/s {each:>10.4f} ms {figure.ratio:>12,.1f} R   {target}",
        flush=True,
    )


def speed(name: str, do: Callable[[T], object], things: Sequence[T], target: str = "") -> None:
    """Report how often a second something is done, over all of these things in each round."""

    def work() -> int:
        for thing in things:
            do(thing)
        return len(things)

    report(name, measure(work), target)
