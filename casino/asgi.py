"""The whole site at one origin: pages and actions in threads, streams in the event loop.

Pages go through Django's WSGI application; `docs/operations.md` says what that saves.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Any, Final

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.utils import timezone

from casino.line import Threads

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, object]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# A browser has this long to send a request body, and to read the response.
BODY_SECONDS_MAX: Final = 20
ANSWER_SECONDS_MAX: Final = 300
# Where a request says whether its client still waits.
CLIENT: Final = "casino.client"


class Client:
    """Whoever waits for an answer, until they close the connection."""

    def __init__(self) -> None:
        self.gone = False

    async def watch(self, receive: Receive) -> None:
        """Note that they are gone; of a request that has come whole, a server says nothing else."""
        message = await receive()
        self.gone = message["type"] == "http.disconnect"


def for_those_who_wait(pages: Any) -> Any:
    """The WSGI application, for clients that are still there when a thread is free.

    A busy house would otherwise work for those who have given up, while others wait behind them
    until they give up, too.
    """

    def respond(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        if environ["asgi.scope"][CLIENT].gone:
            start_response("499 Client Closed Request", [])
            return [b""]
        answer: Iterable[bytes] = pages(environ, start_response)
        return answer

    return respond


class Patient:
    """Reads a whole request before it takes a thread, and sends the response outside the thread.

    A client that sends or reads slowly therefore holds no thread.
    """

    def __init__(self, pages: App) -> None:
        self.pages = pages

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

        async def give() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        # WSGI treats `-` and `_` in header names alike: a proxy that sets a header could not stop a
        # client from sending it in the other spelling.
        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        client = Client()
        scope = {**scope, "headers": headers, CLIENT: client}
        watching = asyncio.create_task(client.watch(receive))
        try:
            return await within(ANSWER_SECONDS_MAX, self.pages, scope, give, send)
        finally:
            watching.cancel()


async def within(seconds: float, pages: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Respond, and drop a client that has not read the response in time."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as limit:

            async def take(message: dict[str, object]) -> None:
                if limit.when() is None:
                    limit.reschedule(loop.time() + seconds)
                await send(message)

            await pages(scope, receive, take)
    except TimeoutError:
        if not limit.expired():
            raise


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


async def refuse(send: Send, status: HTTPStatus) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": status.phrase.encode()})


class House:
    """Routes each request to pages or streams, and ends the streams when the server stops."""

    def __init__(self) -> None:
        # Django and a2wsgi have different names for the same types.
        django: Any = get_wsgi_application()
        # These imports need the loaded apps.
        from casino.metrics import pulse  # noqa: PLC0415
        from games.live.hub import Hub  # noqa: PLC0415
        from games.live.spectators import tell  # noqa: PLC0415
        from games.lobby.status_strip import house_news  # noqa: PLC0415
        from games.tables.presence import seen  # noqa: PLC0415
        from games.views.streams import Streams, versions_of  # noqa: PLC0415

        # A response waits in memory for its reader. Evidence of a long day is the largest.
        pages: Any = WSGIMiddleware(for_those_who_wait(django), send_queue_size=0)
        self.threads = pages.executor = Threads(settings.WEB_THREADS)
        self.pages = Patient(pages)
        self.pulse = pulse
        self.hub = Hub(versions_of, lambda pairs: seen(pairs, timezone.now()), tell, house_news)
        self.streams = Streams(self.hub)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close"})
        elif scope["path"].startswith("/live/"):
            await self.streams(scope, receive, send)
        else:
            await self.pages(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self.pulse.start("web", self.hub.__len__)
        before = self._hear_signals(asyncio.get_running_loop())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for number, handler in before.items():
            signal.signal(number, handler)
        await self.hub.stop()
        # The threads' database connections end with them.
        self.threads.shutdown(wait=False)
        self.pulse.stop()
        await send({"type": "lifespan.shutdown.complete"})

    def _hear_signals(self, loop: asyncio.AbstractEventLoop) -> dict[int, Any]:
        """End the streams before the server starts to wait for them: open streams never end.

        Return the previous signal handlers, which are still called.
        """
        if threading.current_thread() is not threading.main_thread():
            return {}
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        for number, handler in before.items():
            signal.signal(number, self._ending_streams(loop, handler))
        return {int(number): handler for number, handler in before.items()}

    def _ending_streams(self, loop: asyncio.AbstractEventLoop, before: object) -> Any:
        def handle(number: int, frame: object) -> None:
            loop.call_soon_threadsafe(self.hub.close_streams)
            if callable(before):
                before(number, frame)

        return handle


application = House()
