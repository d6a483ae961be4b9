"""The event streams: `/live/tables/<id>/`, `/live/lobby/` and those of other packages.

Each is an event stream of versions; that of a table carries its parts if it is opened with `?as=`
and the name of a rendering. This is plain ASGI. A stream costs no thread and no database
connection while it is open.
"""

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from importlib import import_module
from io import BytesIO
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import get_language_from_request

from games.boards.renderings import RENDERINGS
from games.live import sources, tickets
from games.live.announcing import LOBBY, LOBBY_STREAM
from games.live.hub import Hub
from games.live.packing import PACKED_MAX, Packing, takes_gzip
from games.live.parts import Audience
from games.live.tickets import SignedIn, Ticket
from games.live.watcher import Send, Watcher, heading_name
from games.lobby.listing import ROOM
from games.models import Table
from games.tables.admission import may_watch
from games.tables.formats import format_of
from games.tables.presence import offline_at
from wallets.values import house
from wallets.values.player import Viewer

Receive = Callable[[], Awaitable[dict[str, object]]]
PATH: Final = re.compile(r"/live/tables/([1-9][0-9]{0,17})/")
# The parameter that asks for a rendering of the table instead of its version alone.
FORM: Final = "as"
TICKET: Final = "ticket"
# The parameter by which the lobby says which version it shows.
SHOWN: Final = "shows"
# The limit of one process; further browsers poll, as they do without streams.
STREAMS_MAX: Final = 5000
# Limits per player, and per address for visitors who are not signed in.
STREAMS_OF_PLAYER_MAX: Final = 40
STREAMS_OF_ADDRESS_MAX: Final = STREAMS_MAX // 2
# Browsers that lost their streams together come back one after the other.
RETRY_MILLISECONDS: Final = range(1000, 3000)

HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"vary", b"accept-encoding"),
]
PACKED: Final = (b"content-encoding", b"gzip")

LATER: Final = (b"retry-after", b"5")

log = logging.getLogger(__name__)


class Welcome(NamedTuple):
    """A reader who may watch something, and its version."""

    viewer: Viewer
    version: int
    # The name of the session or token by which the reader is signed in, and whom it signs in.
    sign_in: str = ""
    signed_in: SignedIn | None = None
    # The subject of the heading above the table, if it has one.
    heading: int | None = None
    # The seats at a table whose players are offline.
    offline: tuple[int, ...] = ()
    # The viewer for whom parts are made, if the stream carries them.
    audience: Audience | None = None


def welcome(scope: dict[str, object], watched: int, ticket: Ticket | None) -> Welcome | None:
    """The reader's permission to watch; None if they may not, or there is nothing to watch.

    A table's stream believes its ticket alone; without one its reader is a stranger. All others
    carry nothing but versions, and take the reader's session.
    """
    request = ASGIRequest(scope, BytesIO())
    request.get_host()
    if watched > LOBBY:
        return _welcome_at_table(request, watched, ticket)
    sessions = import_module(settings.SESSION_ENGINE)
    request.session = sessions.SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    request.user = user = get_user(request)
    version = ROOM.number() if watched == LOBBY else sources.version_for(user, watched)
    if version is None:
        return None
    session = tickets.session_of(request)
    return Welcome(user, version, session, tickets.signed_in(user, session))


def _welcome_at_table(request: ASGIRequest, table_id: int, ticket: Ticket | None) -> Welcome | None:
    if ticket is None:
        language = house.current().language(get_language_from_request(request))
        ticket = Ticket(table_id, language=language)
    viewer = tickets.viewer_of(ticket)
    table = Table.objects.filter(pk=table_id).first()
    if viewer is None or table is None or not may_watch(viewer, table, ticket.invitation):
        return None
    name = request.GET.get(FORM)
    format_of(table).spectator_came(timezone.now())
    return Welcome(
        viewer,
        table.version,
        ticket.sign_in,
        tickets.signed_in(viewer, ticket.sign_in),
        format_of(table).heading_version(),
        tuple(offline_at([table.pk])[table.pk]),
        Audience(name, ticket.language, viewer, ticket.invitation) if name else None,
    )


def versions_of(table_ids: Iterable[int]) -> dict[int, int]:
    """The versions of many tables, in one query; for the lobby, the number of how it looks.

    Other sources read their own version.
    """
    wanted = set(table_ids)
    tables = {table_id for table_id in wanted if table_id > LOBBY}
    versions = dict(Table.objects.filter(pk__in=tables).values_list("pk", "version"))
    versions |= sources.versions_of(wanted - tables - {LOBBY})
    return versions | ({LOBBY: ROOM.number()} if LOBBY in wanted else {})


def watched_at(path: str) -> int | None:
    """The number of the table that an address streams; `LOBBY` for the lobby."""
    if path == LOBBY_STREAM:
        return LOBBY
    match = PATH.fullmatch(path)
    return int(match[1]) if match else sources.watched_at(path)


