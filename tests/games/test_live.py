"""Live updates: versions and nothing else, to viewers who may watch a table."""

import asyncio

import pytest
from django.test import Client

from games.live import announcing
from games.live import hub as live_hub
from games.models import Table
from games.tables.presence import offline_at, seen, show_changes
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import Presence, address, hearing, meet
from tests.people import client_of
from tests.valkey import Valkey
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(house: House) -> Table:
    return house.table("doudizhu")


@pytest.mark.always
def test_streams_send_versions_and_nothing_else(redis: Valkey, house: House, table: Table) -> None:
    other = house.table("doudizhu")

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(0)
        await hearing(at)
        await asyncio.to_thread(announcing.announce, other.pk, 9)
        await asyncio.to_thread(announcing.announce, table.pk, 1)
        await browser.until_version(1)
        assert browser.versions == [0, 1]
        assert browser.status == 200
        assert browser.headers["content-type"].startswith("text/event-stream")
        assert browser.headers["cache-control"] == "no-store"
        allowed = ("retry: ", "id: ", "event: version", "data: ", ":")
        assert all(line.startswith(allowed) for line in browser.text.splitlines() if line)
        assert "id: 1\nevent: version\ndata: 1\n\n" in browser.text
        await browser.leave()

    meet(meeting)


@pytest.mark.always
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


def test_stream_says_who_is_offline_and_fetches_no_board_for_it(
    redis: Valkey, house: House, table: Table
) -> None:
    house.sit(house.player("alice"), table, 1)
    version = Table.objects.get(pk=table.pk).version
    house.pass_time(31)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until_version(version)
        await hearing(at)
        # There is no broker, whose absence stops announcements for a while, too.
        announcing.breaker.worked()
        await at.hub.ask_database(lambda: show_changes(house.now))
        await browser.until("event: presence\ndata: 1\n\n")
        # One that comes now is told at once.
        late = Listener(at, announcing.stream_path(table.pk), last_event_id="1").open()
        await late.until("event: presence\ndata: 1\n\n")
        await at.hub.ask_database(lambda: house.be_seen(table))
        await at.hub.ask_database(lambda: show_changes(house.now))
        await browser.until("event: presence\ndata: \n\n")
        assert set(browser.versions) == {version}
        for listener in (browser, late):
            await listener.leave()

    meet(meeting)


def test_without_redis_the_look_finds_who_is_offline(house: House, table: Table) -> None:
    house.sit(house.player("alice"), table, 1)

    async def meeting(at: Streams) -> None:
        at.hub.offline_at = offline_at
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until("event: version")
        await at.hub.ask_database(lambda: table.seats.update(shown_offline=True))
        await at.hub.look()
        await browser.until("event: presence\ndata: 1\n\n")
        await browser.leave()

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
        # What is left is this meeting and the six duties of the hub.
        assert len(asyncio.all_tasks()) <= 7

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

    paths = {player: address(client, table) for player, client in clients.items()}

    async def meeting(at: Streams) -> None:
        opened = [
            Listener(at, paths[alice]).open(),
            Listener(at, paths[alice]).open(),
            Listener(at, paths[bob]).open(),
            Listener(at, announcing.stream_path(table.pk)).open(),
        ]
        for browser in opened:
            await browser.until_version(0)
        await at.hub.report()
        await opened[2].leave()
        await at.hub.report()

    meet(meeting, presence)
    both = sorted([(table.pk, alice.pk), (table.pk, bob.pk)])
    at_tables = [pairs for pairs in presence.reported if pairs[0][0]]
    assert at_tables == [both, [(table.pk, alice.pk)]]


def test_the_last_stream_of_a_player_that_ends_is_reported(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "PRESENCE_SECONDS", 86_400)
    monkeypatch.setattr(live_hub, "ARRIVALS_SECONDS", 86_400)
    alice = house.player("alice")
    path = address(client_of(alice), table)
    closed: list[set[int]] = []

    async def meeting(at: Streams) -> None:
        at.hub.pages_closed = lambda players: closed.append(set(players))
        first, second = Listener(at, path).open(), Listener(at, path).open()
        for browser in (first, second):
            await browser.until_version(0)
        for browser in (first, second):
            assert closed == []
            await browser.leave()
            await at.hub.report_who_moved()
        # A reloaded page, and a house that stops.
        reloaded = Listener(at, path).open()
        await reloaded.until_version(0)
        await reloaded.leave()
        await Listener(at, path).open().until_version(0)
        await at.hub.report_who_moved()
        at.hub.close_streams()
        await at.hub.report_who_moved()

    meet(meeting)
    assert closed == [{alice.pk}]


def test_an_open_stream_marks_its_seat_as_seen(house: House, table: Table) -> None:
    alice = house.player("alice")
    seat = house.sit(alice, table, 1)
    path = address(client_of(alice), table)
    house.pass_time(30)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, path).open()
        await browser.until("data: ")
        await at.hub.report()

    meet(meeting, lambda pairs: seen(pairs, house.now))
    seat.refresh_from_db()
    assert seat.seen_at == house.now
