"""Every check and test, in stages.

    python -m tests             what `make test` runs: a sample, in five minutes on two cores
    python -m tests --seed 7    the sample of another seed; without it, the number of commits
    python -m tests --all       what `make test-all` runs: everything, for a release
    python -m tests --quick     what `make quick` runs, before each commit
    python -m tests lint        one stage alone: lint, sqlite, postgresql, browser, rare

Each stage is printed with its time. At the end come the ten most expensive tests, and what all
processes used together, in processor seconds and in millions of additions (`tests/costs.py`).
"""

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NamedTuple

from tests import browsers, sampling
from tests.costs import SPEED_SECONDS, Cost, processor_seconds, speed

ROOT: Final = Path(__file__).resolve().parent.parent
BIN: Final = Path(sys.executable).parent
STAGES: Final = ("lint", "sqlite", "postgresql", "browser")
RARE: Final = "rare"
# In millions of additions: 5 and 15 seconds of a core that makes 20 million a second, and 25 for a
# journey, which a browser and a house work for as well.
TEST_ADDITIONS_MAX: Final = 100
FILE_ADDITIONS_MAX: Final = 300
JOURNEY_ADDITIONS_MAX: Final = 500
# A run names what costs more than this, and fails beyond so many times as much: the same work
# costs more on a busy machine.
TIMES_MAX: Final = 2
PR_SET_CHILD_SUBREAPER: Final = 36

BROWSER: Final = {True: "tests/browser", False: "tests/browser/journeys"}
PRETTIER: Final = "node_modules/prettier/bin/prettier.cjs"
ESLINT: Final = "node_modules/eslint/bin/eslint.js"
TSC: Final = "node_modules/typescript/bin/tsc"

# Each track's commands run in turn, and the tracks side by side.
STYLE: Final[Sequence[Sequence[str]]] = (
    [f"{BIN}/ruff", "check", "--quiet", "."],
    [f"{BIN}/ruff", "format", "--check", "--quiet", "."],
    [f"{BIN}/lint-imports"],
    [sys.executable, "-m", "docs.checks"],
)
PAGES: Final[Sequence[Sequence[str]]] = (
    [f"{BIN}/djlint", "--lint", "--quiet", "templates"],
    [f"{BIN}/node", PRETTIER, "--check", "--log-level=warn", "static/**/*.js", "static/**/*.css"],
    [f"{BIN}/node", ESLINT, "--config", "tests/scripts/eslint.config.mjs", "static"],
    [f"{BIN}/node", TSC, "--project", "tests/scripts/tsconfig.json"],
)
TYPES: Final[Sequence[Sequence[str]]] = ([f"{BIN}/mypy"],)
# What only a release needs, and what is no test of pytest's.
RARELY: Final[Sequence[Sequence[str]]] = (
    [sys.executable, "-m", "docs.checks", "--release"],
    [f"{BIN}/pytest", "tests/browser/check_access.py", "tests/browser/check_faults.py"],
    [sys.executable, "-m", "bench.faults", "--minutes", "3"],
    [sys.executable, "-m", "tests.containers"],
    [sys.executable, "-m", "bench.shuffles"],
    [sys.executable, "-m", "bench.mutation", "--number", "40"],
)


class Stage(NamedTuple):
    name: str
    passed: bool
    wall: float
    processor: float


class Run:
    """One run: its stages one after the other, and what they have cost."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stages: list[Stage] = []
        self.speeds = [speed()]
        threading.Thread(target=self.watch_the_speed, daemon=True).start()
        self.costs: dict[str, Cost] = {}

    def watch_the_speed(self) -> None:
        """Measure it while the stages run: a processor that shares its core is slower."""
        while True:
            sleep(SPEED_SECONDS)
            self.speeds.append(speed())

    def stage(self, name: str, *tracks: Sequence[Sequence[str]]) -> None:
        print(f"\n== {name}", flush=True)
        start, before = monotonic(), processor_seconds()
        codes: list[int] = []
        threads = [threading.Thread(target=_run, args=[track, codes]) for track in tracks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        reap_orphans()
        wall, processor = monotonic() - start, processor_seconds() - before
        self.stages.append(Stage(name, not any(codes), wall, processor))
        print(f"== {name}: {wall:.0f} s, {processor:.0f} s of a processor", flush=True)

    def tests(
        self,
        name: str,
        *words: str,
        around: Sequence[str] = (),
        beside: Sequence[Sequence[str]] = (),
    ) -> None:
        """A stage of tests, whose costs are kept; `beside` are commands that run meanwhile."""
        file = self.folder / f"{len(self.stages)}.json"
        self.stage(name, [[*around, f"{BIN}/pytest", f"--costs={file}", *words]], beside)
        if file.exists():
            costs = json.loads(file.read_text())
            self.costs |= {f"{name}: {test}": Cost(*cost) for test, cost in costs.items()}

    def report(self, *, limited: bool) -> bool:
        """Print what the run has cost; False where something failed or cost too much."""
        dear = over_the_limits(self.costs) if limited else []
        print("\nThe ten most expensive tests, in processor seconds:")
        for test, cost in sorted(self.costs.items(), key=lambda pair: -pair[1].seconds)[:10]:
            print(f"{cost.seconds:8.2f}  {test}")
        print()
        for stage in self.stages:
            verdict = "passed" if stage.passed else "FAILED"
            print(
                f"{stage.name:<12}{verdict:<8}"
                f"{stage.wall:6.0f} s {stage.processor:8.0f} s of a processor"
            )
        wall = sum(stage.wall for stage in self.stages)
        processor = sum(stage.processor for stage in self.stages)
        average = sum(self.speeds) / len(self.speeds)
        print(
            f"{'together':<20}{wall:6.0f} s {processor:8.0f} s of a processor, "
            f"{processor * average:,.0f} million additions ({average:.1f} million a second)"
        )
        for overrun in dear:
            print(overrun.sentence)
        return not any(overrun.fails for overrun in dear) and all(
            stage.passed for stage in self.stages
        )


def adopt_orphans() -> None:
    """Have processes whose parent was killed counted as well, where the system is Linux.

    A browser leaves several, as it is killed at the end.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap_orphans() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _run(track: Sequence[Sequence[str]], codes: list[int]) -> None:
    for command in track:
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            print(f"-- failed with {code}: {' '.join(map(str, command))}", flush=True)
        codes.append(code)


