"""Which peer addresses the web server trusts, and that it answers each request once."""

import asyncio
import re
import signal
import socket
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from casino.ops.server import web
from tests.houses import open_house
from tests.houses.programs import Programs
from tests.waiting import PATIENCE_SECONDS

FORWARDED = "203.0.113.7"


@pytest.mark.parametrize(
    ("proxy", "seen"),
    [
        ({}, "127.0.0.1"),
        ({"BEHIND_PROXY": "1"}, FORWARDED),
        ({"BEHIND_PROXY": "1", "PROXIES": "192.0.2.1"}, "127.0.0.1"),
    ],
    ids=["no proxy", "a proxy beside it", "a proxy elsewhere"],
)
def test_only_the_trusted_proxy_may_state_the_clients_address(
    monkeypatch: pytest.MonkeyPatch, proxy: dict[str, str], seen: str
) -> None:
    for name, value in ({"BEHIND_PROXY": "", "PROXIES": ""} | proxy).items():
        monkeypatch.setenv(name, value)
    clients: list[str] = []

    async def application(scope: dict[str, Any], _receive: object, _send: object) -> None:
        clients.append(scope["client"][0])

    config = uvicorn.Config(application, **web.options())
    config.load()
    scope: Any = {
        "type": "http",
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "headers": [(b"x-forwarded-for", FORWARDED.encode())],
    }
    application_of_the_server: Any = config.loaded_app
    asyncio.run(application_of_the_server(scope, None, None))
    assert clients == [seen]


def try_password(address: str) -> int:
    """Send a wrong password for alice through a proxy."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    page, headers = f"{address}players/sign-in/", {"X-Forwarded-For": FORWARDED}
    with browser.open(urllib.request.Request(page, headers=headers)) as answer:
        match = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
    assert match
    form = {"csrfmiddlewaretoken": match[1], "username": "alice", "password": "wrong"}
    sent = urllib.request.Request(page, urllib.parse.urlencode(form).encode(), headers)
    try:
        with browser.open(sent) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def exchange(house: Programs, path: str, host: str) -> bytes:
    """The full answer to one request on one connection."""
    with socket.create_connection(("127.0.0.1", house.port), timeout=PATIENCE_SECONDS) as browser:
        browser.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        )
        return b"".join(iter(lambda: browser.recv(65536), b""))


@pytest.mark.processes
def test_the_server_answers_each_request_once(tmp_path: Path) -> None:
    with open_house(Programs, only=["web"], variables={"BEHIND_PROXY": "1"}) as house:
        assert try_password(house.address) == 422
        assert house.sql("SELECT ip_address FROM axes_accessattempt") == [(FORWARDED,)]
        house.log("web 1").write_text("")
        for path in ("/live/lobby/", "/live/tables/1/"):
            answer = exchange(house, path, "evil.example")
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert answer.count(b"HTTP/1.1") == 1
        assert "Traceback" not in house.said("web 1")
        house.database.rename(tmp_path / "away")
        try:
            answer = exchange(house, "/live/tables/1/", "localhost")
        finally:
            (tmp_path / "away").replace(house.database)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert "Unexpected ASGI message" not in house.said("web 1")


def test_the_server_stops_at_once_although_it_seldom_wakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "TICK_SECONDS", 10 * PATIENCE_SECONDS)

    async def application(_scope: object, _receive: object, _send: object) -> None: ...

    async def meeting() -> None:
        server = web.Server(uvicorn.Config(application, **web.options()))
        running = asyncio.create_task(server.main_loop())
        await asyncio.sleep(0)
        assert not running.done()
        server.handle_exit(signal.SIGTERM, None)
        await asyncio.wait_for(running, PATIENCE_SECONDS)

    asyncio.run(meeting())
