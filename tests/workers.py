"""A pytest plugin that runs tests in several processes: `pytest --workers 2`.

The tests are imported and collected once. Then this process forks its workers, each of which takes
the next module from a queue and reports what it finds. What a worker must have for itself, such
as a database, it makes after it was forked: `pytest_worker_started` in `tests/conftest.py`.
"""

import gc
import os
import pickle
import selectors
import signal
import struct
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, BinaryIO, Final, NoReturn

import pytest

from tests.deep_calls import with_room

# Next to nothing of what is imported and collected is garbage.
gc.disable()

PLACE: Final = struct.Struct("I")


class Hooks:
    """The hook that this plugin adds to pytest's."""

    @pytest.hookspec()
    def pytest_workers_starting(self, session: pytest.Session) -> None:
        """Prepare what all workers share; called once, before they are forked."""

    @pytest.hookspec()
    def pytest_worker_started(self, number: int) -> None:
        """Make what this worker is to have for itself; called in the worker, before its tests."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, help="run modules in so many processes")


def pytest_collection_finish() -> None:
    """What was collected stays: the search for garbage passes it over, and copies no pages."""
    gc.freeze()
    # At Python's own pace the search takes a twelfth of the time of all tests.
    gc.set_threshold(50_000)
    gc.enable()


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    count = session.config.getoption("--workers")
    collected_in_vain = (
        session.testsfailed and not session.config.option.continue_on_collection_errors
    )
    if not count or session.config.option.collectonly or collected_in_vain:
        return None
    modules = [list(group) for _, group in groupby(session.items, key=taken_together)]
    session.config.hook.pytest_workers_starting(session=session)
    with _queue(len(modules)) as queue:
        workers = [_start(session, number, modules, queue) for number in range(1, count + 1)]
    _follow(session, workers)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    return True


def taken_together(item: pytest.Item) -> object:
    """Modules that say the same `SCENE` go to one worker, which builds it once."""
    return getattr(item.module, "SCENE", item.path)  # type: ignore[attr-defined]


# The side of the workers


@contextmanager
def _queue(length: int) -> Iterator[int]:
    """A pipe from which each worker reads the place of its next module until it is empty."""
    end, start = os.pipe()
    with os.fdopen(start, "wb") as filling:
        filling.write(b"".join(PLACE.pack(place) for place in range(length)))
    yield end
    os.close(end)


@dataclass
class Worker:
    number: int
    process: int
    reports: BinaryIO
    at: str = ""
    finished: bool = False


def _start(
    session: pytest.Session, number: int, modules: list[list[pytest.Item]], queue: int
) -> Worker:
    end, start = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if not process:
        os.close(end)
        _work(session, number, modules, queue, os.fdopen(start, "wb", buffering=0))
    os.close(start)
    return Worker(number, process, os.fdopen(end, "rb"))


def _work(
    session: pytest.Session,
    number: int,
    modules: list[list[pytest.Item]],
    queue: int,
    pipe: BinaryIO,
) -> NoReturn:
    """Run modules until none is left, in a process that ends without the parent's clearing up."""
    code = 1
    try:
        # Plugins know by this, as under pytest-xdist, that they are in one of several processes.
        session.config.workerinput = {"workerid": f"gw{number}"}  # type: ignore[attr-defined]
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        manager = session.config.pluginmanager
        _capture_apart(manager.getplugin("capturemanager"))
        manager.unregister(name="terminalreporter")
        manager.register(Sending(session.config, pipe), "sending")
        session.config.hook.pytest_worker_started(number=number)
        with_room(_run, session, modules, queue)
        session.config.hook.pytest_sessionfinish(session=session, exitstatus=0)
        _send(pipe, "finished", None)
        code = 0
    except SystemExit:
        session.config.hook.pytest_sessionfinish(session=session, exitstatus=1)
    except BaseException:
        _send(pipe, "broken", traceback.format_exc())
    finally:
        os._exit(code)


