"""How many people watch a table, as the streams of all processes know it."""

import asyncio
from collections.abc import Iterator, Mapping

import pytest
from django.core.cache import cache
from django.test import Client

from games.live import announcing, spectators
from games.live import hub as live_hub
from games.live.spectators import Looking
from games.views.streams import Streams, versions_of
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import address
from tests.people import client_of
from tests.valkey import Valkey
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture
def without_redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Redis has failed and is not asked again; this process has reported no spectator yet."""
    monkeypatch.setattr(announcing, "REST_SECONDS", 86_400)
    announcing.breaker.failed()
    spectators.tell({})
    yield
    announcing.breaker.worked()


@pytest.fixture
def redis(redis: Valkey) -> Valkey:
    """A Redis that knows of no spectator."""
    announcing.client().delete(spectators.KEY)
    return redis


def looking(strangers: int, *players: int) -> Looking:
    return Looking(strangers, frozenset(players))


def another_process(name: str, here: Mapping[int, Looking], patch: pytest.MonkeyPatch) -> None:
    with patch.context() as there:
        there.setattr(spectators, "NAME", name)
        spectators.tell(here)


def test_people_of_all_processes_are_counted_once_and_not_those_who_sit(
    redis: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "READ_SECONDS", 86_400)
    another_process("one", {7: looking(2, 11, 12), 8: looking(0, 11)}, monkeypatch)
    another_process("two", {7: looking(1, 12, 13)}, monkeypatch)
    assert spectators.watchers({7: [11], 8: [11], 9: []}) == {7: 5, 8: 0, 9: 0}
    # What is asked again within a moment is answered from this process.
    another_process("two", {}, monkeypatch)
    assert spectators.watchers({7: [11]}) == {7: 5}
    # For calls to players without an open page the streams are searched anew.
    assert spectators.players_watching() == {7: {11, 12}, 8: {11}}
    cache.clear()
    assert spectators.watchers({7: [11]}) == {7: 3}


def test_a_process_that_has_ended_is_not_believed(
    redis: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_process("one", {7: looking(2)}, monkeypatch)
    monkeypatch.setattr(spectators, "BELIEVED_SECONDS", -1.0)
    assert spectators.watchers({7: []}) == {7: 0}
    assert announcing.client().hgetall(spectators.KEY) == {}


@pytest.mark.usefixtures("without_redis")
def test_without_redis_a_process_tells_of_its_own() -> None:
    spectators.tell({7: looking(1, 11)})
    assert spectators.watchers({7: []}) == {7: 2}


@pytest.mark.django_db(transaction=True)
def test_the_first_spectator_of_a_table_is_reported_at_once(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Otherwise a report comes at its next turn.
    monkeypatch.setattr(live_hub, "PRESENCE_SECONDS", 3_600.0)
    table = House().table("baccarat")

    async def happen() -> None:
        reports: asyncio.Queue[Mapping[int, spectators.Looking]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def note(here: Mapping[int, spectators.Looking]) -> None:
            loop.call_soon_threadsafe(reports.put_nowait, here)

        hub = live_hub.Hub(versions_of, lambda pairs: None, note)
        try:
            await Listener(Streams(hub), announcing.stream_path(table.pk)).open().until("data: ")
            async with asyncio.timeout(PATIENCE_SECONDS):
                assert await reports.get() == {table.pk: spectators.Looking(1, frozenset())}
        finally:
            await hub.stop()

    asyncio.run(happen())


@pytest.mark.usefixtures("without_redis")
def test_the_streams_say_who_looks_on_and_the_lobby_shows_it(transactional_db: None) -> None:
    house = House()
    table = house.table("baccarat", name="Dragon")
    alice = client_of(house.player("alice"))
    house.sit(house.person("alice"), table, 1)
    stranger, signed_in = announcing.stream_path(table.pk), address(alice, table)

    async def happen() -> None:
        hub = live_hub.Hub(versions_of, lambda pairs: None, spectators.tell)
        at = Streams(hub)
        try:
            for path in (stranger, stranger, signed_in):
                await Listener(at, path).open().until("data: ")
            await Listener(at, announcing.LOBBY_STREAM).open().until("data: ")
            await hub.report()
        finally:
            await hub.stop()

    asyncio.run(happen())
    row = Client().get("/lobby/").text.split(f'id="table-{table.pk}"')[1].split("</li>")[0]
    assert "2 watching" in row
