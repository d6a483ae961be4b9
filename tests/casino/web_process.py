"""A web process within a test: its ASGI application in a loop of its own, and who asks it."""

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection, transaction

from casino import asgi
from casino.accounts import sign_in_cache
from games.models import Table
from games.tables.lock import lock_table, store_table
from tests.casino.test_serving import Request, living
from tests.games.house import House
from tests.heard import all_heard
from tests.people import client_of
from tests.waiting import until

Answer = TypeVar("Answer")

TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
ON_POSTGRESQL: Final = connection.vendor == "postgresql"


class Whole(Request):
    """A request that has come whole; its client waits for the answer."""

    async def receive(self) -> dict[str, Any]:
        if not self.pieces:
            await self.gone.wait()
        return {"type": "http.request", "body": self.pieces.pop(), "more_body": False}


class Web:
    """A web process. What asks the database in a test runs in the test's own thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, application: asgi.Application) -> None:
        self.loop, self.application = loop, application
        # The paths of the requests that Django has answered.
        self.by_django: list[str] = []
        django = application.pages.application

        def counted(environ: Any, start_response: Any) -> Any:
            self.by_django.append(environ["PATH_INFO"])
            return django(environ, start_response)

        application.pages.application = counted

    def run(self, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """Do something in the process's event loop."""

        async def done() -> Answer:
            return await work()

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result()

    def request(
        self, method: str, path: str, headers: dict[str, str], body: bytes, host: str = "192.0.2.7"
    ) -> Request:
        """A request, answered."""
        whole = Whole(method, path.partition("?")[0], [body])
        whole.scope["query_string"] = path.partition("?")[2].encode()
        named = {"host": "localhost", **headers, "content-length": str(len(body))}
        pairs = [(name.lower().encode(), value.encode()) for name, value in named.items()]
        whole.scope |= {"headers": pairs, "client": (host, 1), "scheme": "https"}
        self.run(lambda: self.application(whole.scope, whole.receive, whole.send))
        return whole


@contextmanager
def web_process() -> Iterator[Web]:
    """A process that hears Redis, for as long as the block lasts."""
    begun: list[Web] = []
    ready, ends = threading.Event(), asyncio.Event()

    async def live() -> None:
        async with living(asgi.Application()) as application:
            begun.append(Web(asyncio.get_running_loop(), application))
            ready.set()
            await ends.wait()

    thread = threading.Thread(target=asyncio.run, args=(live(),))
    thread.start()
    assert ready.wait(60)
    until(sign_in_cache.is_listening)
    try:
        yield begun[0]
    finally:
        begun[0].loop.call_soon_threadsafe(ends.set)
        thread.join()


class Actor:
    """Somebody who acts at a table, by a page or a program."""

    def __init__(self, web: Web, house: House, table: Table, name: str) -> None:
        self.web, self.house, self.table, self.name = web, house, table, name
        self.headers: dict[str, str] = {}
        self.host = "192.0.2.7"
        self.answer = Request("POST", "/")
        # What the next act carries for a shoe.
        self.mix = ""

    @property
    def path(self) -> str:
        raise NotImplementedError

    def body(self, decision: dict[str, Any], action: dict[str, Any]) -> bytes:
        raise NotImplementedError

    def send(self, body: bytes, path: str = "", **headers: str) -> int:
        given = self.headers | {name.replace("_", "-"): text for name, text in headers.items()}
        sent = {name: text for name, text in given.items() if text}
        self.answer = self.web.request("POST", path or self.path, sent, body, self.host)
        return self.answer.status

    def act(self, action: dict[str, Any] | None = None, **headers: str) -> int:
        """Act as a bot would, or like this, on the turn that is this player's now."""
        self.table.refresh_from_db()
        seat = self.house.seat(self.table, self.name)
        decision = {"hand": self.table.hand_id, "turn": self.table.turns.get(str(seat.number), 0)}
        decision |= {"mix": self.mix} if self.mix else {}
        return self.send(self.body(decision, action or self.best()), **headers)

    def best(self) -> Any:
        return self.house.best_action(self.table, self.name)

    def acts_in_loop(self, action: dict[str, Any] | None = None, **headers: str) -> bool:
        """Act; return whether Django was not asked."""
        before = len(self.web.by_django)
        assert self.act(action, **headers) in (200, 204), self.answer.body
        return len(self.web.by_django) == before

    @property
    def code(self) -> str:
        """The code of a refusal."""
        text = self.answer.body.decode()
        match = re.search(r'data-code="(\w+)"', text)
        return match[1] if match else str(json.loads(text)["code"])

    @property
    def answered(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.answer.headers}


class Page(Actor):
    """A page with a stream, whose player has signed in."""

    def __init__(self, web: Web, house: House, table: Table, name: str) -> None:
        super().__init__(web, house, table, name)
        self.session = client_of(house.person(name)).cookies[settings.SESSION_COOKIE_NAME].value
        self.headers = {"cookie": f"{settings.SESSION_COOKIE_NAME}={self.session}"}
        shown = web.request("GET", f"/tables/{table.pk}/", self.headers, b"", self.host)
        assert shown.status == 200, shown.status
        cookies = [value.decode() for name, value in shown.headers if name == b"set-cookie"]
        csrf = next(cooky.partition(";")[0] for cooky in cookies if cooky.startswith("csrftoken="))
        match = TOKEN.search(shown.body.decode())
        assert match
        self.token = match[1]
        all_heard()
        self.headers |= {
            "cookie": f"{self.headers['cookie']}; {csrf}",
            "content-type": "application/x-www-form-urlencoded",
            "hx-request": "true",
            "x-csrftoken": self.token,
            "stream-version": "0",
            "origin": "https://localhost",
        }

    @property
    def path(self) -> str:
        return f"/tables/{self.table.pk}/act/"

    def body(self, decision: dict[str, Any], action: dict[str, Any]) -> bytes:
        names = {**decision, "played_hand": decision["hand"]}
        token = {"csrfmiddlewaretoken": self.token} if self.token else {}
        return urlencode({**token, **names, **action}, doseq=True).encode()


class Program(Actor):
    """A program with a token, whose stream brings the table."""

    def __init__(self, web: Web, house: House, table: Table, name: str) -> None:
        super().__init__(web, house, table, name)
        body = json.dumps({"name": name, "password": "a password for tests"}).encode()
        self.headers = {"content-type": "application/json"}
        signed = web.request("POST", "/api/v1/sign-in/", self.headers, body, self.host)
        assert signed.status == 201, signed.body
        self.token = str(json.loads(signed.body)["token"])
        self.headers["authorization"] = f"Bearer {self.token}"
        all_heard()

    @property
    def path(self) -> str:
        return f"/api/v1/tables/{self.table.pk}/act/?streamed=true"

    def body(self, decision: dict[str, Any], action: dict[str, Any]) -> bytes:
        return json.dumps({**decision, "action": action}).encode()


def raise_version(table_id: int) -> None:
    """Write to a table as another process would."""
    with transaction.atomic():
        store_table(lock_table(table_id))
