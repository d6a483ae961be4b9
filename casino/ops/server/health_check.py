"""`/health/`, which a load balancer asks: the event loop answers, and no page is made.

The database is asked in one of the threads that answer pages, before all that waits: a process
whose threads all hang does not answer. Checks that come together share one question.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from http import HTTPStatus
from time import perf_counter
from typing import Final

from casino.ops.server.pages import Answer, Receive, Scope, Send, refuse, send_within
from wallets.storage.silence import SILENCE

PATH: Final = "/health/"
SEND_SECONDS_MAX: Final = 20
METHODS: Final = ("GET", "HEAD")
# How the check is named in the line of requests.
ENVIRON: Final = {"REQUEST_METHOD": "GET", "PATH_INFO": PATH}
HEADERS: Final = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]

# Notes a method, an address, a status and the seconds that an answer took.
Note = Callable[[str, str, int, float], None]


class HealthCheck:
    """Whether this process serves and reaches the database."""

    def __init__(self, threads: Executor, reaches_database: Callable[[], bool], note: Note) -> None:
        self._threads, self._note = threads, note
        self._reaches_database = reaches_database
        self._question: asyncio.Future[bool] | None = None

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        began = perf_counter()
        if scope["method"] not in METHODS:
            return await refuse(send, HTTPStatus.METHOD_NOT_ALLOWED, (b"allow", b"GET, HEAD"))
        if await self._ask():
            status, body = HTTPStatus.OK, b"ok\n"
        else:
            status, body = HTTPStatus.SERVICE_UNAVAILABLE, b"no database\n"
        length = (b"content-length", b"%d" % len(body))
        await send_within(SEND_SECONDS_MAX, Answer(status, [*HEADERS, length], body), send)
        self._note(scope["method"], PATH, status, perf_counter() - began)
        return None

    async def _ask(self) -> bool:
        if self._question is None or self._question.done():
            loop = asyncio.get_running_loop()
            self._question = loop.run_in_executor(self._threads, self._answer, ENVIRON)
        with SILENCE.doubted():
            # A client that leaves does not end the question for others.
            return await asyncio.shield(self._question)

    def _answer(self, _environ: object) -> bool:
        return self._reaches_database()
