"""The house that `make run` opens, as real processes."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from casino import premises
from casino.premises import CannotOpen
from casino.supervisor import RESTARTS_MAX
from tests.casino.opened import NEW_TABLE, Opened, environment, opened, visit
from tests.waiting import alive, until

SECONDS_TO_CLOSE = 3
ANNOUNCE = "from games.live import announce; announce({table}, {version})"


def listen(address: str, path: str) -> socket.socket:
    """Open a stream over a real connection; it is closed by whoever asked."""
    host, port = re.findall(r"http://([^:]+):(\d+)/", address)[0]
    browser = socket.create_connection((host, int(port)), timeout=30)
    browser.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    return browser


def read_until(browser: socket.socket, wanted: bytes) -> bytes:
    text = b""
    deadline = time.monotonic() + 30  # the heartbeat of a stream would keep it from ever timing out
    while wanted not in text:
        assert time.monotonic() < deadline, text
        piece = browser.recv(4096)
        assert piece, text
        text += piece
    return text


def test_a_newcomer_opens_a_house_and_it_looks_after_itself(tmp_path: Path) -> None:
    with opened(tmp_path / "house") as house:
        address = house.wait_until_open()
        assert visit(address)[0] == 200
        for name in ("alice", "operator", "auditor"):
            assert re.search(rf"{name}\s+demo-{name}", house.text())
        assert visit(f"{address}health/") == (200, "ok\n")
        assert visit(f"{address}live/tables/999999/")[0] == 404

        second = Opened(tmp_path / "house", PORT="0")
        assert second.process.wait(60) == 1
        assert "open already" in second.text()
        assert str(house.process.pid) in second.text()

        for name in ("uvicorn", "worker", "beat", "valkey"):
            killed = house.one(name)
            os.kill(killed, signal.SIGKILL)
            until(lambda: not alive(killed))  # noqa: B023 - it is called at once
            until(lambda: any(name in one for one in house.family().values()))  # noqa: B023
        until(lambda: visit(address)[0] == 200, 30)
        assert house.text().count("it is started again") == 4


def test_it_closes_in_time_and_keeps_its_data(tmp_path: Path) -> None:
    with opened(tmp_path / "house") as house:
        address = house.wait_until_open()
        table = house.manage(NEW_TABLE)
        family = house.family()
        assert len(family) >= 6
        browser = listen(address, f"/live/tables/{table}/")
        read_until(browser, b"data: 0\n\n")
        house.manage(ANNOUNCE.format(table=table, version=1))
        read_until(browser, b"data: 1\n\n")

        began = time.monotonic()
        assert house.stop(signal.SIGINT) == 0
        assert time.monotonic() - began < SECONDS_TO_CLOSE
        assert not [command for pid, command in family.items() if alive(pid)]
        browser.close()

    keys = (tmp_path / "house" / "keys.json").read_text()
    with opened(tmp_path / "house") as house:
        address = house.wait_until_open()
        assert (tmp_path / "house" / "keys.json").read_text() == keys
        assert (tmp_path / "house" / "keys.json").stat().st_mode & 0o077 == 0
        browser = listen(address, f"/live/tables/{table}/")
        read_until(browser, b"data: 0\n\n")
        browser.close()

        family = house.family()
        house.stop(signal.SIGKILL)
        until(lambda: not [pid for pid in family if alive(pid)])
    # And it can be opened again after that.
    held = premises.take(tmp_path / "house")
    os.close(held)


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        house = Opened(tmp_path / "house", PORT=port)
        assert house.process.wait(60) == 1
        assert f"Port {port} is taken" in house.text()
        assert "Traceback" not in house.text()


def test_without_a_port_the_first_free_one_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(premises, "FIRST_PORT", taken.getsockname()[1])
        with premises.listening_socket("127.0.0.1", "") as listening:
            assert listening.getsockname()[1] > taken.getsockname()[1]


@pytest.mark.parametrize("port", ["x", "-1", "70000", "8000.5"])
def test_a_port_must_be_a_port(port: str) -> None:
    with pytest.raises(CannotOpen, match="PORT must be a number"):
        premises.listening_socket("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CannotOpen, match="cannot be used"):
        premises.listening_socket("192.0.2.1", "")


def test_data_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotOpen, match="cannot be kept"):
        premises.take(tmp_path / "file")


def test_keys_that_cannot_be_read_are_never_made_anew(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{")
    with pytest.raises(CannotOpen, match="cannot be read"):
        premises.keys(tmp_path)
    assert (tmp_path / "keys.json").read_text() == "{"


def test_keys_of_the_environment_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "mine")
    monkeypatch.delenv("SEALING_KEYS", raising=False)
    first = premises.keys(tmp_path)
    assert first["SECRET_KEY"] == "mine"
    assert premises.keys(tmp_path) == first


def test_a_long_path_gets_its_socket_elsewhere(tmp_path: Path) -> None:
    assert premises.valkey_socket(Path("/srv/house")) == Path("/srv/house/valkey.sock")
    elsewhere = premises.valkey_socket(tmp_path / ("deep" * 30))
    assert len(str(elsewhere)) < premises.SOCKET_PATH_MAX
    elsewhere.parent.rmdir()


SUPERVISE = """
import sys
from casino.guard import Guard
from casino.premises import CannotOpen
from casino.supervisor import Process, Supervisor
do = Supervisor({}, Guard())
try:
    do.start(Process("broken", [sys.executable, "-c", "print('it broke'); raise SystemExit(3)"]))
    while do.once():
        pass
except CannotOpen as problem:
    print(problem)
finally:
    do.stop()
    do.guard.dismiss()
"""


def test_what_ends_again_and_again_closes_the_house(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SUPERVISE],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.count("it broke") == RESTARTS_MAX + 1
    assert done.stdout.count("started again") == RESTARTS_MAX
    assert "The house is closed" in done.stdout


STUBBORN = """
import signal, sys, time
from casino.guard import Guard
from casino.supervisor import Process, Supervisor
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


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_what_does_not_listen_is_ended_all_the_same(tmp_path: Path, how: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN], env=environment(tmp_path), stdout=subprocess.PIPE
    )
    assert process.stdout
    deaf = int(process.stdout.readline())
    assert b"deaf" in process.stdout.readline()
    began = time.monotonic()
    process.send_signal(how)
    process.wait(30)
    until(lambda: not alive(deaf))
    assert time.monotonic() - began < SECONDS_TO_CLOSE
    process.stdout.close()
