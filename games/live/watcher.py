"""The open streams of a process: a watcher each, under every name by which news finds it.

If several versions arrive while a browser is slow, only the newest is worth sending, so nothing is
queued: the newest is sent when the browser can take it. It is the same with all other news.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

from games.live.announcing import LOBBY
from games.live.packing import Packing
from games.live.parts import UNSENT, Audience, Made, Parts, Reader, Wanted
from games.live.tickets import SignedIn

Send = Callable[[dict[str, object]], Awaitable[None]]

# The shortest time between two messages to a page about moves elsewhere.
SELDOM_SECONDS: Final = 5.0
PRESENCE: Final = b"presence"


class Watcher:
    """One open stream: the last version sent, and whether a write is under way."""

    __slots__ = (
        "_due",
        "_news",
        "_offline",
        "_open",
        "_send",
        "_sending",
        "_sent",
        "_sent_at",
        "_sent_parts",
        "audience",
        "closed",
        "opened_at",
        "packing",
        "parts",
        "player_id",
        "sign_in",
        "signed_in",
        "table_id",
        "wanted",
    )

    def __init__(self, send: Send) -> None:
        self.player_id: int | None = None
        # The session or token of the player, and whom it signed in when the stream opened.
        self.sign_in = ""
        self.signed_in: SignedIn | None = None
        # What is watched: a table, the lobby, or something with its own source.
        self.table_id = LOBBY
        self.opened_at = time.monotonic()
        self.closed = asyncio.Event()
        self._send = send
        # The compressor of what is sent, if its reader takes that.
        self.packing: Packing | None = None
        self._open = False
        self._sent = 0
        self.wanted = 0
        # Messages other than versions, by event: only the newest of each is worth it.
        self._news: dict[bytes, bytes] = {}
        # The seats whose players are offline, once they are known.
        self._offline: tuple[int, ...] | None = None
        self._due: set[bytes] = set()
        self._sent_at: dict[bytes, float] = {}
        self._sending: asyncio.Task[None] | None = None
        # The viewer for whom parts are made; None where the stream carries versions alone.
        self.audience: Audience | None = None
        # The newest parts, and those that were sent last.
        self.parts = self._sent_parts = UNSENT

    def start(self, player_id: int | None, version: int, last_sent: int | None) -> None:
        """Begin to send: the table's version, unless an earlier stream has sent it already.

        A watcher joins the hub before its player and the version are known, so that it misses no
        announcement; it sends nothing before this call.
        """
        self.player_id = player_id
        self._open = True
        self.wanted = max(self.wanted, version)
        self._sent = -1 if last_sent is None else last_sent
        if self.audience is not None:
            # Parts take the place of versions, and a stream begins with all of them.
            self._sent = self.wanted
        if last_sent is None and not self._offline:
            # A page that has just been made shows who is offline; one that returns may be wrong.
            self._news.pop(PRESENCE, None)
        self._wake(b":\n\n")

    def tell(self, version: int) -> None:
        """Send a version as soon as the write before it is done."""
        if version > self.wanted:
            self.wanted = version
            self._wake()

    def tell_parts(self, parts: Parts) -> None:
        """Send what differs from the parts that were sent last."""
        if parts.version < self.parts.version:
            return
        self.parts = parts
        # The version need not be sent separately.
        self._sent = self.wanted = max(self.wanted, parts.version)
        self._wake()

    def tell_unmade(self, version: int) -> None:
        """Send the bare version where its parts could not be made: the reader fetches them."""
        self.wanted = max(self.wanted, version)
        self._sent = -1
        self._wake()

    def tell_news(self, event: bytes, data: bytes = b"1") -> None:
        """Send something other than the version; it has no `id`, as nothing is resumed from it."""
        self._news[event] = data
        self._wake()

    def tell_seldom(self, event: bytes) -> None:
        """Send news of a kind that may come with each move elsewhere, after a pause."""
        if event in self._due:
            return
        self._due.add(event)
        loop = asyncio.get_running_loop()
        at = self._sent_at.get(event, -SELDOM_SECONDS) + SELDOM_SECONDS
        loop.call_at(max(at, loop.time()), self._tell_due, event)

    def _tell_due(self, event: bytes) -> None:
        self._due.discard(event)
        self._sent_at[event] = asyncio.get_running_loop().time()
        self.tell_news(event)

    def tell_offline(self, seats: tuple[int, ...]) -> None:
        """Send which seats at the table are those of offline players, unless that was sent."""
        if seats != self._offline:
            self._offline = seats
            self.tell_news(PRESENCE, " ".join(map(str, seats)).encode())

    def beat(self) -> None:
        """Keep the connection open, and show the page that it is."""
        self.tell_news(b"beat")

    def close(self) -> None:
        self.closed.set()
        if self._sending:
            self._sending.cancel()

    def _wake(self, first: bytes = b"") -> None:
        if self._open and not self._sending and not self.closed.is_set():
            self._sending = asyncio.create_task(self._write(first))

    async def _write(self, first: bytes) -> None:
        try:
            if first:
                await self.send(first)
            while (event := self._next()) is not None:
                await self.send(event)
        except OSError:
            self.closed.set()  # the browser has gone
        finally:
            self._sending = None

    def _next(self) -> bytes | None:
        """The next messages, computed again after each write, because more may have arrived."""
        if self._sent_parts is not self.parts:
            sent, self._sent_parts = self._sent_parts, self.parts
            return self.parts.event(sent)
        if self._sent != self.wanted:
            self._sent = self.wanted
            return b"id: %d\nevent: version\ndata: %d\n\n" % (self._sent, self._sent)
        if self._news:
            return b"event: %b\ndata: %b\n\n" % self._news.popitem()
        return None

    async def send(self, text: bytes) -> None:
        body = text if self.packing is None else self.packed(text)
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    def packed(self, text: bytes) -> bytes:
        assert self.packing is not None
        return self.packing.packed(text, shared=self._sent_parts.own.is_shared)

    async def end(self) -> None:
        body = b"" if self.packing is None else self.packing.end()
        await self._send({"type": "http.response.body", "body": body})


Name = int | str


def player_name(player_id: int | None) -> str:
    return f"player:{player_id}"


def heading_name(key: int) -> str:
    """The name of what has versions of its own above a table, as a tournament has."""
    return f"heading:{key}"


class Watchers:
    """Finds streams by their names."""

    def __init__(self) -> None:
        self._under: dict[Name, set[Watcher]] = {}
        self._names: dict[Watcher, set[Name]] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[Watcher]:
        return iter(tuple(self._names))

    def add(self, name: Name, watcher: Watcher) -> int:
        """List a stream under a name, and return how many are listed there."""
        self._under.setdefault(name, set()).add(watcher)
        self._names.setdefault(watcher, set()).add(name)
        return len(self._under[name])

    def remove(self, watcher: Watcher, *names: Name) -> None:
        """Remove a stream from these names, or from all where none is given."""
        listed = self._names.get(watcher, set())
        for name in listed & set(names) if names else set(listed):
            listed.discard(name)
            self._under[name].discard(watcher)
            if not self._under[name]:
                del self._under[name]
        if not listed:
            self._names.pop(watcher, None)

    def under(self, name: Name) -> tuple[Watcher, ...]:
        return tuple(self._under.get(name, ()))

    def watched(self) -> tuple[int, ...]:
        return tuple(name for name in self._under if isinstance(name, int))


# A table has at most one task here. It makes the newest version, hands the parts out, and checks
# for a newer announcement. However many come, only the newest is made. Where nothing has to be
# read, that happens in the event loop; else one of the hub's threads does it.

# Makes the parts of a table; it runs in a thread that may use the database.
Make = Callable[[Wanted], Made]
# The same in the event loop; None where it takes a thread.
MakeAtOnce = Callable[[Wanted], Made | None]
Ask = Callable[[Callable[[], Made]], Awaitable[Made]]

log: Final = logging.getLogger(__name__)


class PartsMaker:
    """Makes the parts for those of a process's streams that carry them."""

    def __init__(self, watchers: Watchers, make: Make, ask: Ask) -> None:
        self.make, self._ask, self._watchers = make, ask, watchers
        self.make_at_once: MakeAtOnce = lambda wanted: None
        # By table: the newest announced version whose parts have not been begun.
        self._announced: dict[int, int] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def announced(self, table_id: int, version: int) -> None:
        """Note that a table has this version; earlier and repeated announcements do nothing."""
        if not self._due(table_id, version):
            return
        self._announced[table_id] = max(self._announced.get(table_id, version), version)
        if table_id not in self._tasks:
            self._tasks[table_id] = asyncio.create_task(self._make_all(table_id))

    async def stop(self) -> None:
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _due(self, table_id: int, version: int) -> list[Watcher]:
        carrying = (
            watcher for watcher in self._watchers.under(table_id) if watcher.audience is not None
        )
        return [watcher for watcher in carrying if watcher.parts.version < version]

    async def _make_all(self, table_id: int) -> None:
        try:
            while (version := self._announced.pop(table_id, None)) is not None:
                await self._make_one(table_id, version)
        finally:
            del self._tasks[table_id]

    async def _make_one(self, table_id: int, version: int) -> None:
        due = dict(enumerate(self._due(table_id, version)))
        readers = tuple(
            Reader(number, watcher.audience, watcher.parts.own)
            for number, watcher in due.items()
            if watcher.audience is not None
        )
        if not readers:
            return
        try:
            wanted = Wanted(table_id, version, readers)
            made = self.make_at_once(wanted) or await self._ask(lambda: self.make(wanted))
        except Exception:
            log.exception("the parts of a table could not be made")
            made = Made(version, {})
        for number, watcher in due.items():
            if number in made.hidden_from:
                watcher.close()
            elif number in made.parts:
                watcher.tell_parts(made.parts[number])
            else:
                watcher.tell_unmade(max(version, made.version))
