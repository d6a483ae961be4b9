"""The house that `make run` opens, as real processes."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from casino.ops.server import data_dir, process_guard, supervisor
from casino.ops.server.data_dir import CannotOpen
from casino.ops.server.supervisor import RESTARTS_MAX
from tests.houses import open_house
from tests.houses.supervised import Supervised
from tests.houses.surroundings import environment
from tests.signals import PYTHON
from tests.waiting import PATIENCE_SECONDS, alive, until

# On a busy machine the announcement may be lost: the streams find the version in the table, then.
ANNOUNCE = """
from games.live.announcing import announce
from games.models import Table
Table.objects.filter(pk={table}).update(version={version})
announce({table}, {version})
"""

RECONCILE = """
from django.core.management import call_command
call_command("reconcile", everything=True)
"""


def listen(address: str, path: str) -> socket.socket:
    """Open a stream over a real connection; the caller closes it."""
    host, port = re.findall(r"http://([^:]+):(\d+)/", address)[0]
    browser = socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)
    browser.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    return browser


def read_until(browser: socket.socket, wanted: bytes) -> bytes:
    text = b""
    while wanted not in text:
        piece = browser.recv(4096)
        assert piece, text
        text += piece
        # The heartbeats of a stream that says nothing else would keep it from ever ending.
        assert text.count(b":\n\n") < 20, text
    return text


@pytest.mark.release
@pytest.mark.processes
def test_a_newcomer_opens_a_house_and_it_looks_after_itself(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    with open_house(Supervised, folder=folder, migrated=False) as house:
        assert house.visit()[0] == 200
        for name in ("alice", "operator", "auditor"):
            assert re.search(rf"{name}\s+demo-{name}", house.text())
        assert house.visit("health/") == (200, "ok\n")
        assert house.visit("live/tables/999999/")[0] == 404

        # What filled the house, and what its programs have done since, was done by verbs.
        house.script(RECONCILE)

        second = Supervised(folder)
        assert second.process.wait(PATIENCE_SECONDS) == 1
        assert "open already" in second.text()
        assert str(house.process.pid) in second.text()

        for name in (
            "casino.ops.server.web",
            "casino.ops.sweeper",
            "casino worker",
            "casino beat",
            "valkey",
        ):
            killed = house.one(name)
            os.kill(killed, signal.SIGKILL)
            until(lambda: not alive(killed))  # noqa: B023 - it is called at once
            until(lambda: any(name in command_line for command_line in house.family().values()))  # noqa: B023
        until(lambda: house.visit()[0] == 200)
        assert house.text().count("it is started again") == 5

        table = house.new_table()
        family = house.family()
        assert len(family) >= 7
        browser = listen(house.address, f"/live/tables/{table}/")
        read_until(browser, b"data: 0\n\n")
        house.script(ANNOUNCE.format(table=table, version=1))
        read_until(browser, b"data: 1\n\n")
        assert house.stop(signal.SIGINT) == 0
        assert not [command for pid, command in family.items() if alive(pid)]
        browser.close()

    keys = (folder / "keys.json").read_text()
    # What a shell passes on without a value is as if it were not there.
    empty = dict.fromkeys(("REDIS_URL", "DATABASE_URL", "DEMO", "HOST"), "")
    with open_house(Supervised, folder=folder, variables=empty) as house:
        assert (folder / "keys.json").read_text() == keys
        browser = listen(house.address, f"/live/tables/{table}/")
        read_until(browser, b"data: 1\n\n")
        browser.close()

        family = house.family()
        house.stop(signal.SIGKILL)
        until(lambda: not [pid for pid in family if alive(pid)])
    # And it can be opened again after that.
    held = data_dir.take(folder)
    os.close(held)


class Recorder:
    """In place of the supervisor and its guard: notes what is started and starts nothing."""

    def __init__(self, *given: Any) -> None:
        self.environment: dict[str, str] = given[0] if given else {}
        self.guard = self
        self.started: list[supervisor.Process] = []
        self.ended: list[str] = []

    def start(self, process: supervisor.Process) -> None:
        self.started.append(process)

    def until(self, *_: object) -> bool:
        return True

    def once(self) -> bool:
        return False

    def add(self, _leader: int) -> None:
        pass

    remove = add

    def stop(self) -> None:
        self.ended.append("stopped")

    def dismiss(self) -> None:
        self.ended.append("dismissed")


def test_a_house_starts_its_programs_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "DATA_DIR": str(tmp_path / "house"), "PORT": "0", "HOST": "", "DEMO": " ", "REDIS_URL": "",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    for name in data_dir.KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(supervisor, "Supervisor", Recorder)
    monkeypatch.setattr(supervisor, "Guard", Recorder)
    prepared: list[list[str]] = []

    def prepare(words: list[str], **_: object) -> SimpleNamespace:
        prepared.append(words)
        return SimpleNamespace(pid=0, returncode=0, poll=lambda: 0, wait=lambda: 0)

    monkeypatch.setattr(subprocess, "Popen", prepare)
    monkeypatch.setattr(supervisor, "tell", lambda *_: True)
    house = supervisor.HousePrograms()
    # A second one finds the folder taken, and says by whom.
    assert supervisor.main() == 1
    assert f"open already with the data in {house.folder} (process {os.getpid()})" in (
        capsys.readouterr().out
    )
    house.open()
    house.close()
    do: Any = house.supervisor
    assert do.ended == ["stopped", "dismissed"]
    assert prepared == [[sys.executable, "-m", "casino.ops.prepare"]]
    programs = {process.name: " ".join(process.words) for process in do.started}
    expected = {
        "valkey": f"--unixsocket {house.valkey} --unixsocketperm 700",
        "web": "-m casino.ops.server.web --fd ",
        "sweeper": "-m casino.ops.sweeper",
        "worker": "--app casino worker --pool threads --concurrency 4",
        "simulations": "--app casino worker --pool solo --queues simulations",
        "beat": f"beat --loglevel WARNING --schedule {house.folder / 'beat'} --pidfile",
    }
    assert list(programs) == list(expected)
    for name, words in expected.items():
        assert words in programs[name], name
    assert programs["simulations"].startswith("nice -n 19 ")
    assert f"--fd {do.started[1].pass_on[0]} --stop-seconds 1" in programs["web"]
    # A variable without a value counts as unset; the keys are those in the folder.
    kept = json.loads((house.folder / "keys.json").read_text())
    assert (house.folder / "keys.json").stat().st_mode & 0o077 == 0
    assert {name: do.environment[name] for name in kept} == kept
    assert do.environment["DEMO"] == "1"
    assert do.environment["REDIS_URL"] == f"unix://{house.valkey}"
    said = capsys.readouterr().out
    assert re.search(rf"The house is open after [\d.]+ seconds:  {house.address}\n", said)
    for name in ("alice", "operator", "auditor"):
        assert re.search(rf"{name}\s+demo-{name}", said)
    os.close(data_dir.take(house.folder))


@pytest.mark.processes
def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        house = Supervised(tmp_path / "house", PORT=port)
        assert house.process.wait(PATIENCE_SECONDS) == 1
        assert f"Port {port} is taken" in house.text()
        assert "Traceback" not in house.text()


def test_without_a_port_the_first_free_one_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(data_dir, "FIRST_PORT", taken.getsockname()[1])
        with data_dir.listening_socket("127.0.0.1", "") as listening:
            assert listening.getsockname()[1] > taken.getsockname()[1]


@pytest.mark.parametrize("port", ["x", "-1", "70000", "8000.5"])
def test_a_port_must_be_a_port(port: str) -> None:
    with pytest.raises(CannotOpen, match="PORT must be a number"):
        data_dir.listening_socket("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CannotOpen, match="cannot be used"):
        data_dir.listening_socket("192.0.2.1", "")


def test_data_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotOpen, match="cannot be kept"):
        data_dir.take(tmp_path / "file")


def test_unreadable_keys_are_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{")
    with pytest.raises(CannotOpen, match="cannot be read"):
        data_dir.keys(tmp_path)
    assert (tmp_path / "keys.json").read_text() == "{"


def test_keys_of_the_environment_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "mine")
    monkeypatch.delenv("SEALING_KEYS", raising=False)
    first = data_dir.keys(tmp_path)
    assert first["SECRET_KEY"] == "mine"
    assert data_dir.keys(tmp_path) == first
    # What a shell passes on without a value names no key.
    monkeypatch.setenv("SECRET_KEY", " ")
    assert len(data_dir.keys(tmp_path)["SECRET_KEY"]) > 50


def test_a_long_path_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    assert data_dir.valkey_socket(Path("/srv/house")) == Path("/srv/house/valkey.sock")
    elsewhere = data_dir.valkey_socket(tmp_path / ("deep" * 30))
    assert len(str(elsewhere)) < data_dir.SOCKET_PATH_MAX
    elsewhere.parent.rmdir()


def test_a_house_closes_within_three_seconds() -> None:
    """On an idle machine; `make bench-house` measures it. Here nothing is measured."""
    assert max(supervisor.STOP_SECONDS_MAX, process_guard.END_SECONDS_MAX) < 3


def test_the_jobs_of_a_living_house_wait_for_its_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "Supervisor", Recorder)
    monkeypatch.setattr(supervisor, "Guard", Recorder)
    prepared = SimpleNamespace(pid=0, returncode=0, poll=lambda: 0, wait=lambda: 0)
    monkeypatch.setattr(subprocess, "Popen", lambda *_words, **_given: prepared)
    monkeypatch.setattr(supervisor, "tell", lambda *_: True)
    given = {"PORT": "0", "REDIS_URL": "redis://there/0", "DEMO": "1", "LEAVE_OUT": ""}

    def last_started(**changed: str) -> supervisor.Process:
        for name, value in {**given, **changed, "DATA_DIR": str(tmp_path / "house")}.items():
            monkeypatch.setenv(name, value)
        house = supervisor.HousePrograms()
        house.open()
        house.close()
        do: Any = house.supervisor
        last: supervisor.Process = do.started[-1]
        return last

    history = last_started(DEMO_LIFE="1")
    assert history.name == "history"
    assert history.once
    assert " ".join(history.words).endswith("manage.py demo_history")
    assert last_started(DEMO_LIFE="0").name == "beat"
    assert last_started(DEMO_LIFE="1", DEMO="0").name == "beat"
    assert last_started(DEMO_LIFE="1", LEAVE_OUT="x,casino.office.demonstration").name == "beat"


SUPERVISE = """
import sys
from casino.ops.server import supervisor
# However slowly a program is started on this machine, it ends too often.
supervisor.RESTARTS_WITHIN_SECONDS = 86_400
from casino.ops.server.process_guard import Guard
from casino.ops.server.data_dir import CannotOpen
from casino.ops.server.supervisor import Process, Supervisor
do = Supervisor({}, Guard())
try:
    do.start(Process("done", [sys.executable, "-c", "raise SystemExit(4)"], once=True))
    do.start(Process("broken", [sys.executable, "-c", "print('it broke'); raise SystemExit(3)"]))
    while do.once():
        pass
except CannotOpen as problem:
    print(problem)
finally:
    do.stop()
    do.guard.dismiss()
"""


@pytest.mark.processes
def test_repeatedly_crashing_program_closes_the_house(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SUPERVISE],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("it broke") == RESTARTS_MAX + 1
    assert done.stdout.count("started again") == RESTARTS_MAX
    assert "The house is closed" in done.stdout
    assert done.stdout.count("ended with code 4; the house continues without it") == 1


STUBBORN = """
import signal, sys, time
from casino.ops.server.process_guard import Guard
from casino.ops.server.supervisor import Process, Supervisor
do = Supervisor({}, Guard())
deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf', flush=True);"
process = Process("deaf", [sys.executable, "-c", deaf + "time.sleep(600)"])
do.start(process)
print(process.running.pid, flush=True)
while do.once():
    pass
do.stop()
do.guard.dismiss()
"""


@pytest.mark.processes
@pytest.mark.parametrize(
    "how",
    [
        *(signal.SIGTERM, signal.SIGKILL),
        *(pytest.param(how, marks=pytest.mark.release) for how in (signal.SIGINT, signal.SIGHUP)),
    ],
)
def test_programs_that_ignore_signals_are_killed(tmp_path: Path, how: signal.Signals) -> None:
    process = subprocess.Popen(
        [*PYTHON, "-c", STUBBORN],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    deaf = int(process.stdout.readline())
    assert b"deaf" in process.stdout.readline()
    process.send_signal(how)
    process.wait(PATIENCE_SECONDS)
    until(lambda: not alive(deaf))
    process.stdout.close()
