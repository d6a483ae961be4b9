"""The line between the crowd and the house, a proxy that can be made to misbehave.

It knows no HTTP. The crowd sends a request in one piece and waits for its answer, so a piece from
the crowd is a request, and what comes back after it is the answer or a message of a stream.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from enum import Enum
from typing import Final

PIECE: Final = 1 << 16
# While a trouble lasts, it befalls this share of pieces.
SHARE: Final = 0.3
DELAY_SECONDS_MAX: Final = 2.0
ANSWER_SECONDS_MAX: Final = 10.0


class Trouble(Enum):
    NONE = "passes on everything"
    LOST = "loses answers"
    LATE = "delays requests and answers"
    CUT = "ends requests and answers in the middle"
    TWICE = "sends requests twice, at the same time"


class FaultyLine:
    """A listening port, and a connection to the house for each one to it."""

    def __init__(self, house: int, draw: random.Random) -> None:
        self.house, self.draw = house, draw
        self.trouble = Trouble.NONE
        self.befell = 0
        self.port = 0
        self._errands: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=2048)
        self.port = int(server.sockets[0].getsockname()[1])
        try:
            yield
        finally:
            server.close()
            for errand in self._errands:
                errand.cancel()
            await asyncio.gather(*self._errands, return_exceptions=True)

    def _accept(self, guest: asyncio.StreamReader, to_guest: asyncio.StreamWriter) -> None:
        self._begin(self._serve(guest, to_guest))

    def _begin(self, work: Coroutine[object, object, None]) -> None:
        errand = asyncio.create_task(work)
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)

    async def _serve(self, guest: asyncio.StreamReader, to_guest: asyncio.StreamWriter) -> None:
        try:
            house, to_house = await asyncio.open_connection("127.0.0.1", self.house)
        except OSError:
            to_guest.close()
            return
        ways = (self._requests(guest, to_house), self._answers(house, to_guest))
        tasks = [asyncio.create_task(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Where one end is closed, so is the other.
            for task in tasks:
                task.cancel()
            to_guest.close()
            to_house.close()

    async def _requests(self, guest: asyncio.StreamReader, to_house: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while request := await guest.read(PIECE):
                if self._befalls(Trouble.TWICE):
                    self._begin(self._once_more(request))
                if not await self._pass_on(request, to_house):
                    return

    async def _answers(self, house: asyncio.StreamReader, to_guest: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while answer := await house.read(PIECE):
                if self._befalls(Trouble.LOST) or not await self._pass_on(answer, to_guest):
                    return

    async def _pass_on(self, piece: bytes, to: asyncio.StreamWriter) -> bool:
        """Whether the line still holds after it."""
        if self._befalls(Trouble.LATE):
            await asyncio.sleep(self.draw.uniform(0, DELAY_SECONDS_MAX))
        cut = self._befalls(Trouble.CUT)
        to.write(piece[: len(piece) // 2] if cut else piece)
        await to.drain()
        return not cut

    async def _once_more(self, request: bytes) -> None:
        """Over a connection of its own; the answer is lost."""
        with suppress(OSError, TimeoutError):
            house, to_house = await asyncio.open_connection("127.0.0.1", self.house)
            try:
                to_house.write(request)
                async with asyncio.timeout(ANSWER_SECONDS_MAX):
                    await house.read(PIECE)
            finally:
                to_house.close()

    def _befalls(self, trouble: Trouble) -> bool:
        if self.trouble is not trouble or self.draw.random() >= SHARE:
            return False
        self.befell += 1
        return True
