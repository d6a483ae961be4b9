"""A pytest plugin that tries the sampled changes against the collected tests, one process a change.

    MUTATION_REACH=folder MUTATION_SAMPLE=seed pytest -p bench.mutation.trial tests

Each change is made in a process of its own, in which the tests that reach it run until one fails:
first those that every sample of `make test` takes, then those of one sample, then the others, and
of each first those that are cheap and reach few other changes. So one run says what a sample
notices, and what all tests do. What a function does is exchanged in the functions that are there; a
change in what runs at import is made in a new Python. A line of JSON a change goes to
`trial.jsonl`, with the test that noticed it, or null, with the rank of that test, and with how many
tests were left out because those before them had taken their time.
"""

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple, NoReturn

import pytest
from django.template.loader import get_template

from bench.mutation.changes import ROOT, Mutant, modules, rank, sample
from bench.mutation.reach import CHANGE, FOLDER, HOOK, NUMBER, SEED, at_import, module_name
from bench.mutation.tried import EVERY, OTHERS, RANKS, ranks, tried

TRIED: Final = "trial.jsonl"
PROCESSES: Final = int(os.environ.get("MUTATION_PROCESSES", "2"))
# What the others may take for one change, after a sample has not noticed it.
SECONDS_OF_OTHERS: Final = int(os.environ.get("MUTATION_SECONDS", "60"))
# Of processor time, beyond what the tests themselves take: what loops for ever is stopped.
SECONDS_BEYOND: Final = 20
CHEAP_SECONDS: Final = 0.15
FIRST_BATCH: Final = 10
OF_THE_MODELS: Final = "tests/test_migrations.py::test_models_have_all_their_migrations"
# The place of each test in the order of their collection.
ORDER: Final[dict[str, int]] = {}
RANK: Final[dict[str, int]] = {}
SECONDS: Final[dict[str, float]] = {}
# The functions of each file of the product.
FUNCTIONS: Final[dict[str, list[FunctionType]]] = defaultdict(list)


class Reached(NamedTuple):
    """What is known of the tests: their seconds, and who reaches which change."""

    seconds: dict[str, float]
    tests: dict[int, set[str]]
    # How many changes each test reaches.
    changes: Counter[str]


def reached(folder: Path) -> Reached:
    seconds: dict[str, float] = {}
    tests: dict[int, set[str]] = defaultdict(set)
    prepared: dict[str, set[int]] = defaultdict(set)
    of_module: dict[str, list[str]] = defaultdict(list)
    for file in folder.glob("*.jsonl"):
        if file.name.startswith("trial"):
            continue
        for line in file.read_text().splitlines():
            row = json.loads(line)
            test = row["test"]
            module = test.partition("::")[0]
            if "seconds" in row:
                seconds[test] = row["seconds"]
                of_module[module].append(test)
            for number in row["hits"]:
                tests[number].add(test)
            prepared[module].update(row.get("setup", ()))
    # What one test's preparation reached may be what its module's other tests are about.
    for module, numbers in prepared.items():
        for number in numbers:
            tests[number].update(of_module[module])
    return Reached(seconds, tests, Counter(name for test in tests.values() for name in test))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = tried(items)


def pytest_runtestloop(session: pytest.Session) -> bool:
    _load()
    folder = Path(os.environ[FOLDER])
    known = reached(folder)
    done = folder / TRIED
    tried = (
        {json.loads(line)["number"] for line in done.read_text().splitlines()}
        if done.exists()
        else set()
    )
    items = {item.nodeid: item for item in session.items}
    ORDER.update((name, place) for place, name in enumerate(items))
    RANK.update(ranks(session.items))
    mutants = sample(NUMBER, SEED)
    waiting = [number for number in range(len(mutants)) if number not in tried]
    # Changes at import take a new Python each, so they come last. The others come in the order of
    # the draw, so that what has been tried at any moment is a sample, too.
    waiting.sort(key=lambda number: (at_import(mutants[number]), rank(mutants[number], SEED)))
    running: dict[int, int] = {}
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            number = waiting.pop(0)
            process = os.fork()
            if not process:
                with leaving_nothing():
                    _try(session, number, *_first(items, known, number), known, done)
            running[process] = number
        process, status = os.wait()
        number = running.pop(process, -1)
        if number >= 0 and os.waitstatus_to_exitcode(status):
            _write(done, number, "a limit of time, or a broken process")
    return True


