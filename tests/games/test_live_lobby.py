"""The lobby's stream: a number when the room looks different, nothing for what does not show."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import live, seating, streams
from games.lobby import room
from games.lobby.room import Watch
from games.models import Table
from games.stream_endpoint import Streams, versions_of
from tests.games.house import House
from tests.games.listener import Listener
from wallets import jackpots

pytestmark = pytest.mark.django_db(transaction=True)
Meeting = Callable[[Streams], Awaitable[None]]


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LOBBY_SECONDS", 0.05)
    monkeypatch.setattr(streams, "LOOK_SECONDS_WITHOUT_REDIS", 600)


def meet(meeting: Meeting) -> None:
    async def happen() -> None:
        hub = streams.Hub(versions_of, lambda pairs: None)
        try:
            await meeting(Streams(hub))
        finally:
            await hub.stop()

    asyncio.run(happen())


async def told(browser: Listener, count: int) -> None:
    async with asyncio.timeout(10):
        while len(browser.versions) < count:
            await asyncio.sleep(0.01)


def test_whoever_watches_the_lobby_hears_that_somebody_sat_down(house: House) -> None:
    table = house.table("doudizhu")
    alice = house.player("alice")

    async def meeting(at: Streams) -> None:
        browser = Listener(at, live.LOBBY_STREAM).open()
        await told(browser, 1)
        assert browser.status == 200
        await asyncio.to_thread(seating.sit, alice, table.pk, 1, 50_000, house.now)
        at.hub.stir()
        await told(browser, 2)
        first, second = browser.versions
        assert second > first
        allowed = ("retry: ", "id: ", "event: version", "data: ", ":")
        assert all(line.startswith(allowed) for line in browser.text.splitlines() if line)

    meet(meeting)


def test_a_hundred_changes_at_once_are_told_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.table("doudizhu")
    asked: list[Iterable[int]] = []

    def answer(table_ids: Iterable[int]) -> dict[int, int]:
        asked.append(tuple(table_ids))
        return {live.LOBBY: 10**15 + len(asked)}

    async def meeting(at: Streams) -> None:
        browser = Listener(at, live.LOBBY_STREAM).open()
        await told(browser, 1)
        at.hub._versions_of = answer
        for version in range(100):
            at.hub.tell(table.pk, version)
            at.hub.stir()
        await told(browser, 2)
        assert asked == [(live.LOBBY,)]

    meet(meeting)


def test_who_watches_the_lobby_is_at_no_table(house: House) -> None:
    async def meeting(at: Streams) -> None:
        reported: list[Any] = []
        at.hub._seen = reported.append
        browser = Listener(at, live.LOBBY_STREAM).open()
        await told(browser, 1)
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


def test_moves_are_not_told_to_the_lobby(house: House) -> None:
    house.bots(2)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    watch, moves = Watch(), table.moves_made
    before = watch.number()
    house.until(table, lambda table: table.moves_made > moves + 2)
    assert watch.number() == before


def test_pools_are_told_now_and_then(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    pot = jackpots.create("Lotus", "progressive", house.currency, actor="test", seed=100)
    watch = Watch()
    before = watch.number()
    pot.seed = 200
    pot.save()
    jackpots.fill_up(pot, actor="test")
    assert watch.number() == before
    monkeypatch.setattr(room, "POOLS_SECONDS", 0.0)
    assert watch.number() > before


def test_a_hundred_tables_are_looked_at_in_three_questions(house: House) -> None:
    for _ in range(20):
        house.table("baccarat")
    watch = Watch()
    with CaptureQueriesContext(connection) as queries:
        watch.number()
    assert len(queries) == 3
