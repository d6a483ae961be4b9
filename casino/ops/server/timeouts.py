"""Time limits for clients that send a request, or read a response, too slowly.

The server's own protocol waits forever for headers that never end; sixty such clients a minute
would in time occupy every connection. The number of requests that have begun to come is bounded,
too: whole ones come within moments, so the oldest of too many gives way, and players act beside
thousands of clients that go no further.
"""

import asyncio
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

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
