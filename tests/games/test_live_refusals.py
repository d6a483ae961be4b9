"""Live updates that are refused, and streams that end."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from games.live import announcing
from games.live import hub as live_hub
from games.models import Table
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import address, cookie, meet
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(house: House) -> Table:
    return house.table("doudizhu")


def test_private_and_missing_tables_are_indistinguishable(house: House) -> None:
    alice, stranger = house.player("alice"), house.player("stranger")
    private = house.table("doudizhu", private=True)
    house_invitation = Table.objects.get(pk=private.pk).invitation
    from games.tables import seating

    seating.sit(alice, private.pk, 1, 50_000, house.now, house_invitation)
    clients = {player: Client() for player in (alice, stranger)}
    for player, client in clients.items():
        client.force_login(player)

    paths = address(clients[alice], private), address(Client(), private, house_invitation)
    assert clients[stranger].get(f"/tables/{private.pk}/stream/").status_code == 404

    async def meeting(at: Streams) -> None:
        path = announcing.stream_path(private.pk)
        guessed = f"{path}?invitation={house_invitation}"
        answers = []
        for browser in (
            # A table's stream takes a ticket alone.
            Listener(at, path, cookie=cookie(clients[alice])),
            Listener(at, guessed),
            Listener(at, path),
            Listener(at, announcing.stream_path(999_999)),
        ):
            await browser.open().until_ended()
            answers.append((browser.status, browser.headers, browser.text))
        assert answers[0][0] == 404
        assert all(answer == answers[0] for answer in answers)
        welcome, invited = (Listener(at, path).open() for path in paths)
        await welcome.until("data: ")
        await invited.until("data: ")
        assert len(at.hub) == 2

    meet(meeting)


BAD: list[tuple[str, dict[str, Any], int]] = [
    ("/live/tables/1/", {"method": "POST"}, 405),
    ("/live/tables/x/", {}, 404),
    ("/live/tables/-1/", {}, 404),
    ("/live/tables/0/", {}, 404),
    ("/live/lobby/", {"method": "POST"}, 405),
    ("/live/tables/" + "9" * 30 + "/", {}, 404),
    ("/live/", {}, 404),
    ("/live/tables/1/", {"headers": [(b"host", b"elsewhere.example")]}, 400),
]


def test_bad_requests_are_refused() -> None:
    async def meeting(at: Streams) -> None:
        for path, how, status in BAD:
            browser = Listener(at, path)
            browser.scope |= how
            await browser.open().until_ended()
            assert browser.status == status, (path, how)
            assert len(at.hub) == 0

    meet(meeting)


FROM_ELSEWHERE: list[tuple[dict[str, str], int]] = [
    ({"origin": "https://elsewhere.example"}, 403),
    ({"origin": "https://localhost.elsewhere.example"}, 403),
    ({"origin": "http://localhost:8443"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "no address"}, 403),
    ({"origin": "https://[elsewhere"}, 403),
    ({"sec_fetch_site": "cross-site"}, 403),
    ({"origin": "http://localhost"}, 200),
    ({"origin": "https://club.example"}, 200),
    ({"origin": "https://club.example", "sec_fetch_site": "cross-site"}, 200),
    ({"sec_fetch_site": "same-origin"}, 200),
    ({}, 200),
]


def test_pages_of_other_sites_open_no_stream(house: House, table: Table, settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://club.example"]
    alice = client_of(house.player("alice"))

    path = address(alice, table)

    async def meeting(at: Streams) -> None:
        for headers, status in FROM_ELSEWHERE:
            browser = Listener(at, path, **headers).open()
            if status == 200:
                await browser.until_version(0)
            else:
                await browser.until_ended()
                assert "data:" not in browser.text
            assert browser.status == status, headers

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
    stranger = announcing.stream_path(table.pk)
    signed_in = address(client_of(house.player("alice")), table)

    async def meeting(at: Streams) -> None:
        def browser(place: str, path: str = stranger) -> Listener:
            listener = Listener(at, path)
            listener.scope["client"] = (place, 1)
            return listener.open()

        async def refused(listener: Listener) -> bool:
            await listener.until_ended()
            return listener.status == 503

        # A player is not counted with the address, nor the address with the player.
        alices = [browser("192.0.2.1", signed_in) for _ in range(2)]
        for alice in alices:
            await alice.until_version(0)
        assert await refused(browser("192.0.2.2", signed_in))
        for _ in range(3):
            await browser("192.0.2.1").until_version(0)
        assert await refused(browser("192.0.2.1"))
        await browser("192.0.2.3").until_version(0)
        # Who closes one may open another.
        await alices[0].leave()
        await browser("192.0.2.2", signed_in).until_version(0)

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

    async def meeting(at: Streams) -> None:
        browser = Listener(at, announcing.stream_path(table.pk)).open()
        await browser.until("event: beat\n")
        assert not browser.ended
        # Each stream is too old from here on.
        monkeypatch.setattr(live_hub, "STREAM_SECONDS_MAX", 0)
        await browser.until_ended()
        assert browser.ended
        assert len(at.hub) == 0

    meet(meeting)


@pytest.mark.always
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
        assert await at.hub.ask_database(connections) <= before + 2

    meet(meeting)
