"""Time limits for clients that send a request, or read a response, too slowly.

The server's own protocol waits forever for headers that never end; sixty such clients a minute
would in time occupy every connection.
"""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# From the first byte, or from the connection, until the headers have arrived.
HEADERS_SECONDS_MAX: Final = 10.0
# From the headers until the body has arrived. `casino.asgi` refuses sooner and says why.
BODY_SECONDS_MAX: Final = 30.0
# While the client does not read the output that waits for it.
TAKE_SECONDS_MAX: Final = 300.0

# The client's state in h11's terms: no part of a request yet, or its headers.
SENDING: Final = {h11.IDLE: "headers", h11.SEND_BODY: "body"}


class PatientProtocol(H11Protocol):
    """HTTP on a connection, with a limit to each wait."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._awaited = ""
        self._limit: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await("headers")

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # A client that has begun the next request must finish it; otherwise it may pause between
        # two.
        self._look()
        if self._awaited == "headers" and not self.conn.trailing_data[0]:
            self._await("")

    def connection_lost(self, exc: Exception | None) -> None:
        self._await("")
        self._end_stall()
        super().connection_lost(exc)

    def _look(self) -> None:
        self._await(SENDING.get(self.conn.their_state, ""))

    def _await(self, what: str) -> None:
        """Start the time limit of a wait when the wait begins."""
        if what == self._awaited:
            return
        self._awaited = what
        if self._limit:
            self._limit.cancel()
            self._limit = None
        if what and not self.transport.is_closing():
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
