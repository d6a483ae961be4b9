"""The whole site at one origin: pages in threads, streams and acts in the event loop."""

import asyncio
import os
import signal
import threading
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.utils import timezone

from casino.ops.server import pages
from casino.ops.server.pages import Pages, Receive, Scope, Send
from casino.ops.server.threads import Threads, Watchdog

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")


class Application:
    """Routes each request to pages or streams, and ends the streams when the server stops."""

    def __init__(self) -> None:
        # Django says "response" where its handler says "bytes".
        django: Any = get_wsgi_application()
        # These imports need the loaded apps.
        from casino.accounts import sign_in_cache  # noqa: PLC0415
        from casino.acts import Acts  # noqa: PLC0415
        from casino.ops import made_at_start  # noqa: PLC0415
        from casino.ops.health import reaches_database  # noqa: PLC0415
        from casino.ops.metrics import counting, processes  # noqa: PLC0415
        from casino.ops.server.plans import Herald, Plans, Timers  # noqa: PLC0415
        from games.live.hub import Hub  # noqa: PLC0415
        from games.live.spectators import tell  # noqa: PLC0415
        from games.lobby.status_strip import house_news  # noqa: PLC0415
        from games.tables import presence  # noqa: PLC0415
        from games.tables.table_cache import TABLE_CACHE  # noqa: PLC0415
        from games.views.stream_parts import make_at_once, make_parts  # noqa: PLC0415
        from games.views.streams import Streams, versions_of  # noqa: PLC0415
        from wallets.storage import batched_writes  # noqa: PLC0415
        from wallets.storage.database_connections import LINKS_MAX, Links  # noqa: PLC0415
        from wallets.storage.silence import SILENCE  # noqa: PLC0415

        made_at_start.make()
        self.threads = Threads(settings.WEB_THREADS)
        self.health = pages.HealthCheck(self.threads, reaches_database, counting.note_request)
        self.heartbeat, self.batches, self.remembered = (
            processes,
            batched_writes,
            sign_in_cache,
        )
        self.hub = Hub(
            versions_of,
            lambda pairs: presence.seen(pairs, timezone.now()),
            tell,
            house_news=house_news,
            offline_at=presence.offline_at,
            make_parts=make_parts,
        )
        self.hub.parts.make_at_once = make_at_once
        self.hub.mixing = TABLE_CACHE.forget_parts
        self.hub.pages_closed = lambda players: presence.pages_closed(players, timezone.now())
        self.streams = Streams(self.hub)
        self.watchdog, self.silence = Watchdog(), SILENCE
        self.links, self.herald = Links(LINKS_MAX), Herald(self.hub)
        self.acts = Acts(self.hub, self.links, self.herald)
        self.timers = Timers(self.hub, Plans(self.links, self.herald))
        self.pages = Pages(django, self.threads, self.acts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close"})
        elif scope["path"].startswith("/live/"):
            await self.streams(scope, receive, send)
        elif scope["path"] == pages.PATH:
            await self.health(scope, receive, send)
        else:
            await self.pages(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self.heartbeat.start("web", self.hub.__len__)
        self.watchdog.start()
        self.silence.start()
        self.batches.start()
        self.remembered.start()
        self.timers.start()
        before = self._hear_signals(asyncio.get_running_loop())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for number, handler in before.items():
            signal.signal(number, handler)
        await self.timers.stop()
        await self.herald.close()
        await self.links.close()
        await self.hub.stop()
        # The threads' database connections end with them.
        self.threads.shutdown(wait=False)
        self.remembered.stop()
        self.batches.stop()
        self.silence.stop()
        self.watchdog.stop()
        self.heartbeat.stop()
        await send({"type": "lifespan.shutdown.complete"})

    def _hear_signals(self, loop: asyncio.AbstractEventLoop) -> dict[int, Any]:
        """End the streams before the server starts to wait for them: open streams never end.

        Return the previous signal handlers, which are still called.
        """
        if threading.current_thread() is not threading.main_thread():
            return {}
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        for number, handler in before.items():
            signal.signal(number, self._ending_streams(loop, handler))
        return {int(number): handler for number, handler in before.items()}

    def _ending_streams(self, loop: asyncio.AbstractEventLoop, before: object) -> Any:
        def handle(number: int, frame: object) -> None:
            loop.call_soon_threadsafe(self.hub.close_streams)
            if callable(before):
                before(number, frame)

        return handle


application = Application()
