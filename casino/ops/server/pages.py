"""Pages and actions in threads of the web process, and `/health/`, for which no page is made.

The event loop reads the whole request, a thread answers it, and the event loop sends the response.
So a client that sends or reads slowly holds no thread, and a request changes threads once;
`docs/decisions.md` says what that saves.

For `/health/` the database is asked in one of the threads that answer pages, before all that waits:
a process whose threads all hang does not answer. Checks that come together share one question.
"""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Executor
from http import HTTPStatus
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol

from django.conf import settings

from casino.ops.server.threads import TooLateError
from wallets.storage.silence import SILENCE

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, object]], Awaitable[None]]
Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., object]], Iterable[bytes]]

# A browser has this long to send a request body, and to read the response.
BODY_SECONDS_MAX: Final = 20
ANSWER_SECONDS_MAX: Final = 300


class Answer(NamedTuple):
    """A whole response, which waits in memory for its reader; evidence of a long day is large."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


# The answer to a client that has closed the connection, which is not sent.
UNREAD: Final = Answer(499, [], b"")
# The answer to a look that has waited for so long that it is given up; a page shows nothing of it.
LATE: Final = Answer(
    HTTPStatus.SERVICE_UNAVAILABLE,
    [(b"retry-after", b"5"), (b"hx-retarget", b"#messages"), (b"hx-reswap", b"none")],
    b"",
)


class Client:
    """The client of a request, and whether it has closed the connection."""

    def __init__(self) -> None:
        self.gone = False

    async def watch(self, receive: Receive) -> None:
        """Note that the client is gone: after the whole body a server sends no other message."""
        message = await receive()
        self.gone = message["type"] == "http.disconnect"


class Shortcut(Protocol):
    """What answers some requests in the event loop, and learns from the answers to others."""

    async def answer(self, scope: Scope, body: bytes, environ: Environ) -> Answer | None: ...
    def learn(self, scope: Scope, body: bytes, environ: Environ, answer: Answer) -> None: ...


class Pages:
    """The ASGI application in front of the WSGI application."""

    def __init__(self, application: Application, threads: Executor, shortcut: Shortcut) -> None:
        self.application, self.threads, self.shortcut = application, threads, shortcut

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(BODY_SECONDS_MAX):
                body = await whole_body(receive, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        except TimeoutError:
            return await refuse(send, HTTPStatus.REQUEST_TIMEOUT)
        except OverflowError:
            return await refuse(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except ConnectionError:
            return None
        marks: Environ = {}
        answer = await self.shortcut.answer(scope, body, marks)
        if answer is None:
            environ = environ_of(scope, body) | marks
            answer = await self._in_thread(environ, receive)
            self.shortcut.learn(scope, body, environ, answer)
        return await send_within(ANSWER_SECONDS_MAX, answer, send)

    async def _in_thread(self, environ: Environ, receive: Receive) -> Answer:
        client = Client()
        watching = asyncio.create_task(client.watch(receive))
        loop = asyncio.get_running_loop()
        try:
            with SILENCE.doubted():
                work = loop.run_in_executor(self.threads, self._answer, environ, client)
                answer: Answer = await work
        except TooLateError:
            answer = LATE
        finally:
            watching.cancel()
        return answer

    def _answer(self, environ: Environ, client: Client) -> Answer:
        """Answer in a thread, unless the client has given up before one was free.

        A busy house would otherwise work for clients that have given up, while others wait behind
        them until they give up, too.
        """
        return UNREAD if client.gone else answer_of(self.application, environ)


def answer_of(application: Application, environ: Environ) -> Answer:
    begun: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _fault: object = None) -> None:
        begun[:] = status, headers

    chunks = application(environ, start_response)
    try:
        body = b"".join(chunks)
    finally:
        # Django ends the request here: its database connection is free again.
        if close := getattr(chunks, "close", None):
            close()
    status, headers = begun
    # Django puts a space before each cookie.
    stripped = [(name.lower(), value.strip()) for name, value in headers]
    latin = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in stripped]
    return Answer(int(status[:3]), latin, body)


def environ_of(scope: Scope, body: bytes) -> Environ:
    """The request as WSGI has it (PEP 3333)."""
    server, client = scope.get("server") or ("", None), scope.get("client") or ("", None)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": scope.get("root_path", ""),
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        # WSGI treats `-` and `_` in header names alike: a proxy that sets a header could not stop a
        # client from sending it in the other spelling.
        if b"_" in raw:
            continue
        name = raw.decode("latin-1").upper().replace("-", "_")
        if name not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            name = f"HTTP_{name}"
        text = value.decode("latin-1")
        if name in environ:
            # Cookies are several in HTTP/2, and semicolons stand between them.
            text = environ[name] + ("; " if name == "HTTP_COOKIE" else ",") + text
        environ[name] = text
    return environ


async def whole_body(receive: Receive, size_max: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        body += message.get("body", b"")
        if len(body) > size_max:
            raise OverflowError
        if not message.get("more_body"):
            return bytes(body)


async def send_within(seconds: float, answer: Answer, send: Send) -> None:
    """Send a response, and drop a client that has not read it in time."""
    start = {
        "type": "http.response.start",
        "status": answer.status,
        "headers": answer.headers,
    }
    try:
        async with asyncio.timeout(seconds):
            await send(start)
            await send({"type": "http.response.body", "body": answer.body})
    except TimeoutError:
        return


async def refuse(send: Send, status: HTTPStatus, *more: tuple[bytes, bytes]) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    headers = [plain, (b"connection", b"close"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": status.phrase.encode()})


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