@contextmanager
def leaving_nothing() -> Iterator[None]:
    """End this process even where it fails: it is not to clear up what its parent still uses."""
    try:
        yield
    finally:
        os._exit(1)


def _load() -> None:
    """Load before the first fork what each process would load for itself: modules and templates."""
    from games.boards.pieces.engine import FOLDERS

    # What is frozen is not found.
    gc.unfreeze()
    for path in modules():
        import_module(module_name(path))
    for template in sorted(ROOT.glob("templates/**/*.html")):
        # Pieces are for another engine, which compiles them as they are asked for.
        if not any(map(template.is_relative_to, FOLDERS)):
            get_template(str(template.relative_to(ROOT / "templates")))
    # To search in each process would copy the memory that it shares with its parent.
    for function_type in gc.get_objects():
        if isinstance(function_type, FunctionType):
            FUNCTIONS[function_type.__code__.co_filename].append(function_type)
    gc.freeze()


def _first(
    items: dict[str, pytest.Item], known: Reached, number: int
) -> tuple[list[pytest.Item], int]:
    """The tests that reach a change, in the order in which they are tried, and how many are not.

    A module without functions, such as one of addresses, has no probe: one case of each
    cheap test of its package is tried. What models say, the test of the migrations reads.
    """
    mutant = sample(NUMBER, SEED)[number]
    names = known.tests[number] & items.keys()
    if at_import(mutant):
        if not names:
            package = mutant.path.relative_to(ROOT).parts[0]
            first = {name.partition("[")[0]: name for name in reversed(items)}
            names = {
                name
                for name in first.values()
                if name.startswith((f"tests/{package}/", "tests/games/"))
                and known.seconds.get(name, 1) < CHEAP_SECONDS
            }
        if "models" in mutant.path.with_suffix("").parts:
            names |= {OF_THE_MODELS} & items.keys()

    def costs(name: str) -> float:
        return known.seconds.get(name, 1)

    ordered = sorted(names, key=lambda name: (RANK[name], costs(name) * known.changes[name]))
    spent = accumulate(costs(name) * (RANK[name] == OTHERS) for name in ordered)
    taken = sum(1 for seconds in spent if seconds <= SECONDS_OF_OTHERS)
    return [items[name] for name in ordered[:taken]], len(ordered) - taken


def _try(
    session: pytest.Session,
    number: int,
    items: list[pytest.Item],
    left: int,
    known: Reached,
    done: Path,
) -> NoReturn:
    os.setpgid(0, 0)
    SECONDS.update(known.seconds)
    mutant = sample(NUMBER, SEED)[number]
    log = os.open(os.devnull, os.O_WRONLY)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ[CHANGE] = f"{mutant.path}:{mutant.place}:{mutant.choice}"
    os.environ["PYTHONPATH"] = f"{HOOK}{os.pathsep}{ROOT}"
    noticed: str | None = None
    if not items:
        noticed = None
    elif at_import(mutant):
        noticed = _in_a_new_python(mutant, items)
    else:
        noticed = _here(session, mutant, items)
    _write(done, number, noticed, len(items), left)
    os._exit(0)


def _limit_to(names: Iterable[str]) -> None:
    """End this process when it has taken much longer than its tests do."""
    limit = round(SECONDS_BEYOND + 4 * sum(SECONDS.get(name, 1) for name in names))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    signal.alarm(3 * limit)


def _here(session: pytest.Session, mutant: Mutant, items: list[pytest.Item]) -> str | None:
    """Which test fails with the change and passes without it."""
    for batch in _batches(items):
        if failing_test := _in_a_fork(session, mutant, batch):
            alone = [item for item in batch if item.nodeid == failing_test]
            if not alone or not _in_a_fork(session, None, alone):
                return failing_test
            rest = [item for item in batch if item.nodeid != failing_test]
            if failing_test := _here(session, mutant, rest):
                return failing_test
    return None


