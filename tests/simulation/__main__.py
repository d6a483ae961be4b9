"""The whole length: `python -m tests.simulation --hours 61 --seed 1`, in a database thrown away."""

import argparse
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from django.test.utils import setup_test_environment

from bench.calibration import additions_per_second
from tests.houses import open_house

if TYPE_CHECKING:
    from tests.simulation.month import Month


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    words.add_argument("--hours", type=float, default=1.0, help="of the world's own clock")
    words.add_argument("--steps", type=int, help="instead of hours, so many steps")
    words.add_argument("--quickly", action="store_true", help="steps last longer; so with --hours")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--people", type=int, help="by default hundreds, of few steps eight")
    words.add_argument("--games", nargs="+", help="all by default")
    words.add_argument("--transfers", type=int, default=0, help="so many in the ledger afterwards")
    given = words.parse_args()
    with open_house(database="given", settings="tests.settings"):
        setup_test_environment()
        return _run(given)


def _run(given: argparse.Namespace) -> int:
    from django.db import connection

    from games.rules.catalogue import GAMES
    from tests.simulation import bank, concurrent_pairs, runs
    from tests.simulation.month import Month
    from tests.simulation.world import BUSY, FEW, LONG, MANY
    from wallets.audit.reconciliation import reconcile

    go_on = runs.steps(given.steps) if given.steps else runs.hours(given.hours)
    weights = LONG if given.quickly or not given.steps else BUSY
    people = given.people or (FEW if given.steps else MANY)
    games = given.games or tuple(GAMES)
    watch = Watch()
    try:
        go_on = runs.with_progress(go_on, partial(print, flush=True))
        month = None if given.steps else Month(given.hours)
        world, said = runs.run(
            given.seed, go_on, games, weights=weights, people=people, month=month
        )
        concurrent_pairs.check()
    except AssertionError as failed:
        print(failed, flush=True)
        return 1
    print(
        f"seed {given.seed} on {connection.vendor}, {people} people: {world.steps} steps,"
        f" {world.hours():.1f} hours, {said}; {watch.took(world.steps)};"
        f" trace {world.digest()[:16]}",
        flush=True,
    )
    if month is not None and not _told(month):
        return 1
    if not given.transfers:
        return 0
    watch = Watch()
    counted = bank.transfers(given.transfers, given.seed)
    took = watch.took(given.transfers)
    differences = len(list(reconcile(everything=True)))
    print(f"{counted}, {differences} differences; {took}")
    return 1 if counted.wrong or differences else 0


def _told(month: "Month") -> bool:
    """Print what each preset was to cost and what it has paid; whether that is right."""
    for cost in month.costs:
        given_up = f", {cost.given_up} given up" if cost.given_up else ""
        print(
            f"  {cost.name}: {cost.foretold} foretold by {cost.sample} hands before, "
            f"{cost.of_month} by {cost.hands} hands of its days; {cost.paid} paid{given_up}"
        )
    print(f"  {len(month.costs)} promotions, {len(month.findings)} findings of their audit")
    return not month.findings and all(cost.is_right for cost in month.costs)


class Watch:
    """How long something takes, also as a ratio that compares with that of other machines."""

    def __init__(self) -> None:
        self._yardstick = additions_per_second()
        self._began, self._worked = time.monotonic(), time.process_time()

    def took(self, count: int) -> str:
        wall, worked = time.monotonic() - self._began, time.process_time() - self._worked
        yardstick = (self._yardstick + additions_per_second()) / 2
        ratio = count / wall / yardstick * 1_000_000
        return f"{wall:.0f} s, {worked:.0f} s of the processor, {ratio:.2f} R"


if __name__ == "__main__":
    sys.exit(main())
