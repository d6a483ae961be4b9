"""A listener to a stream, which speaks as an ASGI server speaks to the application."""

import asyncio
import re
import zlib
from typing import Any

from games.views.streams import Streams
from tests.waiting import PATIENCE_SECONDS

# The sign-in of the browser or program that was given a ticket; it sends both together.
SIGN_INS: dict[str, dict[str, str]] = {}


def ticket_of(path: str) -> str:
    return path.partition("ticket=")[2].partition("&")[0]


class Listener:
    """A stream's reader: the lines it received, and whether it is reading at the moment."""

    def __init__(self, streams: Streams, path: str, **headers: str) -> None:
        headers = SIGN_INS.get(ticket_of(path) or "none", {}) | headers
        path, _, query = path.partition("?")
        named = {"host": "localhost", **{name.replace("_", "-"): headers[name] for name in headers}}
        self.scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        }
        self.streams = streams
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = ""
        # The length of each message as it was sent.
        self.sizes: list[int] = []
        self._unpacks = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.ended = False
        self.takes = asyncio.Event()
        self.takes.set()
        self._came = asyncio.Condition()
        self._left = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def open(self) -> "Listener":
        self.task = asyncio.create_task(self.streams(self.scope, self._receive, self._send))
        return self

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        await self.takes.wait()
        async with self._came:
            if message["type"] == "http.response.start":
                self.status = int(message["status"])
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                body = message["body"]
                self.sizes.append(len(body))
                is_packed = self.headers.get("content-encoding") == "gzip"
                self.text += (self._unpacks.decompress(body) if is_packed else body).decode()
                self.ended = not message.get("more_body", False)
            self._came.notify_all()

    @property
    def versions(self) -> list[int]:
        return [int(digits) for digits in re.findall(r"event: version\ndata: (\d+)\n", self.text)]

    async def until(self, text: str, seconds_max: float = PATIENCE_SECONDS) -> None:
        async with asyncio.timeout(seconds_max), self._came:
            await self._came.wait_for(lambda: text in self.text)

    async def until_version(self, version: int) -> None:
        await self.until(f"data: {version}\n\n")

    async def leave(self) -> None:
        self._left.set()
        await self.until_ended()

    async def until_ended(self, seconds_max: float = PATIENCE_SECONDS) -> None:
        assert self.task
        async with asyncio.timeout(seconds_max):
            await self.task
