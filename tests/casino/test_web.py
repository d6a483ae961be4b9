"""Which peer addresses the web server trusts, and that it answers each request once."""

import re
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from tests.casino.processes import KEYS, environment, manage, visit
from tests.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.processes

ALICE = """
from casino.players.models import Player
Player.objects.create_user("alice", password="a long way to the river")
"""
ADDRESSES = """
from axes.models import AccessAttempt
print(*sorted(AccessAttempt.objects.values_list("ip_address", flat=True)))
"""


@contextmanager
def serving(variables: dict[str, str], out: Path) -> Iterator[str]:
    """The address of a web server with these settings, which ends with the test."""
    with socket.create_server(("127.0.0.1", 0)) as listening, out.open("wb") as log:
        words = [sys.executable, "-m", "casino.web", "--stop-seconds", "1"]
        server = subprocess.Popen(
            [*words, "--fd", str(listening.fileno())],
            env=variables,
            pass_fds=[listening.fileno()],
            stdout=log,
            stderr=log,
        )
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        try:
            until(lambda: visit(f"{address}health/")[0] == 200)
            yield address
        finally:
            server.terminate()
            server.wait()


@pytest.fixture(scope="module")
def house(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a house's processes once its data are ready."""
    folder = tmp_path_factory.mktemp("house")
    variables = environment(folder, DEMO="1", REDIS_URL=f"unix://{folder}/nobody.sock", **KEYS)
    shutil.copy(migrated, folder / "house.sqlite3")
    manage(ALICE, variables)
    return variables


def try_password(address: str, forwarded: str) -> int:
    """A wrong password for alice from somewhere, by a new browser."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    page = f"{address}players/sign-in/"
    headers = {"X-Forwarded-For": forwarded}
    with browser.open(urllib.request.Request(page, headers=headers)) as answer:
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
    assert found
    form = {"csrfmiddlewaretoken": found[1], "username": "alice", "password": "wrong"}
    sent = urllib.request.Request(page, urllib.parse.urlencode(form).encode(), headers)
    try:
        with browser.open(sent) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


@pytest.mark.parametrize(
    ("proxy", "statuses", "addresses"),
    [
        ({}, [422] * 4 + [429], "127.0.0.1"),
        ({"BEHIND_PROXY": "1"}, [422] * 5, " ".join(f"203.0.113.{n}" for n in range(1, 6))),
        ({"BEHIND_PROXY": "1", "PROXIES": "192.0.2.1"}, [422] * 4 + [429], "127.0.0.1"),
    ],
    ids=["no proxy", "a proxy beside it", "a proxy elsewhere"],
)
def test_only_the_trusted_proxy_may_state_the_clients_address(
    house: dict[str, str],
    tmp_path: Path,
    proxy: dict[str, str],
    statuses: list[int],
    addresses: str,
) -> None:
    manage("from axes.models import AccessAttempt; AccessAttempt.objects.all().delete()", house)
    with serving(house | proxy, tmp_path / "out") as address:
        assert [try_password(address, f"203.0.113.{n}") for n in range(1, 6)] == statuses
    assert manage(ADDRESSES, house) == addresses


def exchange(address: str, path: str, host: str) -> bytes:
    """The full answer to one request on one connection."""
    port = urllib.parse.urlsplit(address).port or 0
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as browser:
        browser.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        )
        return b"".join(iter(lambda: browser.recv(65536), b""))


def test_a_wrong_host_is_refused_once_and_without_a_word(
    house: dict[str, str], tmp_path: Path
) -> None:
    with serving(house, tmp_path / "out") as address:
        for path in ("/live/lobby/", "/live/tables/1/"):
            answer = exchange(address, path, "evil.example")
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert answer.count(b"HTTP/1.1") == 1
    assert "Traceback" not in (tmp_path / "out").read_text()


def test_a_stream_reports_a_missing_database_once(house: dict[str, str], tmp_path: Path) -> None:
    with serving(house, tmp_path / "out") as address:
        (Path(house["DATA_DIR"]) / "house.sqlite3").rename(tmp_path / "away")
        try:
            answer = exchange(address, "/live/tables/1/", "localhost")
        finally:
            (tmp_path / "away").replace(Path(house["DATA_DIR"]) / "house.sqlite3")
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert "Unexpected ASGI message" not in (tmp_path / "out").read_text()