def _batches(items: list[pytest.Item]) -> Iterator[list[pytest.Item]]:
    """Of each rank first a few, then more and more, in the order in which they are collected."""
    for kind in RANKS:
        left, size = [item for item in items if RANK[item.nodeid] == kind], FIRST_BATCH
        while left:
            yield sorted(left[:size], key=lambda item: ORDER[item.nodeid])
            left, size = left[size:], 4 * size


def _in_a_fork(
    session: pytest.Session, mutant: Mutant | None, items: list[pytest.Item]
) -> str | None:
    """The first test that fails in a process of its own."""
    end, start = os.pipe()
    process = os.fork()
    if not process:
        with leaving_nothing():
            _limit_to(item.nodeid for item in items)
            failing_test = _first_failure(session, mutant, items)
            os.write(start, (failing_test or "").encode())
            os._exit(0)
    os.close(start)
    with os.fdopen(end) as answer:
        failing_test = answer.read()
    _, status = os.waitpid(process, 0)
    return failing_test or ("a limit of time" if os.waitstatus_to_exitcode(status) else None)


def _first_failure(
    session: pytest.Session, mutant: Mutant | None, items: list[pytest.Item]
) -> str | None:
    if mutant:
        exchange(mutant)
    session.config.workerinput = {"workerid": f"m{os.getpid()}"}  # type: ignore[attr-defined]
    failed: list[str] = []

    class Noticing:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.append(report.nodeid)

    manager = session.config.pluginmanager
    manager.unregister(name="terminalreporter")
    manager.register(Noticing())
    hook = session.config.hook
    hook.pytest_worker_started(number=os.getpid())
    for item, following in zip(items, [*items[1:], None], strict=True):
        hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failed:
            return failed[0]
    return None


def _in_a_new_python(mutant: Mutant, items: list[pytest.Item]) -> str | None:
    """Which test fails where the change is made at import; also where nothing can be imported."""
    for batch in _batches(items):
        names = [item.nodeid for item in batch]
        while failing_test := _first_failed(mutant, names):
            if failing_test not in names or not _first_failed(None, [failing_test]):
                return failing_test
            names.remove(failing_test)
    return None


def _first_failed(mutant: Mutant | None, names: list[str]) -> str | None:
    environment = dict(os.environ)
    if mutant is None:
        del environment[CHANGE], environment["PYTHONPATH"]
    with tempfile.NamedTemporaryFile("w", suffix=".args") as file:
        file.write("\n".join(names))
        file.flush()
        words = ["-x", "-q", "-rfE"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words, f"@{file.name}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env=environment,
            check=False,
            preexec_fn=partial(_limit_to, names),
        )
    if not done.returncode:
        return None
    lines = done.stdout.splitlines()
    failures = [line for line in lines if line.startswith(("FAILED tests", "ERROR tests"))]
    if failures:
        return failures[0].split(" - ")[0].partition(" ")[2]
    return "\n".join(lines[-3:]) or "a limit of time"


def exchange(mutant: Mutant) -> None:
    """Give the functions of the module that are there the changed code."""
    true = compile(mutant.path.read_text(), str(mutant.path), "exec")
    other = compile(mutant.tree(), str(mutant.path), "exec")
    changed = dict(_differences(true, other))
    for function in FUNCTIONS[str(mutant.path)]:
        code = function.__code__
        key = (code.co_qualname, code.co_firstlineno)
        if key in changed:
            function.__code__ = changed[key]


def _differences(true: CodeType, other: CodeType) -> Any:
    for const, two in zip(true.co_consts, other.co_consts, strict=False):
        if isinstance(const, CodeType) and isinstance(two, CodeType) and const != two:
            yield (const.co_qualname, const.co_firstlineno), two
            yield from _differences(const, two)


def _write(done: Path, number: int, noticed: str | None, tests: int = 0, left: int = 0) -> None:
    mutant = sample(NUMBER, SEED)[number]
    row = {"number": number, "change": str(mutant), "noticed": noticed, "tests": tests}
    row["left"] = left
    row["rank"] = RANK.get(noticed or "", EVERY)
    with done.open("a") as file:
        file.write(json.dumps(row) + "\n")
