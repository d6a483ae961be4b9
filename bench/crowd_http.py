"""Just enough HTTP for thousands of requests from one process: connections that are used again."""

import asyncio
import json
from typing import Any, Final, NamedTuple

TIMEOUT_SECONDS: Final = 30.0


class Answer(NamedTuple):
    """Status 0: nobody answered, so it is unknown whether the request took effect."""

    status: int
    content: Any = None


class Http:
    """Requests to one house."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(
        self, method: str, path: str, token: str = "", body: Any = None, key: str = ""
    ) -> Answer:
        """One request; a connection that was closed meanwhile counts as no answer."""
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
        reader, writer = (
            self._free.pop()
            if self._free
            else await asyncio.open_connection("127.0.0.1", self.port)
        )
        try:
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            status = int(head.split(maxsplit=2)[1])
            text = await _body(reader, head, status)
        except BaseException:
            writer.close()
            raise
        if "connection: close" in head:
            writer.close()
        else:
            self._free.append((reader, writer))
        return Answer(status, json.loads(text) if text.startswith((b"{", b"[")) else None)


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
