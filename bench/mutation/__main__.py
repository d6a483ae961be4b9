"""Change the product in small ways, one at a time, and see which changes the tests notice.

    python -m bench.mutation                  444 changes drawn by seed 1, against every test
    python -m bench.mutation --sample 7       against the tests that `make test SEED=7` takes
    python -m bench.mutation --folder FOLDER  keeps what is found, and tries what is left

First the tests run once, to see which of them reach which change; then each change is tried against
the tests that reach it. What is left is a missing test, or a change that makes no difference.
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


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m bench.mutation")
    words.add_argument("--number", type=int, default=444, help="how many changes")
    words.add_argument("--seed", type=int, default=1, help="which changes")
    words.add_argument("--sample", type=int, help="the tests of `make test` with this seed")
    words.add_argument("--folder", type=Path, help="where to keep what is found")
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        variables = {
            FOLDER: str(folder),
            "MUTATION_NUMBER": str(given.number),
            "MUTATION_SEED": str(given.seed),
        }
        os.environ.update(variables)
        tests = ["--ignore=tests/browser", "tests"]
        if given.sample is not None:
            tests.insert(0, f"--sample={given.sample}")
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
    drawn = Counter(package_of(mutant.path) for mutant in mutants)
    missed = [mutants[row["number"]] for row in rows if row["noticed"] is None]
    left = Counter(package_of(mutant.path) for mutant in missed)
    print("| package | changes | noticed |\n| --- | ---: | ---: |")
    for package, count in sorted(drawn.items()):
        print(f"| `{package}` | {count} | {count - left[package]} |")
    print(f"| together | {len(mutants)} | {len(mutants) - len(missed)} |\n")
    print(*missed, sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
