"""The lobby's stream: a number when the room looks different, nothing for what does not show."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.live import announcing
from games.live import hub as live_hub
from games.lobby import listing
from games.lobby.listing import Watch
from games.models import Table
from games.tables import seating
from games.views.streams import Streams, versions_of
from tests.games.house import House
from tests.games.listener import Listener
from tests.waiting import PATIENCE_SECONDS
from wallets.money import jackpots

pytestmark = pytest.mark.django_db(transaction=True)
Meeting = Callable[[Streams], Awaitable[None]]


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "LOBBY_SECONDS", 0.05)
    monkeypatch.setattr(live_hub, "LOOK_SECONDS_WITHOUT_REDIS", 600)


def meet(meeting: Meeting) -> None:
    async def happen() -> None:
        hub = live_hub.Hub(versions_of, lambda pairs: None)
        try:
            await meeting(Streams(hub))
        finally:
            await hub.stop()

    asyncio.run(happen())


async def versions_heard(browser: Listener, count: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(browser.versions) < count:
            await asyncio.sleep(0.01)


@pytest.mark.always
def test_lobby_streams_announce_a_new_player(house: House) -> None:
    table = house.table("doudizhu")
    alice = house.player("alice")

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.LOBBY_STREAM).open()
        await versions_heard(browser, 1)
        assert browser.status == 200
        await asyncio.to_thread(seating.sit, alice, table.pk, 1, 50_000, house.now)
        at.hub.stir()
        await versions_heard(browser, 2)
        first, second = browser.versions
        assert second > first
        allowed = ("retry: ", "id: ", "event: version", "data: ", ":")
        assert all(line.startswith(allowed) for line in browser.text.splitlines() if line)

    meet(meeting)


def test_a_hundred_changes_at_once_send_one_version(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.table("doudizhu")
    queries: list[Iterable[int]] = []

    def answer(table_ids: Iterable[int]) -> dict[int, int]:
        queries.append(tuple(table_ids))
        return {announcing.LOBBY: 10**15 + len(queries)}

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.LOBBY_STREAM).open()
        await versions_heard(browser, 1)
        at.hub.versions_of = answer
        for version in range(100):
            at.hub.tell(table.pk, version)
            at.hub.stir()
        await versions_heard(browser, 2)
        assert queries == [(announcing.LOBBY,)]

    meet(meeting)


@pytest.mark.parametrize("changes", [False, True])
def test_a_page_hears_of_what_has_changed_since_it_was_made(house: House, changes: bool) -> None:
    table, alice = house.table("doudizhu"), house.player("alice")
    listing.ROOM.number()
    page = Client().get("/lobby/").text
    (address,) = re.findall(r'data-stream="([^"]+)"', page)
    if changes:
        seating.sit(alice, table.pk, 1, 50_000, house.now)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, address).open()
        await browser.until("retry")
        at.hub.heard(announcing.News(announcing.LOBBY, announcing.PRESENCE, (1,)))
        await browser.until("presence")
        assert bool(browser.versions) == changes

    meet(meeting)


@pytest.mark.always
def test_lobby_watchers_count_at_no_table(house: House) -> None:
    async def meeting(at: Streams) -> None:
        reported: list[Any] = []
        at.hub.seen = reported.append
        browser = Listener(at, announcing.LOBBY_STREAM).open()
        await versions_heard(browser, 1)
        await at.hub.report()
        assert reported == []

    meet(meeting)


def test_the_number_rises_only_when_the_room_looks_different(house: House) -> None:
    watch = Watch()
    house.bots(2)
    table = house.table("doudizhu", bots_max=2)
    before = watch.number()
    assert watch.number() == before
    house.sit(house.player("alice"), table, 1)
    sat = watch.number()
    assert sat > before
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    plays = watch.number()
    assert plays > sat
    # A private table is not in the lobby.
    private = house.table("baccarat", private=True)
    private.refresh_from_db()
    seating.sit(house.player("carol"), private.pk, 1, 50_000, house.now, private.invitation)
    assert watch.number() == plays
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSING)
    assert watch.number() > plays


def test_moves_send_the_lobby_no_version(house: House) -> None:
    table = house.among_bots("doudizhu", "alice")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    watch, moves = Watch(), table.moves_made
    before = watch.number()
    house.until(table, lambda table: table.moves_made > moves + 2)
    assert watch.number() == before


@pytest.mark.always
def test_growing_pools_send_the_lobby_a_version_now_and_then(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "POOLS_SECONDS", 86_400.0)
    pot = jackpots.create("Lotus", "progressive", house.currency, actor="test", seed=100)
    watch = Watch()
    before = watch.number()
    pot.seed = 200
    pot.save()
    jackpots.fill_up(pot, actor="test")
    assert watch.number() == before
    monkeypatch.setattr(listing, "POOLS_SECONDS", 0.0)
    assert watch.number() > before


def test_a_hundred_tables_are_looked_at_in_four_questions(house: House) -> None:
    for _ in range(20):
        house.table("baccarat")
    watch = Watch()
    with CaptureQueriesContext(connection) as queries:
        watch.number()
    # Tables, seats, jackpots, and what tournaments show there.
    assert len(queries) == 4
