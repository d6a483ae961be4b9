"""A pytest plugin that says what each test costs: `pytest --costs FILE`.

A cost is in processor seconds, with those of the processes that the test started and waited for,
and in millions of additions: processor seconds times the additions that this interpreter makes in
one of them. Seconds differ from host to host; additions hardly do.
"""

import json
import os
import resource
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import monotonic, thread_time
from typing import Any, Final, NamedTuple, cast

import pytest

ADDITIONS: Final = 200_000
# The speed of a shared machine drifts: it is measured again after so many seconds.
SPEED_SECONDS: Final = 5
# A single measurement takes milliseconds, in which another process may halve it: so many count.
SPEEDS: Final = 5


class Cost(NamedTuple):
    seconds: float
    additions: float


def speed() -> float:
    """Millions of additions that this interpreter makes in a processor second."""
    total, start = 0, thread_time()
    for number in range(ADDITIONS):
        total += number
    return ADDITIONS / 1_000_000 / (thread_time() - start)


def processor_seconds() -> float:
    """What this process and those that it waited for have used."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(rusage.ru_utime + rusage.ru_stime for rusage in used)


def _spent(item: pytest.Item) -> float:
    """A browser and its house serve many tests, so they are counted while they live."""
    spent = processor_seconds()
    return spent + _of_descendants() if "browser" in getattr(item, "fixturenames", ()) else spent


def _of_descendants() -> float:
    """What the processes below this one have used, where `/proc` says so."""
    parents, seconds = dict[int, int](), dict[int, float]()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = file.read_text().rpartition(")")[2].split()
            number = int(file.parent.name)
            parents[number] = int(words[1])
            seconds[number] = sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
    below, descendants = {os.getpid()}, 0.0
    while below:
        below = {number for number, parent in parents.items() if parent in below}
        descendants += sum(seconds[number] for number in below)
    return descendants


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=Path, help="write what each test costs to this file")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--costs"):
        config.pluginmanager.register(Measuring(), "measuring-costs")
        config.pluginmanager.register(Collecting(config.getoption("--costs")), "collecting-costs")


class Measuring:
    """Adds its cost to a test's last report, in the process that runs it."""

    def __init__(self) -> None:
        self.speeds, self.measured_at = deque[float](maxlen=SPEEDS), 0.0
        self.before, self.until = 0.0, ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: Any) -> Iterator[Any]:
        if monotonic() - self.measured_at > SPEED_SECONDS:
            # The first test is not to depend on one alone.
            missing = SPEEDS - len(self.speeds)
            self.speeds.extend(speed() for _ in range(max(1, missing)))
            self.measured_at = monotonic()
        self.before = _spent(item)
        # After the last test everything is torn down that tests have shared.
        self.until = "teardown" if nextitem else "call"
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.when == self.until:
            seconds = _spent(item) - self.before
            cost = Cost(round(seconds, 3), round(seconds * median(self.speeds), 1))
            report.user_properties.append(("cost", cost))
        return report


class Collecting:
    """Writes the costs of all tests, in the process that prints their results."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.costs: dict[str, Cost] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == "cost":
                self.costs[report.nodeid] = cast(Cost, value)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):
            self.path.write_text(json.dumps(self.costs))
