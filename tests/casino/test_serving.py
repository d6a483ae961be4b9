"""One origin serves pages from threads and streams from the loop; no client blocks either."""

import asyncio
import gc
import os
import re
import runpy
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from casino import asgi
from casino.office.house import versions
from casino.ops import environment
from casino.ops.metrics import counting
from casino.ops.server import pages
from tests.houses.folder import Folder
from tests.houses.surroundings import KEYS, REMOVED
from tests.waiting import PATIENCE_SECONDS
from wallets.values.house import AS_BUILT, read_by


@pytest.fixture(autouse=True)
def as_built() -> Iterator[None]:
    """No test here has a database, from which a process that begins reads what the house is."""
    read_by(lambda: AS_BUILT)
    yield
    read_by(versions.read_current)


class Request:
    """One request as a server hands it over, and what was answered."""

    def __init__(self, method: str, path: str, pieces: list[bytes] | None = None) -> None:
        self.scope: dict[str, Any] = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "http_version": "1.1",
            "scheme": "http",
            "headers": [(b"host", b"localhost")],
            "client": ("127.0.0.1", 1),
        }
        self.pieces = pieces if pieces is not None else [b""]
        self.gone = asyncio.Event()
        self.status = 0
        self.body = b""
        self.headers: list[tuple[bytes, bytes]] = []

    async def receive(self) -> dict[str, Any]:
        if not self.pieces:
            await self.gone.wait()
            return {"type": "http.disconnect"}
        piece = self.pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(self.pieces) or not piece}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            self.headers = list(message["headers"])
        self.body += message.get("body", b"")


class Get(Request):
    async def receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}


@asynccontextmanager
async def living(house: asgi.Application) -> AsyncIterator[asgi.Application]:
    """A house between the server's start and its end."""
    messages: asyncio.Queue[str] = asyncio.Queue()
    answers: asyncio.Queue[str] = asyncio.Queue()

    async def receive() -> dict[str, Any]:
        return {"type": await messages.get()}

    async def send(message: dict[str, Any]) -> None:
        await answers.put(message["type"])

    life = asyncio.create_task(house({"type": "lifespan"}, receive, send))
    await messages.put("lifespan.startup")
    assert await answers.get() == "lifespan.startup.complete"
    try:
        yield house
    finally:
        await messages.put("lifespan.shutdown")
        assert await answers.get() == "lifespan.shutdown.complete"
        await life
        house.threads.shutdown(wait=True)
        gc.collect(1)  # the connections of threads that have ended stand in circles


@pytest.mark.always
@pytest.mark.django_db(transaction=True)
def test_pages_and_streams_have_one_origin() -> None:
    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            page, stream, socket = Get("GET", "/health/"), Get("GET", "/live/"), Get("GET", "/")
            await house(page.scope, page.receive, page.send)
            assert (page.status, page.body) == (200, b"ok\n")
            await house(stream.scope, stream.receive, stream.send)
            assert stream.status == 404
            closed: list[str] = []

            async def send(message: dict[str, Any]) -> None:
                closed.append(message["type"])

            await house({**socket.scope, "type": "websocket"}, socket.receive, send)
            assert closed == ["websocket.close"]

    asyncio.run(meeting())


