"""Just enough HTTP for thousands of requests from one process: connections that are used again."""

import asyncio
import json
from contextlib import suppress
from typing import Any, Final, NamedTuple

TIMEOUT_SECONDS: Final = 30.0
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answer(NamedTuple):
    """Status 0: nobody answered, so it is unknown whether the request took effect."""

    status: int
    content: Any = None


class ClosedBefore(Exception):
    """The connection was closed before anything of an answer had come."""


class Http:
    """Requests to one house."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(
        self, method: str, path: str, token: str = "", body: Any = None, key: str = ""
    ) -> Answer:
        """One request; it is unanswered where the connection was closed under way."""
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(content)}\r\n"
        head += "Content-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        head += f"Idempotency-Key: {key}\r\n" if key else ""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                return await self._exchange(f"{head}\r\n".encode() + content)
        except (OSError, EOFError, TimeoutError, ValueError):
            return Answer(0)

    async def _exchange(self, request: bytes) -> Answer:
        while self._free:
            # The house closes a connection that nobody has used for a while; as in a browser, the
            # request then goes over another at once.
            with suppress(ClosedBefore):
                return await self._over(self._free.pop(), request)
        try:
            return await self._over(await asyncio.open_connection("127.0.0.1", self.port), request)
        except ClosedBefore:
            return Answer(0)

    async def _over(self, connection: Connection, request: bytes) -> Answer:
        reader, writer = connection
        try:
            writer.write(request)
            head = (await _head(reader)).decode("latin-1").lower()
            status = int(head.split(maxsplit=2)[1])
            text = await _body(reader, head, status)
        except BaseException:
            writer.close()
            raise
        if "connection: close" in head:
            writer.close()
        else:
            self._free.append(connection)
        return Answer(status, json.loads(text) if text.startswith((b"{", b"[")) else None)


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as fault:
        if fault.partial:
            raise
        raise ClosedBefore from None
    except ConnectionError:
        raise ClosedBefore from None


async def _body(reader: asyncio.StreamReader, head: str, status: int) -> bytes:
    for line in head.split("\r\n"):
        name, _, value = line.partition(":")
        if name == "content-length":
            return await reader.readexactly(int(value))
    if status == 204 or "transfer-encoding: chunked" not in head:
        return b""
    pieces = []
    while size := int(await reader.readline(), 16):
        pieces.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(pieces)