class Dear(NamedTuple):
    """A test or a file that costs more than it should, by times its limit."""

    name: str
    additions: float
    limit: int

    @property
    def fails(self) -> bool:
        return self.additions > TIMES_MAX * self.limit

    @property
    def sentence(self) -> str:
        verdict = "TOO EXPENSIVE" if self.fails else "To be made cheaper"
        return (
            f"{verdict}: {self.name} takes {self.additions:.0f} million additions, should take "
            f"{self.limit}, and may take {TIMES_MAX * self.limit}"
        )


def over_the_limits(costs: dict[str, Cost]) -> list[Dear]:
    tests = {test: cost.additions for test, cost in costs.items()}
    files: dict[str, float] = defaultdict(float)
    for test, additions in tests.items():
        files[test.partition("::")[0]] += additions
    dears = []
    for limit, costly in ((TEST_ADDITIONS_MAX, tests), (FILE_ADDITIONS_MAX, files)):
        for name, additions in costly.items():
            dear = Dear(name, additions, JOURNEY_ADDITIONS_MAX if "/journeys/" in name else limit)
            if additions > dear.limit:
                dears.append(dear)
    return dears


def seed_of_this_commit() -> int:
    """The number of commits, so that commits in a row take samples in a row."""
    counted = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return int(counted.stdout) if counted.returncode == 0 else 0


def options() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="python -m tests")
    words.add_argument("stages", nargs="*", metavar="STAGE", help=", ".join(STAGES))
    words.add_argument("--seed", type=int, help="which sample to take")
    words.add_argument("--all", action="store_true", help="everything, for a release")
    words.add_argument("--quick", action="store_true", help="what to run before each commit")
    given = words.parse_args()
    if unknown := set(given.stages) - {*STAGES, RARE}:
        words.error(f"no stages: {', '.join(unknown)}")
    return given


def _usual_stages(given: argparse.Namespace) -> Sequence[str]:
    if given.quick:
        return STAGES[1:2]
    return (*STAGES, RARE) if given.all else STAGES


def main() -> int:
    given = options()
    stages = given.stages or _usual_stages(given)
    adopt_orphans()
    workers = [f"--workers={os.cpu_count()}"]
    sample: list[str] = []
    if given.quick:
        sample = ["--quick"]
    elif not given.all and stages != ["lint"]:
        seed = seed_of_this_commit() if given.seed is None else given.seed
        sample = [f"--sample={seed}"]
        print(f"The sample of seed {seed}: `make test SEED={seed}` takes the same tests again.")
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder))
        if "lint" in stages:
            run.stage("lint", TYPES, [*STYLE, *PAGES])
        if "sqlite" in stages:
            words = [*workers, *sample, "--ignore=tests/browser", "tests"]
            # Style takes one processor for ten seconds, as do the imports of all tests.
            run.tests("sqlite", *words, beside=STYLE if given.quick else ())
        if "postgresql" in stages:
            cluster = [sys.executable, "-m", "tests.cluster", "--optional"]
            words = ["--on-postgresql", *(f"tests/{name}" for name in sampling.ON_THE_DATABASE)]
            run.tests("postgresql", *workers, *sample, *words, around=cluster)
        if "browser" in stages and browsers.chromium():
            # For half of the journeys a second house and browser cost more than they save.
            side_by_side = workers if given.all else []
            run.tests("browser", *side_by_side, *sample, BROWSER[given.all])
        if RARE in stages:
            run.stage(RARE, RARELY)
        passed = run.report(limited=bool(sample))
    if "postgresql" in stages:
        subprocess.run([sys.executable, "-m", "tests.cluster", "--which"], cwd=ROOT, check=False)
    if "browser" in stages:
        print("\n".join(browsers.missing()))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