class Streams:
    """The ASGI application behind `/live/`."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        watched = watched_at(scope["path"])
        sent = parse_qs(scope["query_string"].decode("latin-1"))
        if watched is None:
            await refuse(send, HTTPStatus.NOT_FOUND)
        elif scope["method"] != "GET":
            await refuse(send, HTTPStatus.METHOD_NOT_ALLOWED, (b"allow", b"GET"))
        elif not is_known_form(sent.get(FORM, []), watched):
            await refuse(send, HTTPStatus.BAD_REQUEST)
        elif is_of_another_site(scope):
            await refuse(send, HTTPStatus.FORBIDDEN)
        elif self.hub.closing or len(self.hub) >= STREAMS_MAX:
            await refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, LATER)
        else:
            shown = sent.get(TICKET) if watched > LOBBY else None
            ticket = tickets.read(shown[0]) if shown else None
            if shown and not opens(ticket, watched, scope):
                await refuse(send, HTTPStatus.FORBIDDEN)
            else:
                await self._watch(watched, ticket, scope, receive, send)

    async def _watch(
        self,
        table_id: int,
        ticket: Ticket | None,
        scope: dict[str, Any],
        receive: Receive,
        send: Send,
    ) -> None:
        watcher = Watcher(send)
        self.hub.join(table_id, watcher)
        if ticket is not None:
            self.hub.claim(watcher, ticket.sign_in, ticket.player)
        host, _port = scope.get("client") or ("", 0)
        address = f"address:{host}"
        try:
            if self.hub.watchers.add(address, watcher) > STREAMS_OF_ADDRESS_MAX and host:
                await refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, LATER)
                return
            allowed = await self.hub.ask_database(lambda: welcome(scope, table_id, ticket))
            if allowed is None:
                await refuse(send, HTTPStatus.NOT_FOUND)
                return
            player = allowed.viewer.pk
            watcher.signed_in = allowed.signed_in
            if self.hub.claim(watcher, allowed.sign_in, player) > STREAMS_OF_PLAYER_MAX:
                await refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, LATER)
                return
            if player is not None:
                self.hub.watchers.remove(watcher, address)
            if allowed.heading is not None:
                self.hub.watchers.add(heading_name(allowed.heading), watcher)
            watcher.packing = self._packing(allowed, scope)
            headers = HEADERS if watcher.packing is None else [*HEADERS, PACKED]
            await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": headers})
            await watcher.send(b"retry: %d\n\n" % secrets.choice(RETRY_MILLISECONDS))
            watcher.tell_offline(allowed.offline)
            watcher.audience = allowed.audience
            watcher.start(player, allowed.version, last_event(scope))
            if allowed.audience is not None:
                self.hub.parts.announced(table_id, watcher.wanted)
            await until_closed(watcher, receive)
        except DisallowedHost:
            await refuse(send, HTTPStatus.BAD_REQUEST)
            return
        except DatabaseError:
            log.exception("a stream could not be opened")
            await refuse(send, HTTPStatus.SERVICE_UNAVAILABLE, LATER)
            return
        finally:
            self.hub.leave(watcher)
        with contextlib.suppress(TimeoutError, OSError):
            # Do not wait for a client that no longer reads.
            async with asyncio.timeout(1):
                await watcher.end()

    def _packing(self, allowed: Welcome, scope: dict[str, Any]) -> Packing | None:
        """What compresses a stream; bare versions would only become longer by it."""
        packs = allowed.audience is not None and takes_gzip(scope["headers"])
        return Packing() if packs and len(self.hub) <= PACKED_MAX else None


def opens(ticket: Ticket | None, table_id: int, scope: dict[str, Any]) -> bool:
    """Whether a ticket is one for this table, and its sender the one who was given it."""
    if ticket is None or ticket.table != table_id:
        return False
    return tickets.may_use(ticket, ASGIRequest(scope, BytesIO()))


def is_known_form(names: Iterable[str], watched: int) -> bool:
    """Whether a stream asks for nothing but versions, or for a rendering that tables have."""
    return all(watched > LOBBY and name in RENDERINGS for name in names)


def is_of_another_site(scope: dict[str, Any]) -> bool:
    """Whether a page of another site opens this stream, as its browser says.

    A page of the house sends the house's origin or, in most browsers, none; programs send none.
    """
    headers: dict[bytes, bytes] = dict(scope["headers"])
    origin = headers.get(b"origin", b"").decode("latin-1")
    if origin and origin not in settings.CSRF_TRUSTED_ORIGINS:
        return origin.partition("://")[2] != headers.get(b"host", b"").decode("latin-1")
    return not origin and headers.get(b"sec-fetch-site") == b"cross-site"


def last_event(scope: dict[str, Any]) -> int | None:
    """The version that a returning browser has received last, or that a page says it shows."""
    shown = parse_qs(scope["query_string"]).get(SHOWN.encode(), [])
    said = [value for name, value in scope["headers"] if name == b"last-event-id"]
    return next(
        (int(version) for version in [*said, *shown] if re.fullmatch(rb"\d{1,18}", version)), None
    )


async def until_closed(watcher: Watcher, receive: Receive) -> None:
    """Wait until the browser leaves or the house ends the stream."""

    async def left() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        watcher.closed.set()

    leaving = asyncio.create_task(left())
    try:
        await watcher.closed.wait()
    finally:
        leaving.cancel()


async def refuse(send: Send, status: HTTPStatus, *headers: tuple[bytes, bytes]) -> None:
    body = status.phrase.encode()
    plain = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [plain, *headers]})
    await send({"type": "http.response.body", "body": body})
