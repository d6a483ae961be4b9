"""The whole length: `python -m tests.simulation --hours 61 --seed 1`, in a database thrown away."""

import argparse
import os
import sys
import time

import django
from django.test.utils import setup_databases, setup_test_environment, teardown_databases


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    words.add_argument("--hours", type=float, default=1.0, help="of the world's own clock")
    words.add_argument("--steps", type=int, help="instead of hours, so many steps")
    words.add_argument("--quickly", action="store_true", help="steps last longer; so with --hours")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--games", nargs="+", help="all by default")
    words.add_argument("--transfers", type=int, default=0, help="so many in the ledger afterwards")
    given = words.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    setup_test_environment()
    made = setup_databases(verbosity=0, interactive=False)
    try:
        return _run(given)
    finally:
        teardown_databases(made, verbosity=0)


def _run(given: argparse.Namespace) -> int:
    from django.db import connection

    from games.rules.catalogue import GAMES
    from tests.simulation import bank, runs
    from tests.simulation.world import BUSY, LONG
    from wallets.reconciliation import reconcile

    began = time.monotonic()
    go_on = runs.steps(given.steps) if given.steps else runs.hours(given.hours)
    try:
        weights = LONG if given.quickly or not given.steps else BUSY
        world, said = runs.run(given.seed, go_on, given.games or tuple(GAMES), weights=weights)
    except runs.Failed as failed:
        print(failed, flush=True)
        return 1
    print(
        f"seed {given.seed} on {connection.vendor}: {world.steps} steps, {world.hours():.1f} hours,"
        f" {said}; {time.monotonic() - began:.0f} s; trace {world.digest()[:16]}",
        flush=True,
    )
    if not given.transfers:
        return 0
    began = time.monotonic()
    counted = bank.transfers(given.transfers, given.seed)
    differences = len(list(reconcile(everything=True)))
    print(f"{counted}, {differences} differences; {time.monotonic() - began:.0f} s")
    return 1 if counted.wrong or differences else 0


if __name__ == "__main__":
    sys.exit(main())