def _run(session: pytest.Session, modules: list[list[pytest.Item]], queue: int) -> None:
    for item, following in _pairs(modules, queue):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            break


def _capture_apart(capture: Any) -> None:
    """Let what is captured go to files of this process, by the streams that are known already."""
    capture.resume_global_capture()
    for stream, captured in ((sys.stdout, 1), (sys.stderr, 2)):
        if stream.fileno() != captured:
            with tempfile.TemporaryFile(buffering=0) as own:
                os.dup2(own.fileno(), stream.fileno())
                os.dup2(own.fileno(), captured)
    capture.suspend_global_capture()


def _pairs(
    modules: list[list[pytest.Item]], queue: int
) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with the next one; before a module's last test it is known what comes after."""
    items = _next(modules, queue)
    while items:
        yield from pairwise(items)
        following = _next(modules, queue)
        yield items[-1], following[0] if following else None
        items = following


def _next(modules: list[list[pytest.Item]], queue: int) -> list[pytest.Item]:
    read = os.read(queue, PLACE.size)
    return modules[PLACE.unpack(read)[0]] if read else []


class Sending:
    """Sends what happens in a worker to the process that prints it."""

    def __init__(self, config: pytest.Config, pipe: BinaryIO) -> None:
        self.config = config
        self.pipe = pipe

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        _send(self.pipe, "start", (nodeid, location))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        _send(self.pipe, "report", data)

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        _send(self.pipe, "finish", (nodeid, location))

    def pytest_warning_recorded(self, warning_message: Any, when: Any, nodeid: str) -> None:
        _send(self.pipe, "warning", (str(warning_message.message), nodeid))


def _send(pipe: BinaryIO, kind: str, what: Any) -> None:
    message = pickle.dumps((kind, what))
    message = PLACE.pack(len(message)) + message
    while message:
        message = message[pipe.write(message) :]


# The side of the process that prints


def _follow(session: pytest.Session, workers: list[Worker]) -> None:
    """Pass on what the workers send until all have ended."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.reports, selectors.EVENT_READ, worker)
        try:
            while selector.get_map():
                for key, _ in selector.select():
                    if not _hear(session, key.data):
                        selector.unregister(key.fileobj)
                        _ended(session, key.data)
                if session.shouldfail or session.shouldstop:
                    break
        finally:
            for worker in workers:
                if not worker.finished:
                    _stop(worker)


def _hear(session: pytest.Session, worker: Worker) -> bool:
    """Pass on one message; False where the worker has ended."""
    head = worker.reports.read(PLACE.size)
    if len(head) < PLACE.size:
        return False
    kind, what = pickle.loads(worker.reports.read(PLACE.unpack(head)[0]))
    hook = session.config.hook
    if kind == "start":
        worker.at = what[0]
        hook.pytest_runtest_logstart(nodeid=what[0], location=what[1])
    elif kind == "report":
        report = hook.pytest_report_from_serializable(config=session.config, data=what)
        hook.pytest_runtest_logreport(report=report)
    elif kind == "finish":
        hook.pytest_runtest_logfinish(nodeid=what[0], location=what[1])
    elif kind == "warning":
        print(f"\n{what[1]}: {what[0]}")
    elif kind == "finished":
        worker.finished = True
    elif kind == "broken":
        print(f"\nworker {worker.number} broke: {what}")
    return True


def _ended(session: pytest.Session, worker: Worker) -> None:
    """A worker that ended before its last test is a failure of the test it was at."""
    _, status = os.waitpid(worker.process, 0)
    if worker.finished:
        return
    worker.finished = True
    file = worker.at.partition("::")[0]
    sentence = f"worker {worker.number} ended in this test: {os.waitstatus_to_exitcode(status)}"
    report = pytest.TestReport(worker.at, (file, None, file), {}, "failed", sentence, "call")
    session.config.hook.pytest_runtest_logreport(report=report)


def _stop(worker: Worker) -> None:
    os.kill(worker.process, signal.SIGTERM)
    os.waitpid(worker.process, 0)
