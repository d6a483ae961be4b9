"""Makes each journey many times beside processes that keep the machine busy.

    python -m tests.browser.soak --times 10 --loops 4 [-k name]

makes half of them in each theme, and prints for each journey and theme how often it passed and how
many processor seconds it took: those of Chromium, of its driver, of the house, and of the test
itself. It ends with 1 where one failed. With `--note` it writes what came of it into
`docs/testing.md`, as a release does.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import pytest

JOURNEYS: Final = "tests/browser/journeys"
THEMES: Final = ("light", "dark")
TIMES: Final = "JOURNEY_TIMES"
RESULTS: Final = "JOURNEY_RESULTS"
TICKS: Final = os.sysconf("SC_CLK_TCK")
BURN: Final = "while True: pass"
PAGE: Final = Path(__file__).parents[2] / "docs" / "testing.md"
# The paragraph that says what came of it last.
NOTED: Final = re.compile(r"(?<=\n)Soaked\b[^\n]*(?:\n[^\n]+)*\n")


def seconds_of_tree(process: int) -> float:
    """The processor seconds of a process and all that it has started, and of those that ended."""
    children, spent = defaultdict[int, list[int]](list), dict[int, int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        number = int(stat.parent.name)
        children[int(fields[1])].append(number)
        spent[number] = sum(map(int, fields[11:15]))
    pids, total = [process], 0
    while pids:
        pid = pids.pop()
        total += spent.get(pid, 0)
        pids += children[pid]
    return total / TICKS


# This module is also a plugin of pytest: with it each journey is made many times, and measured.


def pytest_generate_tests(metafunc: Any) -> None:
    times = int(os.environ[TIMES])
    metafunc.fixturenames.append("repetition")
    metafunc.parametrize("repetition", range(times), ids=lambda number: f"time{number}")


@pytest.fixture
def repetition() -> None:
    """It only gives each repetition a name."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = seconds_of_tree(os.getpid())
    result = yield
    # After the last one the house and Chromium have ended, and their seconds are gone.
    spent = max(MADE[item.nodeid], seconds_of_tree(os.getpid())) - before
    name, failed = item.nodeid.split("::", 1)[1], int(item.nodeid in FAILED)
    with Path(os.environ[RESULTS]).open("a") as results:
        results.write(f"{item.path.stem}::{name}\t{spent:.2f}\t{failed}\n")
    return result


MADE: Final = dict[str, float]()
FAILED: Final = set[str]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    MADE[item.nodeid] = seconds_of_tree(os.getpid())


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        FAILED.add(report.nodeid)
        # The run goes on for an hour, and its house is gone by then.
        print(f"\n{report.nodeid}\n{report.longreprtext}", flush=True)


@contextmanager
def busy(loops: int) -> Iterator[None]:
    started = [subprocess.Popen([sys.executable, "-c", BURN]) for _loop in range(loops)]
    try:
        yield
    finally:
        for popen in started:
            popen.kill()
            popen.wait()


def make(theme: str, times: int, options: list[str], results: Path) -> None:
    """Make all journeys in a theme; a process of pytest has one house and one Chromium."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.browser.soak", JOURNEYS]
    variables = {"THEME": theme, TIMES: str(times), RESULTS: str(results)}
    subprocess.run([*command, *options], env=os.environ | variables, check=False)


class Result(NamedTuple):
    """How many times a journey was made, and how many of these failed."""

    made: int
    failed: int


def summary(theme: str, results: Path) -> dict[str, Result]:
    """Print the passes and the seconds of each journey."""
    spent, failures = defaultdict[str, list[float]](list), defaultdict[str, int](int)
    for line in results.read_text().splitlines() if results.exists() else []:
        name, seconds, failed = line.split("\t")
        spent[name.partition("[")[0]].append(float(seconds))
        failures[name.partition("[")[0]] += int(failed)
    for name, seconds_of in sorted(spent.items()):
        passed = len(seconds_of) - failures[name]
        print(
            f"{theme:5} {passed:3} passed {failures[name]:2} failed"
            f" {median(seconds_of):6.2f} s (at most {max(seconds_of):.2f})  {name}"
        )
    return {f"{name} ({theme})": Result(len(of), failures[name]) for name, of in spent.items()}


def noted(page: str, results: dict[str, Result], times: int, loops: int, day: str) -> str:
    """The page with the paragraph that says what came of it."""
    made, failed = (sum(numbers) for numbers in zip(*results.values(), strict=True))
    which = ", ".join(
        f"`{JOURNEYS}/{name.replace('::', '.py::').replace(' ', '` ', 1)} {result.failed}"
        for name, result in results.items()
        if result.failed
    )
    end = f"{failed} failed: {which}." if failed else "none failed."
    text = (
        f"Soaked on {day} by `make soak`: {made} journeys, each {times} times, in light and dark, "
        f"beside {loops} busy loops; {end}"
    )
    lines = textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"
    return NOTED.sub(lambda _: lines, page) if NOTED.search(page) else f"{page}\n{lines}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--loops", type=int, default=4)
    parser.add_argument("--themes", nargs="+", default=THEMES)
    parser.add_argument("--note", action="store_true")
    arguments, options = parser.parse_known_args()
    times, loops, summaries = arguments.times, arguments.loops, dict[str, Result]()
    with tempfile.TemporaryDirectory() as folder, busy(loops):
        for left, theme in zip(range(len(arguments.themes), 0, -1), arguments.themes, strict=True):
            results = Path(folder) / theme
            share = -(-times // left)
            make(theme, share, options, results)
            times -= share
            summaries |= summary(theme, results)
    if arguments.note and summaries:
        day = datetime.now(UTC).date().isoformat()
        PAGE.write_text(noted(PAGE.read_text(), summaries, arguments.times, loops, day))
    return 1 if not summaries or any(result.failed for result in summaries.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
