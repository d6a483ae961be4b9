"""Stalled connections are closed: headers, bodies and responses without a reader."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from casino.ops.server import web
from games.live.watcher import Watcher
from games.views.streams import until_closed
from tests.waiting import PATIENCE_SECONDS

CLIENTS = 60
SHORT, LONG = 0.2, float(PATIENCE_SECONDS)


async def answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An application that reads what is sent to it, and answers."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"good"})


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADERS_SECONDS_MAX", "BODY_SECONDS_MAX", "TAKE_SECONDS_MAX"):
        monkeypatch.setattr(web, name, SHORT)


@asynccontextmanager
async def serving(application: Any = answer) -> AsyncIterator[int]:
    """The port of a server that is set up as the house's own."""
    options = web.options()
    options["timeout_keep_alive"] = SHORT
    server = uvicorn.Server(uvicorn.Config(application, port=0, lifespan="off", **options))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running


async def until_ended(port: int, *pieces: bytes, drip: bytes = b"") -> bytes:
    """The answer to a client that sends these pieces, then one byte from time to time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
    received = b""
    try:
        while True:
            reading = asyncio.ensure_future(reader.read(65536))
            while drip and not (await asyncio.wait([reading], timeout=SHORT / 5))[0]:
                writer.write(drip)
            piece = await reading
            if not piece:
                return received
            received += piece
    except ConnectionError:
        return received
    finally:
        writer.close()


GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\n"


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    ("pieces", "drip", "answers"),
    [
        ([], b"", 0),
        ([b"GET / HTTP/1.1\r\nHost: localhost\r\n"], b"", 0),
        ([b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "], b"x", 0),
        ([], b"\r\n", 0),
        ([POST], b"x", 0),
        ([GET], b"", 1),
        ([GET], b"\r\n", 1),
        ([GET + b"GET / HTTP/1.1\r\nHost:"], b"x", 1),
        ([GET + GET + b"GET / HT"], b"", 2),
    ],
    ids=[
        *("nothing", "half the headers", "headers byte by byte", "empty lines"),
        *("a body byte by byte", "no second request", "empty lines after a request"),
        "half a second request",
        "half a third request at once",
    ],
)
def test_sixty_who_do_not_go_on_are_let_go(
    pieces: list[bytes], drip: bytes, answers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    here: list[None] = []
    all_here = asyncio.Event()
    # No client is hurried before all have asked: what is answered must not hang on a busy machine.
    if answers:
        monkeypatch.setattr(web, "HEADERS_SECONDS_MAX", LONG)

    async def meet(scope: dict[str, Any], receive: Any, send: Any) -> None:
        here.append(None)
        if answers and len(here) == CLIENTS:
            monkeypatch.setattr(web, "HEADERS_SECONDS_MAX", SHORT)
            all_here.set()
        if answers:
            await all_here.wait()
        await answer(scope, receive, send)

    async def meeting() -> list[bytes]:
        async with serving(meet) as port:
            return await asyncio.gather(
                *(until_ended(port, *pieces, drip=drip) for _ in range(CLIENTS))
            )

    received = asyncio.run(meeting())
    assert {reply.count(b"HTTP/1.1 200 OK") for reply in received} == {answers}


@pytest.mark.usefixtures("_short")
def test_client_that_reads_no_response_is_disconnected() -> None:
    async def meeting() -> None:
        gone = asyncio.Event()

        async def long(scope: dict[str, Any], receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while (await asyncio.wait([asyncio.ensure_future(receive())], timeout=0))[1]:
                body = {"type": "http.response.body", "body": b"x" * 500_000, "more_body": True}
                await send(body)
            gone.set()

        async with serving(long) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
            writer.write(GET)
            await gone.wait()
            writer.close()

    asyncio.run(meeting())


@pytest.mark.usefixtures("_short")
def test_a_request_is_answered_beside_hundreds_that_go_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nothing but their number ends them.
    monkeypatch.setattr(web, "HEADERS_SECONDS_MAX", LONG)
    monkeypatch.setattr(web, "AWAITED_MAX", CLIENTS)

    async def meeting() -> None:
        async with serving() as port:
            halves = [asyncio.create_task(until_ended(port, GET[:-2])) for _ in range(5 * CLIENTS)]
            # Exactly so many have been ended, the first of them.
            while sum(halve.done() for halve in halves) < 4 * CLIENTS:
                await asyncio.sleep(0)
            assert len(web.PatientProtocol.awaiting) == CLIENTS
            assert b"200 OK" in await until_ended(port, GET)
            for halve in halves:
                halve.cancel()
            await asyncio.gather(*halves, return_exceptions=True)

    asyncio.run(meeting())
    assert not web.PatientProtocol.awaiting


@pytest.mark.usefixtures("_short")
def test_a_stream_that_is_not_read_keeps_little_and_is_closed() -> None:
    text = b"x" * 20_000

    async def meeting() -> None:
        gone, kept = asyncio.Event(), list[int]()

        async def stream(scope: dict[str, Any], receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            watcher = Watcher(send)
            watcher.start(None, 1, None)
            leaving = asyncio.create_task(until_closed(watcher, receive))
            while not leaving.done():
                # News of a long evening, with what the server has not sent yet.
                watcher.tell_news(b"news", text)
                kept.append(receive.__self__.transport.get_write_buffer_size())
                await asyncio.sleep(0)
            gone.set()

        async with serving(stream) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
            writer.write(GET)
            await gone.wait()
            writer.close()
        assert len(kept) > 50
        assert max(kept) < 5 * len(text)

    asyncio.run(meeting())


class Timers:
    """A loop whose time is stopped: which waits have been begun and not ended."""

    def __init__(self) -> None:
        self.begun: list[tuple[float, asyncio.Handle]] = []

    def call_later(self, seconds: float, callback: Any) -> asyncio.Handle:
        loop = asyncio.get_running_loop()
        self.begun.append((seconds, asyncio.Handle(callback, (), loop)))
        return self.begun[-1][1]

    def create_task(self, work: Any) -> asyncio.Task[None]:
        return asyncio.create_task(work)

    def running(self) -> list[float]:
        return [seconds for seconds, handle in self.begun if not handle.cancelled()]


def test_each_wait_ends_when_what_was_awaited_has_come() -> None:
    """While the house works on an answer, or a stream is open, no client is hurried."""

    async def meeting() -> None:
        answered = asyncio.Event()

        async def slow(scope: dict[str, Any], receive: Any, send: Any) -> None:
            await answered.wait()
            await answer(scope, receive, send)

        config = uvicorn.Config(slow, lifespan="off", timeout_keep_alive=5, **web.options())
        timers: Any = Timers()
        protocol = web.PatientProtocol(config, uvicorn.server.ServerState(), {}, timers)
        protocol.connection_made(Transport())
        assert timers.running() == [10]
        protocol.data_received(POST[:30])
        assert timers.running() == [10]
        protocol.data_received(POST[30:])
        assert timers.running() == [30]
        protocol.data_received(b"x" * 49_999)
        assert timers.running() == [30]
        protocol.data_received(b"x")
        assert timers.running() == []
        answered.set()
        await asyncio.gather(*protocol.tasks)
        assert timers.running() == [5]
        protocol.data_received(GET[:5])
        assert timers.running() == [10]
        protocol.pause_writing()
        assert timers.running() == [10, 300]
        protocol.resume_writing()
        protocol.connection_lost(None)
        assert timers.running() == []

    asyncio.run(meeting())


class Transport(asyncio.Transport):
    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def write(self, data: Any) -> None:
        pass

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def abort(self) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass
