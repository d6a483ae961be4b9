"""Streams of table versions: one subscriber a process, the newest of everything a watcher."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

import redis.asyncio
from django.conf import settings
from django.db import connections
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from games.live import tickets
from games.live.announcing import (
    CHANNEL,
    CHAT,
    FORGET,
    LOBBY,
    MIX,
    PRESENCE,
    VERSION,
    News,
    read,
)
from games.live.parts import Made
from games.live.sources import HouseNews
from games.live.spectators import Looking
from games.live.watcher import Make, PartsMaker, Watcher, Watchers, heading_name, player_name
from wallets.storage.database_connections import renew_connections
from wallets.storage.silence import SILENCE

Answer = TypeVar("Answer")

# How often the database is polled: while Redis is away, and to find lost announcements.
LOOK_SECONDS_WITHOUT_REDIS: Final = 3.0
LOOK_SECONDS: Final = 15.0
# Changes within this time reach the watchers of the lobby as one version.
LOBBY_SECONDS: Final = 2.0
# Within the time in which a closed page is believed to be reloaded.
PRESENCE_SECONDS: Final = 8.0
# First spectators who come within this time are reported together.
ARRIVALS_SECONDS: Final = 1.0
HEARTBEAT_SECONDS: Final = 20.0
# A stream ends after this long; the browser reconnects and is authenticated again.
STREAM_SECONDS_MAX: Final = 15 * 60
# If Redis is silent for this long, it gets a ping; without an answer the connection is closed.
SILENCE_SECONDS: Final = 10.0
RECONNECT_SECONDS: Final = 1.0
THREADS: Final = 2
CLOSE_SECONDS_MAX: Final = 1.0

log = logging.getLogger(__name__)


class Hub:
    """All streams of a process. It starts with the first watcher."""

    def __init__(
        self,
        versions_of: Callable[[Iterable[int]], Mapping[int, int]],
        seen: Callable[[Iterable[tuple[int, int]]], None],
        looking: Callable[[Mapping[int, Looking]], None] = lambda here: None,
        house_news: Callable[[Iterable[int]], HouseNews] = lambda players: HouseNews(),
        offline_at: Callable[[Iterable[int]], Mapping[int, Sequence[int]]] = lambda tables: {},
        make_parts: Make = lambda wanted: Made(wanted.version, {}),
    ) -> None:
        self.versions_of = versions_of
        self.offline_at = offline_at
        self.seen = seen
        self._looking = looking
        self._house_news = house_news
        # The players whose streams have begun or ended since the last report.
        self._moved: set[int] = set()
        # What is to be done when a seat has given its part of a shoe of a table.
        self.mixing: Callable[[int], None] = lambda table: None
        # What is to be done when these players have no stream here any more.
        self.pages_closed: Callable[[Collection[int]], None] = lambda players: None
        self._house = HouseNews()
        self.watchers = Watchers()
        self._tasks: list[asyncio.Task[None]] = []
        # Only these threads use the database: streams themselves hold no connection.
        self._threads = ThreadPoolExecutor(THREADS, "streams")
        self.parts = PartsMaker(self.watchers, make_parts, self.ask_database)
        self._look_now = asyncio.Event()
        self._stirred = asyncio.Event()
        # Whether a table has got its first watcher since the last report.
        self._came = False
        self._to_report = asyncio.Event()
        self.hears_redis = False
        self.closing = False

    def __len__(self) -> int:
        return len(self.watchers)

    async def ask_database(self, question: Callable[[], Answer]) -> Answer:
        """Run a database query in a thread, where it holds up no stream."""
        with SILENCE.doubted():
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, partial(_with_fresh_connections, question)
            )

    def join(self, table_id: int, watcher: Watcher) -> None:
        if not self._tasks:
            duties = (
                self._listen(),
                self._look(),
                self._look_at_lobby(),
                self._beat(),
                self._report(),
                self._report_who_moved(),
            )
            self._tasks = [asyncio.create_task(duty) for duty in duties]
        watcher.table_id = table_id
        if self.watchers.add(table_id, watcher) == 1 and table_id != LOBBY:
            self._came = True
            self._to_report.set()

    def claim(self, watcher: Watcher, sign_in: str, player_id: int | None) -> int:
        """Note whose stream this is, or is to be, so that no announcement about them is missed.

        The answer says how many the player has open.
        """
        watcher.sign_in = sign_in
        if sign_in:
            self.watchers.add(sign_in, watcher)
        if player_id is None:
            return 0
        self._note_moved(player_id)
        return self.watchers.add(player_name(player_id), watcher)

    def leave(self, watcher: Watcher) -> None:
        watcher.close()
        self.watchers.remove(watcher)
        # The browsers of a house that stops come back.
        if watcher.player_id is not None and not self.closing:
            self._note_moved(watcher.player_id)

    def _note_moved(self, player_id: int) -> None:
        self._moved.add(player_id)
        self._to_report.set()

    def tell(self, table_id: int, version: int) -> None:
        for watcher in self.watchers.under(table_id):
            if watcher.audience is None:
                watcher.tell(version)
        self.parts.announced(table_id, version)
        for watcher in self.watchers.under(heading_name(table_id)):
            watcher.tell_seldom(b"heading")
        # A seated player on another page sees it in the strip.
        for player in self._house.sitting_at(table_id):
            for watcher in self.watchers.under(player_name(player)):
                if watcher.table_id != table_id:
                    watcher.tell_seldom(b"strip")

    def stir(self) -> None:
        """Note that something happened at a table, so the lobby may look different."""
        self._stirred.set()

    def heard(self, news: News) -> None:
        """Tell the watchers of a table what another process has announced."""
        if news.kind == VERSION:
            self.tell(news.table, news.numbers[0])
            self.stir()
        elif news.kind == MIX:
            self.mixing(news.table)
        for watcher in self.watchers.under(news.table):
            if news.kind == CHAT:
                watcher.tell_news(CHAT.encode(), b"%d" % news.numbers[0])
            elif news.kind == PRESENCE:
                watcher.tell_offline(news.numbers)

    def changed(self, whose: bytes) -> None:
        """Ask the database whether the sign-ins hold that a message about changed rows concerns.

        A stream that is being opened may have asked before the change, so it ends: its browser
        reconnects as the present user.
        """
        concerned = self.watchers.under(whose.decode(errors="replace"))
        for watcher in concerned:
            if watcher.signed_in is None:
                watcher.close()
        if concerned or whose.startswith(b"everybody:"):
            self._look_now.set()

    async def end_of_sign_ins(self) -> None:
        """End the streams whose sign-ins no longer hold: nothing else ends them."""
        held = {
            watcher.sign_in: watcher.signed_in for watcher in self.watchers if watcher.signed_in
        }
        for name in await self.ask_database(lambda: tickets.ended(held)):
            for watcher in self.watchers.under(name):
                watcher.close()

    def close_streams(self) -> None:
        """End every stream, so that a stopping server need not wait for them."""
        self.closing = True
        for watcher in self.watchers:
            watcher.close()

    async def stop(self) -> None:
        self.close_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self.parts.stop()
        await self._leave_database()
        self._threads.shutdown(wait=False)

    async def _leave_database(self) -> None:
        """Close the connection of each thread; a barrier makes sure that both threads take part."""
        both = threading.Barrier(THREADS)

        def close() -> None:
            with contextlib.suppress(threading.BrokenBarrierError):
                both.wait(CLOSE_SECONDS_MAX)
            connections.close_all()

        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(self._threads, close) for _ in range(THREADS)))

    async def _listen(self) -> None:
        """Listen to Redis, and reconnect whenever it was away."""
        while True:
            try:
                client = redis.asyncio.Redis.from_url(
                    settings.REDIS_URL, socket_connect_timeout=2.0
                )
                async with client, client.pubsub() as subscription:
                    await self._hear(subscription)
            except (RedisError, OSError) as problem:
                if self.hears_redis:
                    log.warning("Redis went away, tables are looked at instead: %s", problem)
                    self._look_now.set()
                self.hears_redis = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _hear(self, subscription: PubSub) -> None:
        await subscription.subscribe(CHANNEL, FORGET)
        pinged = False
        while True:
            message = await subscription.get_message(timeout=SILENCE_SECONDS)
            if message is None:
                if pinged:
                    raise ConnectionError("Redis has fallen silent")
                pinged = True
                await subscription.ping()
                continue
            pinged = False
            if message["type"] == "subscribe":
                # No watcher got earlier announcements: poll the database at once.
                self.hears_redis = True
                self._look_now.set()
            elif message["channel"] == FORGET.encode():
                self.changed(message["data"])
            elif message["type"] == "message" and (news := read(message["data"])):
                self.heard(news)

    async def _look(self) -> None:
        """Poll the database for the versions of all watched tables, in one query."""
        while True:
            wait = LOOK_SECONDS if self.hears_redis else LOOK_SECONDS_WITHOUT_REDIS
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._look_now.wait()
            self._look_now.clear()
            await self._safely(self.look)

    async def look(self) -> None:
        if watched := self.watchers.watched():
            await self.end_of_sign_ins()
            versions = await self.ask_database(lambda: self.versions_of(watched))
            for table_id, version in versions.items():
                # Announcements during the break may be lost.
                self.mixing(table_id)
                self.tell(table_id, version)
            offline = await self.ask_database(lambda: self.offline_at(watched))
            for table_id, seats in offline.items():
                self.heard(News(table_id, PRESENCE, tuple(seats)))
            await self.look_at_house()

    async def look_at_house(self) -> None:
        """Tell each page what has changed of its strip, but for moves at tables, told before."""
        players = {watcher.player_id for watcher in self.watchers if watcher.player_id is not None}
        before, news = self._house, await self.ask_database(lambda: self._house_news(players))
        self._house = news
        for watcher in self.watchers:
            if news.pools != before.pools:
                watcher.tell_news(b"pools", news.pools)
            here = {watcher.table_id}
            sits, sat = news.sits_of(watcher.player_id), before.sits_of(watcher.player_id)
            if news.notice != before.notice or sits - here != sat - here:
                watcher.tell_seldom(b"strip")

    async def _look_at_lobby(self) -> None:
        """After a change at any table, check whether the lobby looks different."""
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            if self.watchers.under(LOBBY):
                await self._safely(self.look_at_lobby)
            await asyncio.sleep(LOBBY_SECONDS)

    async def look_at_lobby(self) -> None:
        versions = await self.ask_database(lambda: self.versions_of((LOBBY,)))
        self.tell(LOBBY, versions[LOBBY])

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            oldest = time.monotonic() - STREAM_SECONDS_MAX
            for watcher in self.watchers:
                watcher.beat()
                if watcher.opened_at < oldest:
                    watcher.close()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            await self._safely(self.report)

    async def _report_who_moved(self) -> None:
        while True:
            await self._to_report.wait()
            self._to_report.clear()
            await self._safely(self.report_who_moved)
            await asyncio.sleep(ARRIVALS_SECONDS)

    async def report_who_moved(self) -> None:
        """Report at once what may not wait for the next report.

        That is a table's first watcher, as bots rest while a table has none, and players who have
        opened a stream here or closed the last one, as others may wait for them.
        """
        came, self._came = self._came, False
        moved, self._moved = self._moved, set()
        if came:
            await self._report_looking()
        here = {player for player in moved if self.watchers.under(player_name(player))}
        if here:
            await self.ask_database(lambda: self.seen([(LOBBY, player) for player in here]))
        if gone := moved - here:
            await self.ask_database(lambda: self.pages_closed(gone))

    async def report(self) -> None:
        """Report who has a stream open at which table, and who was seen there."""
        here = await self._report_looking()
        pairs = [(table_id, player) for table_id in here for player in here[table_id].players]
        if pairs:
            await self.ask_database(lambda: self.seen(sorted(pairs)))

    async def _report_looking(self) -> dict[int, Looking]:
        here = {
            table_id: _looking_at(self.watchers.under(table_id))
            for table_id in self.watchers.watched()
            if table_id != LOBBY
        }
        await self.ask_database(lambda: self._looking(here))
        return here

    async def _safely(self, duty: Callable[[], Awaitable[object]]) -> None:
        """Run a duty and log its exceptions: a database that is away must not end it for good."""
        try:
            await duty()
        except Exception:
            log.exception("the streams could not reach the database")


def _looking_at(watchers: Iterable[Watcher]) -> Looking:
    known = [watcher.player_id for watcher in watchers]
    return Looking(
        known.count(None), frozenset(player_id for player_id in known if player_id is not None)
    )


def _with_fresh_connections(question: Callable[[], Answer]) -> Answer:
    SILENCE.refuse()
    renew_connections()
    try:
        return question()
    finally:
        renew_connections()
