"""Change the product in small ways, one at a time, and see which changes the tests notice.

    python -m bench.mutation                  444 changes drawn by seed 1
    python -m bench.mutation --sample 7       what the tests of `make test SEED=7` notice of them
    python -m bench.mutation --folder FOLDER  keeps what is found, and tries what is left

First the tests run once, to see which of them reach which change; then each change is tried against
the tests that reach it. What is left is a missing test, or a change that makes no difference. It
prints a table, and what share of the changes that all tests notice a sample notices.

On two quiet cores 200 changes take about forty minutes, half of it for the first run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from bench.mutation.changes import ROOT, package_of, sample
from bench.mutation.reach import CODES, FOLDER
from bench.mutation.trial import TRIED
from bench.mutation.tried import OTHERS, SAMPLE


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m bench.mutation")
    words.add_argument("--number", type=int, default=444, help="how many changes")
    words.add_argument("--seed", type=int, default=1, help="which changes")
    words.add_argument("--sample", type=int, default=0, help="which sample of `make test`")
    words.add_argument("--folder", type=Path, help="where to keep what is found")
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        variables = {
            FOLDER: str(folder),
            "MUTATION_NUMBER": str(given.number),
            "MUTATION_SEED": str(given.seed),
            SAMPLE: str(given.sample),
        }
        os.environ.update(variables)
        tests = ["--ignore=tests/browser", "tests"]
        if not (folder / CODES).exists():
            _run("bench.mutation.reach")
            _run("pytest", "-p", "bench.mutation.plugin", f"--workers={os.cpu_count()}", *tests)
        _run("pytest", "-p", "bench.mutation.trial", "--timeout=60", *tests)
        rows = [json.loads(line) for line in (folder / TRIED).read_text().splitlines()]
    return _report(rows, given.number, given.seed)


def _run(module: str, *words: str) -> None:
    subprocess.run([sys.executable, "-m", module, *words], cwd=ROOT, check=False)


def _report(rows: list[dict[str, Any]], number: int, seed: int) -> int:
    mutants = sample(number, seed)
    counts: dict[str, Counter[str]] = {
        title: Counter() for title in ("changes", "all notice", "a sample notices", "not tried out")
    }
    missed = []
    for row in rows:
        mutant, noticed = mutants[row["number"]], row["noticed"]
        by_sample = noticed is not None and row["rank"] < OTHERS
        flags = (True, noticed is not None, by_sample, noticed is None and row["left"] > 0)
        for counted, holds in zip(counts.values(), flags, strict=True):
            counted[package_of(mutant.path)] += holds
        if not by_sample:
            missed.append(f"{mutant}  {noticed or ''}".rstrip())
    print(f"| package | {' | '.join(counts)} |\n| --- | ---: | ---: | ---: | ---: |")
    for package in sorted(counts["changes"]):
        print(f"| `{package}` | {' | '.join(str(count[package]) for count in counts.values())} |")
    print(f"| together | {' | '.join(str(count.total()) for count in counts.values())} |\n")
    of_all = counts["a sample notices"].total() / max(counts["all notice"].total(), 1)
    print(f"A sample notices {of_all:.1%} of what all tests notice.\n")
    print(*missed, sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