@pytest.mark.django_db(transaction=True)
def test_a_slow_sender_holds_no_thread(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(pages, "BODY_SECONDS_MAX", 0.3)
    settings.WEB_THREADS = 1

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            slow = [Request("POST", "/lobby/", [b"a="]) for _ in range(20)]
            for request in slow:
                request.pieces = [b""]  # it has begun, and never goes on
            waiting = [
                asyncio.create_task(house(request.scope, request.receive, request.send))
                for request in slow
            ]
            page = Get("GET", "/health/")
            await house(page.scope, page.receive, page.send)
            assert page.status == 200
            await asyncio.gather(*waiting)
            assert {request.status for request in slow} == {408}

    asyncio.run(meeting())


def test_a_slow_reader_holds_no_thread(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(pages, "ANSWER_SECONDS_MAX", 0.3)
    settings.WEB_THREADS = 1
    large = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"

    async def take_nothing(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            slow = [Get("GET", large) for _ in range(5)]
            reading = [
                asyncio.create_task(house(get.scope, get.receive, take_nothing)) for get in slow
            ]
            page = Get("GET", "/fairness/verify.py")
            async with asyncio.timeout(PATIENCE_SECONDS):
                await house(page.scope, page.receive, page.send)
                assert page.status == 200
                await asyncio.gather(*reading)

    asyncio.run(meeting())


@pytest.mark.django_db(transaction=True)
def test_the_value_of_a_header_begins_with_no_space() -> None:
    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            page = Get("GET", "/players/sign-in/")
            await house(page.scope, page.receive, page.send)
            assert b"set-cookie" in dict(page.headers)
            assert [value for _name, value in page.headers if value != value.strip()] == []

    asyncio.run(meeting())


def test_proxy_header_is_trusted_in_one_spelling_only(settings: Any) -> None:
    """A proxy sets the one with dashes, and would let the other through."""
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_SSL_REDIRECT = True

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            for name, status in ((b"x-forwarded-proto", 200), (b"x_forwarded_proto", 301)):
                page = Get("GET", "/fairness/verify.py")
                page.scope["headers"] = [*page.scope["headers"], (name, b"https")]
                await house(page.scope, page.receive, page.send)
                assert page.status == status, name

    asyncio.run(meeting())


def test_too_much_is_refused_before_it_is_read_whole(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            large = Request("POST", "/lobby/", [b"x" * 600] * 50)
            await house(large.scope, large.receive, large.send)
            assert large.status == 413
            assert len(large.pieces) == 48

    asyncio.run(meeting())


def test_disconnect_while_sending_gets_no_response() -> None:
    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            left = Request("POST", "/lobby/", [])
            left.gone.set()
            await house(left.scope, left.receive, left.send)
            assert left.status == 0

    asyncio.run(meeting())


class HeldPages:
    """Pages that are served once a test lets them go on, in the order in which they were begun."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.served: list[str] = []

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.served.append(environ["PATH_INFO"])
        self.begun.set()
        assert self.go_on.wait(PATIENCE_SECONDS)
        start_response("200 OK", [])
        return [b""]


def test_a_client_that_gave_up_while_it_waited_costs_no_work(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.WEB_THREADS = 1
    held = HeldPages()
    monkeypatch.setattr(asgi, "get_wsgi_application", lambda: held)

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            requests = [Request("GET", f"/{name}/", [b"x"]) for name in ("first", "gone", "last")]
            answers = [
                asyncio.create_task(house(request.scope, request.receive, request.send))
                for request in requests
            ]
            await asyncio.to_thread(held.begun.wait, PATIENCE_SECONDS)
            first, gone, last = requests
            gone.gone.set()
            await asyncio.sleep(0)
            held.go_on.set()
            await asyncio.gather(*answers)
            assert (first.status, last.status) == (200, 200)

    asyncio.run(meeting())
    assert held.served == ["/first/", "/last/"]


def test_a_move_goes_before_those_who_only_look(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.WEB_THREADS = 1
    held = HeldPages()
    monkeypatch.setattr(asgi, "get_wsgi_application", lambda: held)

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            requests = [Request("GET", f"/look {number}", [b"x"]) for number in range(3)]
            requests += [Request("POST", f"/move {number}", [b"x"]) for number in range(6)]
            requests += [Request("GET", "/ready/", [b"x"])]
            answers = [
                asyncio.create_task(house(request.scope, request.receive, request.send))
                for request in requests
            ]
            await asyncio.to_thread(held.begun.wait, PATIENCE_SECONDS)
            held.go_on.set()
            await asyncio.gather(*answers)
            assert {request.status for request in requests} == {200}

    asyncio.run(meeting())
    moves = [f"/move {number}" for number in range(6)]
    assert held.served == ["/look 0", *moves, "/ready/", "/look 1", "/look 2"]


@pytest.mark.django_db(transaction=True)
def test_health_tells_whether_the_database_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    questions: list[str] = []
    noted: list[tuple[str, ...]] = []
    monkeypatch.setattr(counting, "observe", lambda _metric, *labels, seconds: noted.append(labels))

    def away(*_: object) -> None:
        questions.append(threading.current_thread().name)
        raise OperationalError

    async def check(house: asgi.Application, method: str) -> tuple[int, bytes]:
        get = Get(method, "/health/")
        await house(get.scope, get.receive, get.send)
        return get.status, get.body

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            assert await check(house, "GET") == (200, b"ok\n")
            assert (await check(house, "POST"))[0] == 405
            with monkeypatch.context() as broken_off:
                broken_off.setattr(BaseDatabaseWrapper, "cursor", away)
                checks = [check(house, method) for method in ("GET", "HEAD", "GET")]
                assert await asyncio.gather(*checks) == [(503, b"no database\n")] * 3

    asyncio.run(meeting())
    # Those who ask together share an answer; one of the threads that make pages gives it.
    assert [name.startswith("WSGI") for name in questions].count(True) == 1
    assert [labels[1:] for labels in noted if labels[0] == "health"] == [
        ("GET", "2xx"),
        *(("GET", "5xx"), ("HEAD", "5xx"), ("GET", "5xx")),
    ]


@pytest.mark.django_db(transaction=True)
def test_pages_keep_no_more_connections_than_threads(settings: Any) -> None:
    """PostgreSQL keeps a list of its connections; on SQLite only the answers count."""

    def count() -> int:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname=current_database()")
            return int(cursor.fetchone()[0])

    async def meeting() -> None:
        async with living(asgi.Application()) as house:
            requests = [Get("GET", "/health/") for _ in range(100)]
            await asyncio.gather(
                *(house(request.scope, request.receive, request.send) for request in requests)
            )
            assert {request.status for request in requests} == {200}

    postgres = connections["default"].vendor == "postgresql"
    before = count() if postgres else 0
    asyncio.run(meeting())
    if postgres:
        assert count() <= before + settings.WEB_THREADS


PRODUCTION: dict[str, Any] = {
    **KEYS,
    "SECRET_KEY": "not one of a demonstration house, and long enough to be taken for a good key",
    "ALLOWED_HOSTS": "cards.example",
    "TRUSTED_ORIGINS": "https://cards.example",
    "REDIS_URL": "redis://redis.example:6379/0",
    "DATABASE_URL": "postgres://house@db.example/house",
}


@pytest.mark.release
@pytest.mark.processes
def test_a_house_in_front_of_players_passes_the_deployment_check(tmp_path: Path) -> None:
    done = Folder(tmp_path).manage("check", "--deploy", "--fail-level", "INFO", **PRODUCTION)
    assert done.returncode == 0, done.stderr


MUST = ("SECRET_KEY", "SEALING_KEYS", "SIGNING_KEYS", "REDIS_URL")


@pytest.fixture
def read_settings(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, str]]:
    """The settings of a process with these variables, and with none of another house."""
    for name in list(os.environ):
        if name in REMOVED or name.startswith("DJANGO"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))

    def read(**variables: str) -> dict[str, str]:
        with monkeypatch.context() as started:
            for name, value in variables.items():
                started.setenv(name, value)
            started.setattr(environment, "DEMO", environment.flag("DEMO"))
            namespace = runpy.run_path(str(repository / "casino" / "settings.py"))
        return {
            name: repr(value)
            for name, value in namespace.items()
            if name.isupper() and " at 0x" not in repr(value)
        }

    return read


@pytest.mark.parametrize("name", MUST)
def test_missing_settings_are_named(read_settings: Callable[..., Any], name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name} is not set"):
        read_settings(**{key: value for key, value in PRODUCTION.items() if key != name})


def test_empty_variable_counts_as_unset(
    read_settings: Callable[..., dict[str, str]], repository: Path
) -> None:
    described = (repository / "docs" / "operations.md").read_text()
    names = set(re.findall(r"^\| `([A-Z_]+)` \|", described, re.MULTILINE))
    assert len(names) > 15
    variables = {name: PRODUCTION[name] for name in MUST}
    settings = read_settings(**variables)
    assert settings["SECRET_KEY"] == repr(PRODUCTION["SECRET_KEY"])
    assert read_settings(**variables, **dict.fromkeys(names - {*MUST, "DATA_DIR"}, "")) == settings
