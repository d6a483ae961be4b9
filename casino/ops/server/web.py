"""The configured web server, with limits for slow clients (`python -m casino.ops.server.web`).

By default uvicorn waits forever for headers that never end, and trusts every client on the same
machine about forwarded addresses. Sixty such clients a minute would in time occupy every
connection. The number of requests that have begun to come is bounded, too: whole ones come within
moments, so the oldest of too many gives way, and players act beside thousands of clients that go no
further.
"""

import argparse
import asyncio
import gc
import logging
import os
import socket
from contextlib import suppress
from types import FrameType
from typing import Any, ClassVar, Final

import uvicorn
from django.conf import settings
from django.db import connections
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from casino.ops import environment, private_files
from casino.ops.server.process_guard import allow_many_connections

# From the first byte, or from the connection, until the headers have arrived.
HEADERS_SECONDS_MAX: Final = 10.0
# From the headers until the body has arrived. `casino.ops.server.pages` refuses sooner and says
# why.
BODY_SECONDS_MAX: Final = 30.0
# While the client does not read the output that waits for it.
TAKE_SECONDS_MAX: Final = 300.0
# The most connections of a process on which a request is awaited.
AWAITED_MAX: Final = 1_000


class PatientProtocol(HttpToolsProtocol):
    """HTTP on a connection, with a limit to each wait."""

    # The connections of the process on which a request is awaited, the longest awaited first.
    awaiting: ClassVar[dict["PatientProtocol", None]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._awaited = ""
        self._limit: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        # The part of a request that the client has begun to send.
        self._begun = ""
        # How many requests have come whole and are not answered yet.
        self._in_work = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin("headers")

    def data_received(self, data: bytes) -> None:
        if not self._begun:
            # Between two requests a client may pause; it must finish a request that it has begun.
            self._begin("headers")
        super().data_received(data)

    # The parser's callbacks.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begin("headers")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._begin("body")

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_work += 1
        self._begin("")

    def on_response_complete(self) -> None:
        self._in_work -= 1
        super().on_response_complete()
        self._begin(self._begun)

    def _begin(self, part: str) -> None:
        """Note what the client sends now; it is not hurried while the house has to answer it."""
        self._begun = part
        self._await("" if self._in_work else part)

    def connection_lost(self, exc: Exception | None) -> None:
        self._await("")
        self._end_stall()
        super().connection_lost(exc)

    def _await(self, what: str) -> None:
        """Start the time limit of a wait when the wait begins."""
        if what == self._awaited:
            return
        self._awaited = what
        if self._limit:
            self._limit.cancel()
            self._limit = None
        if not what:
            self.awaiting.pop(self, None)
        elif not self.transport.is_closing():
            self.awaiting.setdefault(self)
            if len(self.awaiting) > AWAITED_MAX:
                oldest = next(iter(self.awaiting))
                del self.awaiting[oldest]
                oldest.transport.abort()
            seconds = HEADERS_SECONDS_MAX if what == "headers" else BODY_SECONDS_MAX
            self._limit = self.loop.call_later(seconds, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._taking = self.loop.call_later(TAKE_SECONDS_MAX, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._end_stall()

    def _end_stall(self) -> None:
        if self._taking:
            self._taking.cancel()
            self._taking = None


APPLICATION: Final = "casino.asgi:application"
# The time to finish running requests when the server stops.
STOP_SECONDS_MAX: Final = 20
# The server counts tenths of a second; at each whole one it writes the date anew.
WHOLE_SECOND: Final = 0
TICK_SECONDS: Final = 1.0
# How many objects may be made, beyond those that have gone, before the garbage collector looks.
YOUNG_OBJECTS: Final = 10_000

log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """Wakes once a second, for the date of its answers, and at once when it has to stop.

    By default uvicorn wakes ten times a second to see whether it has to stop.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stops = asyncio.Event()
        # None before the server has started.
        self._loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(WHOLE_SECOND):
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS):
                    await self._stops.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stops.set)


def options() -> dict[str, Any]:
    """Return the server's options, for any socket."""
    # Trust headers that name another address and scheme only from our own proxies.
    behind_proxy = environment.flag("BEHIND_PROXY")
    # Our own logging writes JSON, and the server would add its own formats.
    own_log = {"log_config": None} if environment.text("LOG_FORMAT") == "json" else {}
    return {
        **own_log,
        "http": PatientProtocol,
        "proxy_headers": behind_proxy,
        "forwarded_allow_ips": environment.words("PROXIES") or ["127.0.0.1", "::1"],
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m casino.ops.server.web", description=__doc__)
    parser.add_argument("--host", default=environment.text("HOST") or "127.0.0.1")
    parser.add_argument("--port", type=int, default=environment.number("PORT", 8000))
    parser.add_argument("--fd", type=int, help="serve the listening socket that is handed over")
    parser.add_argument("--stop-seconds", type=int, default=STOP_SECONDS_MAX)
    arguments = parser.parse_args()
    allow_many_connections()
    config = uvicorn.Config(
        APPLICATION, timeout_graceful_shutdown=arguments.stop_seconds, **options()
    )
    config.load()
    # It needs the loaded apps.
    from casino.ops import made_at_start  # noqa: PLC0415

    made_at_start.visit()
    connections.close_all()
    close_to_others()
    # Modules and settings live as long as the process; the garbage collector now leaves them out.
    # Most objects of a request have gone by themselves before it looks.
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    Server(config).run(sockets=[_listening(arguments)])


def close_to_others() -> None:
    """Correct the rights of files that an older version left open to other accounts."""
    if closed := private_files.close_to_others(settings.DATA_DIR):
        where = settings.DATA_DIR
        log.warning("closed %s files in %s that others had rights to", len(closed), where)


def _listening(arguments: argparse.Namespace) -> socket.socket:
    if arguments.fd is not None:
        return socket.socket(fileno=arguments.fd)
    family = socket.AF_INET6 if ":" in arguments.host else socket.AF_INET
    return socket.create_server((arguments.host, arguments.port), family=family, backlog=2048)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    main()
