"""Just enough HTTP for thousands of people in one process: requests, and streams of events.

Every request and every byte that arrives is counted, as it was sent: compressed, with its head.
"""

import asyncio
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

TIMEOUT_SECONDS: Final = 30.0
# A stream's server sends a beat every 20 seconds; after so long without one the line is dead.
SILENT_SECONDS_MAX: Final = 50.0
MADE: Final = re.compile(r"(?i)^stream-version: (\d+)\r?$", re.M)
COMMON: Final = {"Host": "localhost", "Accept-Encoding": "gzip"}


class Answer(NamedTuple):
    """Status 0: no answer came, so the request may have taken effect or not."""

    status: int
    text: str = ""
    head: str = ""

    @property
    def content(self) -> Any:
        return json.loads(self.text) if self.text.startswith(("{", "[")) else None

    @property
    def version_made(self) -> int:
        """The version that an act has made, where its answer names it; or 0."""
        made = MADE.search(self.head)
        return int(made[1]) if made else 0


class Event(NamedTuple):
    """What a stream says: the name of the event, its lines of data, and its id."""

    name: str
    data: str
    id: str


@dataclass
class Traffic:
    """Requests by kind and status, and bytes that came by kind."""

    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    received: Counter[str] = field(default_factory=Counter)

    def copy(self) -> "Traffic":
        return Traffic(self.requests.copy(), self.received.copy())


class ClosedBefore(Exception):
    """The connection was closed before anything of an answer had come."""


def kind_of(method: str, path: str) -> str:
    """The kind of a request: its path without numbers; all static files are of one kind."""
    path = path.partition("?")[0]
    if path.startswith("/static/"):
        return "static"
    return f"{method} {re.sub(r'[0-9]+|(?<=/shoes/)[^/]+', 'N', path)}"


class Connection:
    """One connection; what comes is counted as it comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.received = 0

    async def exactly(self, size: int) -> bytes:
        self.received += size
        return await self.reader.readexactly(size)

    async def until(self, end: bytes) -> bytes:
        data = await self.reader.readuntil(end)
        self.received += len(data)
        return data

    async def head(self) -> str:
        try:
            return (await self.until(b"\r\n\r\n")).decode("latin-1")
        except asyncio.IncompleteReadError as fault:
            if fault.partial:
                raise
            raise ClosedBefore from None
        except ConnectionError:
            raise ClosedBefore from None

    async def chunks(self) -> AsyncIterator[bytes]:
        while size := int(await self.until(b"\n"), 16):
            yield await self.exactly(size)
            await self.until(b"\n")
        await self.until(b"\n")

    async def body(self, head: str, status: int) -> bytes:
        lower = head.lower()
        if length := re.search(r"content-length: (\d+)", lower):
            content = await self.exactly(int(length[1]))
        elif status == 204 or "transfer-encoding: chunked" not in lower:
            return b""
        else:
            content = b"".join([piece async for piece in self.chunks()])
        return gzip.decompress(content) if "content-encoding: gzip" in lower else content


class Http:
    """One person's requests to a house, from an address of their own, with their cookies.

    With `site` they come by a proxy that serves this host name over TLS, and names the address.
    """

    def __init__(
        self, port: int, traffic: Traffic | None = None, address: str = "", site: str = ""
    ) -> None:
        self.port, self.address = port, "" if site else address
        self.common: Mapping[str, str] = COMMON
        if site:
            said = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}
            # Of a form that comes over TLS the house asks for the page that it stands on.
            self.common = {**COMMON, "Host": site, "Referer": f"https://{site}/", **said}
        self.traffic = traffic or Traffic()
        self.cookies: dict[str, str] = {}
        self._free: list[Connection] = []

    async def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Answer:
        """One request; it is unanswered where the connection was closed under way."""
        request = self._written(method, path, headers or {}, body)
        kind, answer, received = kind_of(method, path), Answer(0), 0
        with suppress(OSError, EOFError, TimeoutError, ValueError, ClosedBefore):
            async with asyncio.timeout(TIMEOUT_SECONDS):
                answer, received = await self._exchange(request)
        self.traffic.requests[kind, answer.status] += 1
        self.traffic.received[kind] += received
        return answer

    def _written(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = {**self.common, **({"Cookie": cookies} if cookies else {}), **headers}
        if method == "POST":
            lines["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body

    async def _open(self) -> Connection:
        source = (self.address, 0) if self.address else None
        return Connection(*await asyncio.open_connection("127.0.0.1", self.port, local_addr=source))

    async def _exchange(self, request: bytes) -> tuple[Answer, int]:
        while self._free:
            # The house closes a connection that was idle for a while; as in a browser, the
            # request then goes over another at once.
            with suppress(ClosedBefore):
                return await self._over(self._free.pop(), request)
        return await self._over(await self._open(), request)

    async def _over(self, connection: Connection, request: bytes) -> tuple[Answer, int]:
        connection.received = 0
        try:
            connection.writer.write(request)
            head = await connection.head()
            status = int(head.split(maxsplit=2)[1])
            text = (await connection.body(head, status)).decode(errors="replace")
        except BaseException:
            connection.writer.close()
            raise
        self.cookies |= dict(re.findall(r"(?im)^set-cookie: *([^=;\s]+)=([^;\s]*)", head))
        if "connection: close" in head.lower():
            connection.writer.close()
        else:
            self._free.append(connection)
        return Answer(status, text, head), connection.received

    async def events(
        self, path: str, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[Event]:
        """The events of a stream, until it ends or is refused; the first is `open`."""
        kind, connection = kind_of("GET", path), await self._open()
        try:
            written = self._written(
                "GET", path, {"Accept": "text/event-stream", **(headers or {})}, b""
            )
            connection.writer.write(written)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                head = await connection.head()
            status = int(head.split(maxsplit=2)[1])
            self.traffic.requests[kind, status] += 1
            if status != 200:
                return
            yield Event("open", "", "")
            async for event in self._parsed(
                connection, kind, "content-encoding: gzip" in head.lower()
            ):
                yield event
        except ClosedBefore:
            return
        finally:
            connection.writer.close()

    async def _parsed(
        self, connection: Connection, kind: str, packed: bool
    ) -> AsyncIterator[Event]:
        text, unpacker = "", zlib.decompressobj(31) if packed else None
        chunks = connection.chunks()
        while True:
            async with asyncio.timeout(SILENT_SECONDS_MAX):
                piece = await anext(chunks, None)
            self.traffic.received[kind] += connection.received
            connection.received = 0
            if piece is None:
                return
            text += (unpacker.decompress(piece) if unpacker else piece).decode()
            *blocks, text = text.split("\n\n")
            for block in blocks:
                fields: dict[str, list[str]] = {}
                for line in block.split("\n"):
                    name, _, value = line.partition(": ")
                    fields.setdefault(name, []).append(value)
                if "data" in fields:
                    named, number = fields.get("event", ["message"]), fields.get("id", [""])
                    yield Event(named[0], "\n".join(fields["data"]), number[0])
