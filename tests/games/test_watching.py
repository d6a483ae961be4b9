"""How many people look on at a table, as the streams of all processes know it."""

import asyncio
from collections.abc import Mapping

import pytest
from django.core.cache import cache
from django.test import Client

from games import live, streams, watching
from games.stream_endpoint import Streams, versions_of
from games.watching import Looking
from tests.games.house import House
from tests.games.listener import Listener
from tests.people import client_of
from tests.valkey import Valkey


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching._Own, "said", {})


@pytest.fixture
def redis(redis: Valkey) -> Valkey:
    """A Redis that knows of nobody who looks on."""
    live.client().delete(watching.KEY)
    return redis


def looking(strangers: int, *players: int) -> Looking:
    return Looking(strangers, frozenset(players))


def another_process(name: str, here: Mapping[int, Looking], patch: pytest.MonkeyPatch) -> None:
    with patch.context() as there:
        there.setattr(watching, "NAME", name)
        watching.tell(here)


def test_people_of_all_processes_are_counted_once_and_not_those_who_sit(
    redis: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_process("one", {7: looking(2, 11, 12), 8: looking(0, 11)}, monkeypatch)
    another_process("two", {7: looking(1, 12, 13)}, monkeypatch)
    assert watching.watchers({7: [11], 8: [11], 9: []}) == {7: 5, 8: 0, 9: 0}
    # What is asked again within a moment is answered from this process.
    another_process("two", {}, monkeypatch)
    assert watching.watchers({7: [11]}) == {7: 5}
    cache.clear()
    assert watching.watchers({7: [11]}) == {7: 3}


def test_a_process_that_has_ended_is_not_believed(
    redis: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_process("one", {7: looking(2)}, monkeypatch)
    monkeypatch.setattr(watching, "BELIEVED_SECONDS", -1.0)
    assert watching.watchers({7: []}) == {7: 0}
    assert live.client().hgetall(watching.KEY) == {}


def test_without_redis_a_process_tells_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live.breaker, "_closed_at", float("inf"))
    watching.tell({7: looking(1, 11)})
    assert watching.watchers({7: []}) == {7: 2}


@pytest.mark.django_db(transaction=True)
def test_the_streams_say_who_looks_on_and_the_lobby_shows_it(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.breaker, "_closed_at", float("inf"))
    house = House()
    table = house.table("baccarat", name="Dragon")
    alice = client_of(house.player("alice"))
    house.sit(house.person("alice"), table, 1)
    cookie = f"sessionid={alice.cookies['sessionid'].value}"

    async def happen() -> None:
        hub = streams.Hub(versions_of, lambda pairs: None, watching.tell)
        at = Streams(hub)
        try:
            for told in ({}, {}, {"cookie": cookie}):
                await Listener(at, live.stream_path(table.pk), **told).open().until("data: ")
            await Listener(at, live.LOBBY_STREAM).open().until("data: ")
            await hub.report()
        finally:
            await hub.stop()

    asyncio.run(happen())
    row = Client().get("/lobby/").text.split(f'id="table-{table.pk}"')[1].split("</li>")[0]
    assert "2 people look on" in row
