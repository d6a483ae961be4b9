"""Streams of live updates opened at a hub of a test's own."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from django.test import Client

from games.live import hub as live_hub
from games.lobby.status_strip import house_news
from games.models import Table
from games.tables.table_cache import TABLE_CACHE
from games.views.stream_parts import make_parts
from games.views.streams import Streams, versions_of
from tests.games.listener import SIGN_INS, ticket_of
from tests.waiting import PATIENCE_SECONDS

Meeting = Callable[[Streams], Awaitable[None]]


class Presence:
    def __init__(self) -> None:
        self.reported: list[list[tuple[int, int]]] = []

    def __call__(self, pairs: Iterable[tuple[int, int]]) -> None:
        self.reported.append(list(pairs))


def meet(meeting: Meeting, seen: Callable[[Iterable[tuple[int, int]]], None] | None = None) -> None:
    """Let a meeting of browsers happen at a hub of its own, which is stopped afterwards."""

    async def happen() -> None:
        hub = live_hub.Hub(
            versions_of,
            seen or Presence(),
            house_news=house_news,
            make_parts=make_parts,
        )
        hub.mixing = TABLE_CACHE.forget_parts
        try:
            await meeting(Streams(hub))
        finally:
            await hub.stop()

    asyncio.run(happen())


async def change(at: Streams, table: Table, version: int) -> None:
    """Give the table a version behind everybody's back."""
    await at.hub.ask_database(lambda: Table.objects.filter(pk=table.pk).update(version=version))


async def hearing(at: Streams, *, wanted: bool = True) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while at.hub.hears_redis != wanted:
            await asyncio.sleep(0.01)


def address(client: Client, table: Table, invitation: str = "") -> str:
    """The address of a table's stream, with a ticket for the user of this browser."""
    query = {"invitation": invitation} if invitation else {}
    answer = client.get(f"/tables/{table.pk}/stream/", query)
    assert answer.status_code == 200
    path = str(answer.json()["stream"])
    if "sessionid" in client.cookies:
        SIGN_INS[ticket_of(path)] = {"cookie": cookie(client)}
    return path


def cookie(client: Client) -> str:
    return f"sessionid={client.cookies['sessionid'].value}"
