"""Live updates with and without Redis, which goes, hangs, and comes back."""

import asyncio
from typing import Any

import pytest

from games.live import announcing
from games.live import hub as live_hub
from games.models import Table
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import change, hearing, meet
from tests.valkey import Valkey
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(house: House) -> Table:
    return house.table("doudizhu")


def test_redis_goes_and_comes_back(
    redis: Valkey, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "LOOK_SECONDS_WITHOUT_REDIS", 0.05)
    monkeypatch.setattr(live_hub, "RECONNECT_SECONDS", 0.05)
    monkeypatch.setattr(announcing, "REST_SECONDS", 0.05)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        redis.stop()
        await change(at, table, 1)
        await asyncio.to_thread(announcing.announce, table.pk, 1)
        await browser.until_version(1)
        await hearing(at, wanted=False)
        await change(at, table, 2)
        await asyncio.to_thread(redis.start)
        await browser.until_version(2)
        await hearing(at)
        await asyncio.to_thread(until, announcing.breaker.may_try)
        await asyncio.to_thread(announcing.announce, table.pk, 3)
        await browser.until_version(3)
        assert browser.status == 200
        assert not browser.ended

    meet(meeting)


def test_a_redis_that_answers_nobody_is_left(
    redis: Valkey, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "SILENCE_SECONDS", 0.05)
    monkeypatch.setattr(live_hub, "LOOK_SECONDS_WITHOUT_REDIS", 0.05)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        redis.freeze()
        await change(at, table, 1)
        await browser.until_version(1)
        await hearing(at, wanted=False)

    try:
        meet(meeting)
    finally:
        redis.stop()


@pytest.mark.always
def test_missed_announcements_are_caught_up(
    redis: Valkey, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "LOOK_SECONDS", 0.05)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        await change(at, table, 1)
        await browser.until_version(1)

    meet(meeting)


def test_announcing_never_fails_and_waits_once(
    redis: Valkey,
    table: Table,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nothing is tried again while this test lasts, however long that is.
    monkeypatch.setattr(announcing, "REST_SECONDS", 86_400)
    monkeypatch.setattr(announcing, "ANSWER_SECONDS_MAX", 0.25)
    announcing.client.cache_clear()
    tried: list[None] = []
    client = announcing.client()

    def one_more() -> Any:
        tried.append(None)
        return client

    redis.freeze()
    with monkeypatch.context() as counted:
        counted.setattr(announcing, "client", one_more)
        for version in range(1000):
            announcing.announce(table.pk, version)
    redis.stop()
    assert len(tried) == 1
    assert caplog.text.count("Redis does not answer") == 1


@pytest.mark.always
def test_malformed_messages_are_ignored(redis: Valkey, table: Table) -> None:
    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        for payload in (b"", b"1", b"1:x", b"\xff", b"1:2:3"):
            announcing.client().publish(announcing.CHANNEL, payload)
        announcing.announce(table.pk, 4)
        await browser.until_version(4)
        assert browser.versions == [0, 4]

    meet(meeting)
