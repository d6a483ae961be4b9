"""Live push: versions and nothing else, to whoever may watch, with Redis and without."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from games.live import announcing
from games.live import hub as live_hub
from games.models import Table
from games.tables.presence import seen
from games.views.streams import Streams, versions_of
from tests.games.house import House
from tests.games.listener import Listener
from tests.people import client_of
from tests.valkey import Valkey
from tests.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.django_db(transaction=True)
Meeting = Callable[[Streams], Awaitable[None]]


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
def table(house: House) -> Table:
    return house.table("doudizhu")


class Presence:
    def __init__(self) -> None:
        self.reported: list[list[tuple[int, int]]] = []

    def __call__(self, pairs: Iterable[tuple[int, int]]) -> None:
        self.reported.append(list(pairs))


def meet(meeting: Meeting, seen: Callable[[Iterable[tuple[int, int]]], None] | None = None) -> None:
    """Let a meeting of browsers happen at a hub of its own, which is stopped afterwards."""

    async def happen() -> None:
        hub = live_hub.Hub(versions_of, seen or Presence())
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


def cookie(client: Client) -> str:
    return f"sessionid={client.cookies['sessionid'].value}"


def test_streams_send_versions_and_nothing_else(redis: Valkey, table: Table) -> None:
    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        await asyncio.to_thread(announcing.announce, table.pk, 1)
        await browser.until_version(1)
        assert browser.status == 200
        assert browser.headers["content-type"].startswith("text/event-stream")
        assert browser.headers["cache-control"] == "no-store"
        allowed = ("retry: ", "id: ", "event: version", "data: ", ":")
        assert all(line.startswith(allowed) for line in browser.text.splitlines() if line)
        assert "id: 1\nevent: version\ndata: 1\n\n" in browser.text
        await browser.leave()

    meet(meeting)


def test_stream_announces_chat_without_its_text(redis: Valkey, table: Table) -> None:
    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        await asyncio.to_thread(announcing.announce_chat, table.pk, 41)
        await browser.until("event: chat\ndata: 41\n\n")
        await asyncio.to_thread(announcing.announce, table.pk, 1)
        await browser.until_version(1)
        assert browser.text.count("event: chat") == 1
        await browser.leave()

    meet(meeting)


def test_a_stream_sends_no_versions_of_other_tables(
    redis: Valkey, house: House, table: Table
) -> None:
    other = house.table("doudizhu")

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        await asyncio.to_thread(announcing.announce, other.pk, 9)
        await asyncio.to_thread(announcing.announce, table.pk, 2)
        await browser.until_version(2)
        assert browser.versions == [0, 2]

    meet(meeting)


def test_a_returning_browser_gets_only_newer_versions(table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(version=7)

    async def meeting(at: Streams) -> None:
        same = Listener(at, announcing.stream_path(table.pk), last_event_id="7").open()
        behind = Listener(at, announcing.stream_path(table.pk), last_event_id="5").open()
        ahead = Listener(at, announcing.stream_path(table.pk), last_event_id="9" * 18).open()
        nonsense = Listener(at, announcing.stream_path(table.pk), last_event_id="seven").open()
        for browser in (behind, ahead, nonsense):
            await browser.until_version(7)
        await same.until(":\n\n")
        at.hub.tell(table.pk, 8)
        await same.until_version(8)
        assert same.versions == [8]
        assert behind.versions == [7, 8]

    meet(meeting)


def test_a_change_while_a_stream_opens_is_not_missed(table: Table) -> None:
    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk))
        browser.takes.clear()
        browser.open()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not len(at.hub):
                await asyncio.sleep(0)
        at.hub.tell(table.pk, 3)
        browser.takes.set()
        await browser.until_version(3)

    meet(meeting)


def test_a_slow_browser_gets_the_newest_version_and_nothing_piles_up(table: Table) -> None:
    async def meeting(at: Streams) -> None:
        slow = Listener(at, announcing.stream_path(table.pk)).open()
        quick = Listener(at, announcing.stream_path(table.pk)).open()
        await slow.until_version(0)
        await quick.until_version(0)
        slow.takes.clear()
        tasks = len(asyncio.all_tasks())
        for version in range(1, 1001):
            at.hub.tell(table.pk, version)
        await quick.until_version(1000)
        assert len(asyncio.all_tasks()) <= tasks + 2
        slow.takes.set()
        await slow.until_version(1000)
        assert len(slow.versions) <= 3

    meet(meeting)


def test_leaving_frees_everything(table: Table) -> None:
    async def meeting(at: Streams) -> None:
        opened = [Listener(at, announcing.stream_path(table.pk)).open() for _ in range(50)]
        for browser in opened:
            await browser.until_version(0)
        assert len(at.hub) == 50
        opened[0].takes.clear()  # one that leaves in the middle of a message
        at.hub.tell(table.pk, 1)
        opened[0].takes.set()
        for browser in opened:
            await browser.leave()
        assert len(at.hub) == 0
        assert not at.hub._watchers
        # What is left is this meeting and the five duties of the hub.
        assert len(asyncio.all_tasks()) <= 6

    meet(meeting)


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


def test_presence_is_handed_over_in_one_batch(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The hub itself hands nothing over while this test lasts.
    monkeypatch.setattr(live_hub, "PRESENCE_SECONDS", 86_400)
    presence = Presence()
    alice, bob = house.player("alice"), house.player("bob")
    clients = {player: Client() for player in (alice, bob)}
    for player, client in clients.items():
        client.force_login(player)

    async def meeting(at: Streams) -> None:
        path = announcing.stream_path(table.pk)
        cookies = {player: cookie(client) for player, client in clients.items()}
        opened = [
            Listener(at, path, cookie=cookies[alice]).open(),
            Listener(at, path, cookie=cookies[alice]).open(),
            Listener(at, path, cookie=cookies[bob]).open(),
            Listener(at, path).open(),
        ]
        for browser in opened:
            await browser.until_version(0)
        await at.hub.report()
        await opened[2].leave()
        await at.hub.report()

    meet(meeting, presence)
    both = sorted([(table.pk, alice.pk), (table.pk, bob.pk)])
    assert presence.reported == [both, [(table.pk, alice.pk)]]


def test_an_open_stream_marks_its_seat_as_seen(house: House, table: Table) -> None:
    alice = house.player("alice")
    seat = house.sit(alice, table, 1)
    client = client_of(alice)
    house.pass_time(30)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk), cookie=cookie(client)).open()
        await browser.until("data: ")
        await at.hub.report()

    meet(meeting, lambda pairs: seen(pairs, house.now))
    seat.refresh_from_db()
    assert seat.seen_at == house.now


def test_private_and_missing_tables_are_indistinguishable(house: House) -> None:
    alice, stranger = house.player("alice"), house.player("stranger")
    private = house.table("doudizhu", private=True)
    house_invitation = Table.objects.get(pk=private.pk).invitation
    from games.tables import seating

    seating.sit(alice, private.pk, 1, 50_000, house.now, house_invitation)
    clients = {player: Client() for player in (alice, stranger)}
    for player, client in clients.items():
        client.force_login(player)

    async def meeting(at: Streams) -> None:
        path = announcing.stream_path(private.pk)
        answers = []
        for browser in (
            Listener(at, path, cookie=cookie(clients[stranger])),
            Listener(at, path),
            Listener(at, announcing.stream_path(private.pk, "a guess")),
            Listener(at, announcing.stream_path(999_999)),
        ):
            await browser.open().until_ended()
            answers.append((browser.status, browser.headers, browser.text))
        assert answers[0][0] == 404
        assert all(answer == answers[0] for answer in answers)
        welcome = Listener(at, path, cookie=cookie(clients[alice])).open()
        invited = Listener(at, announcing.stream_path(private.pk, house_invitation)).open()
        await welcome.until("data: ")
        await invited.until("data: ")
        assert len(at.hub) == 2

    meet(meeting)


@pytest.mark.parametrize(
    ("path", "how", "status"),
    [
        ("/live/tables/1/", {"method": "POST"}, 405),
        ("/live/tables/x/", {}, 404),
        ("/live/tables/-1/", {}, 404),
        ("/live/tables/0/", {}, 404),
        ("/live/lobby/", {"method": "POST"}, 405),
        ("/live/tables/" + "9" * 30 + "/", {}, 404),
        ("/live/", {}, 404),
        ("/live/tables/1/", {"headers": [(b"host", b"elsewhere.example")]}, 400),
    ],
)
def test_bad_requests_are_refused(path: str, how: dict[str, Any], status: int) -> None:
    async def meeting(at: Streams) -> None:
        browser = Listener(at, path)
        browser.scope |= how
        await browser.open().until_ended()
        assert browser.status == status
        assert len(at.hub) == 0

    meet(meeting)


def test_a_full_house_asks_to_come_later(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.streams.STREAMS_MAX", 1)

    async def meeting(at: Streams) -> None:
        await Listener(at, announcing.stream_path(table.pk)).open().until_version(0)
        second = Listener(at, announcing.stream_path(table.pk)).open()
        await second.until_ended()
        assert second.status == 503
        assert second.headers["retry-after"]

    meet(meeting)


def test_streams_are_limited_per_player_and_address(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.views.streams.STREAMS_OF_PLAYER_MAX", 2)
    monkeypatch.setattr("games.views.streams.STREAMS_OF_ADDRESS_MAX", 3)
    client = client_of(house.player("alice"))

    async def meeting(at: Streams) -> None:
        def browser(address: str, **headers: str) -> Listener:
            one = Listener(at, announcing.stream_path(table.pk), **headers)
            one.scope["client"] = (address, 1)
            return one.open()

        async def refused(one: Listener) -> bool:
            await one.until_ended()
            return one.status == 503

        # A player is not counted with the address, nor the address with the player.
        alices = [browser("192.0.2.1", cookie=cookie(client)) for _ in range(2)]
        for one in alices:
            await one.until_version(0)
        assert await refused(browser("192.0.2.2", cookie=cookie(client)))
        for _ in range(3):
            await browser("192.0.2.1").until_version(0)
        assert await refused(browser("192.0.2.1"))
        await browser("192.0.2.3").until_version(0)
        # Who closes one may open another.
        await alices[0].leave()
        await browser("192.0.2.2", cookie=cookie(client)).until_version(0)

    meet(meeting)


def test_streams_survive_an_unavailable_database(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "LOOK_SECONDS_WITHOUT_REDIS", 0.02)
    away = [True] * 3

    def answer(table_ids: Iterable[int]) -> dict[int, int]:
        if away:
            away.pop()
            raise OperationalError
        return dict.fromkeys(table_ids, 5)

    async def meeting(at: Streams) -> None:
        at.hub.versions_of = answer
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(5)
        monkeypatch.setattr("games.views.streams.may_watch", _raise)
        refused = Listener(at, announcing.stream_path(table.pk)).open()
        await refused.until_ended()
        assert refused.status == 503

    meet(meeting)


def _raise(*_: object) -> bool:
    raise OperationalError


def test_old_streams_end_so_that_their_watchers_authenticate_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(live_hub, "STREAM_SECONDS_MAX", 0.2)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_ended()
        assert browser.text.count(":\n\n") >= 2
        assert browser.ended
        assert len(at.hub) == 0

    meet(meeting)


def test_a_house_that_closes_ends_its_streams(table: Table) -> None:
    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        at.hub.close_streams()
        await browser.until_ended()
        assert browser.ended
        late = Listener(at, announcing.stream_path(table.pk)).open()
        await late.until_ended()
        assert late.status == 503

    meet(meeting)


def test_open_streams_hold_no_database_connection(table: Table) -> None:
    """Fifty streams, and no more connections than the two threads that ask for all of them."""
    from django.db import connection

    def connections() -> int:
        if connection.vendor != "postgresql":
            return 0
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname=current_database()")
            return int(cursor.fetchone()[0])

    before = connections()

    async def meeting(at: Streams) -> None:
        opened = [Listener(at, announcing.stream_path(table.pk)).open() for _ in range(50)]
        for browser in opened:
            await browser.until_version(0)
        assert len(at.hub._threads._threads) <= 2
        assert await at.hub.ask_database(connections) <= before + 2

    meet(meeting)
