"""Carry out all attacks: `python -m tests.attack [--only WORD]`; 1 where one gets through."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.attack.registry import BROKEN, PARTS, PROMISES, attempted, chosen, line
from tests.attack.target import Target
from tests.houses import open_house
from tests.houses.supervised import Supervised


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    words.add_argument(
        "--only",
        choices=(*PARTS, *PROMISES),
        metavar="WORD",
        help=f"a part ({', '.join(PARTS)}) or a promise that is attacked ({', '.join(PROMISES)})",
    )
    only = words.parse_args().only
    began, verdicts = time.monotonic(), Counter[str]()
    with open_house(Supervised) as running:
        house = Target(running)
        print(f"a house stands open at {house.address}", flush=True)
        for attack in chosen(only):
            outcome = attempted(attack, house)
            verdicts[outcome.verdict] += 1
            print(line(attack, outcome), flush=True)
        if verdicts[BROKEN]:
            kept = Path(tempfile.mkstemp(prefix="attacked-house-", suffix=".log")[1])
            kept.write_text(house.log())
            print(f"the house's log is kept in {kept}")
    seconds = time.monotonic() - began
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(f"{verdicts.total()} attacks in {seconds:.0f} seconds: {counts}")
    return 1 if verdicts[BROKEN] else 0


if __name__ == "__main__":
    sys.exit(main())
