"""Who gets which part of a table in a stream, and what they get when something goes wrong."""

import itertools
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.api.table_json import StreamJson
from games.live.announcing import stream_path
from games.models import Seat, Table
from games.tables import seating
from games.tables.table_cache import TABLE_CACHE
from games.views import stream_parts
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import address, meet
from tests.games.program import cards_in
from tests.games.stream_contents import (
    Carried,
    act,
    carried_now,
    now_at,
    opened,
    stranger,
    until_carried,
)

pytestmark = pytest.mark.django_db(transaction=True)

TRIO = ("alice", "bob", "carol")


def test_a_viewer_who_sits_down_gets_an_own_part_until_they_stand_up(house: House) -> None:
    table = house.dealt_in("blackjack", "alice", "bob")
    carol = house.player("carol")

    async def meeting(at: Streams) -> None:
        stream = await opened(at, house, table, "carol")
        (looks_on,) = await carried_now(at, table, stream)
        assert not looks_on.own
        await at.hub.ask_database(lambda: house.sit(carol, table, 3))
        (sits,) = await carried_now(at, table, stream)
        assert b'"number":3' in sits.own["mine"]
        # Dealt to the others alone.
        assert "view" not in sits.own
        await at.hub.ask_database(lambda: house.leave(carol, table))
        (stands,) = await carried_now(at, table, stream)
        assert stands.own["mine"] == b"null"
        assert stands.own["choices"] == b"[]"

    meet(meeting)


def test_own_parts_of_a_seat_end_with_the_seat(house: House) -> None:
    """A player who takes the seat gets an own part, and the one before them no longer does."""
    table = house.table("blackjack")
    alice, bob = house.player("alice"), house.player("bob")
    house.sit(alice, table, 1)

    def change_places() -> None:
        house.leave(alice, table)
        house.sit(bob, table, 1)

    async def meeting(at: Streams) -> None:
        streams = [await opened(at, house, table, name) for name in ("alice", "bob")]
        first = await carried_now(at, table, *streams)
        assert [bool(carried.own) for carried in first] == [True, False]
        await at.hub.ask_database(change_places)
        then = await carried_now(at, table, *streams)
        assert [carried.own["mine"] != b"null" for carried in then] == [False, True]

    meet(meeting)


@pytest.mark.always
def test_a_table_that_is_hidden_ends_the_streams_of_those_who_may_not_see_it(
    house: House,
) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    def hide() -> None:
        Table.objects.filter(pk=table.pk).update(private=True, version=table.version + 1)

    async def meeting(at: Streams) -> None:
        alice, eve = await opened(at, house, table, "alice"), stranger(at, table)
        await carried_now(at, table, alice, eve)
        await at.hub.ask_database(hide)
        version = await now_at(at, table)
        await eve.until_ended()
        assert eve.ended
        assert version not in Carried(eve).versions
        assert (await until_carried(alice, version)).own

    meet(meeting)


@pytest.mark.always
def test_a_private_table_is_carried_to_invited_strangers_alone(house: House) -> None:
    table = house.table("doudizhu", private=True)
    invited = address(Client(), table, Table.objects.get(pk=table.pk).invitation)

    async def meeting(at: Streams) -> None:
        turned_away = stranger(at, table)
        await turned_away.until_ended()
        assert turned_away.status == 404
        guest = Listener(at, f"{invited}&as=json").open()
        (carried,) = await carried_now(at, table, guest)
        assert carried.public["id"] == str(table.pk).encode()

    meet(meeting)


def test_a_table_that_is_gone_ends_its_streams(house: House) -> None:
    table = house.table("doudizhu")
    number = table.pk

    async def meeting(at: Streams) -> None:
        eve = stranger(at, table)
        (first,) = await carried_now(at, table, eve)
        await at.hub.ask_database(table.delete)
        at.hub.tell(number, first.version + 1)
        await eve.until_ended()

    meet(meeting)


def test_each_language_has_a_public_part(house: House, public_parts: list[str]) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        streams = [
            stranger(at, table, accept_language=language)
            for language in ("en", "zh-hans", "zh-hant", "zh-hans", "en")
        ]
        await carried_now(at, table, *streams)
        public_parts.clear()
        await at.hub.ask_database(lambda: act(house, table))
        carried = await carried_now(at, table, *streams)
        assert sorted(public_parts) == ["en", "zh-hans", "zh-hant"]
        names = [copy.table["game_name"].decode() for copy in carried]
        assert names == ['"Dou Dizhu"', '"斗地主"', '"鬥地主"', '"斗地主"', '"Dou Dizhu"']

    meet(meeting)


def test_a_fault_in_a_rendering_shows_the_bare_version(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("doudizhu", *TRIO)
    faulty = {"alice"}
    real = StreamJson.own

    def fails(self: StreamJson, viewer: Any, *rows: Any) -> Any:
        if viewer.username in faulty:
            raise ValueError
        return real(self, viewer, *rows)

    monkeypatch.setattr(StreamJson, "own", fails)

    async def meeting(at: Streams) -> None:
        alice, bob = [await opened(at, house, table, name) for name in ("alice", "bob")]
        (there,) = await carried_now(at, table, bob)
        await alice.until_version(there.version)
        assert not Carried(alice).events
        await at.hub.ask_database(lambda: act(house, table))
        version = await now_at(at, table)
        await alice.until_version(version)
        assert "parts" not in alice.text
        faulty.clear()
        await at.hub.ask_database(lambda: act(house, table))
        whole, _bob = await carried_now(at, table, alice, bob)
        assert whole.own
        assert whole.versions == [version + 1]

    meet(meeting)


def test_a_fault_in_the_public_part_shows_nobody_a_part(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    def fails(*_: Any) -> Any:
        raise ValueError

    monkeypatch.setattr(StreamJson, "public", fails)

    async def meeting(at: Streams) -> None:
        streams = [await opened(at, house, table, "alice"), stranger(at, table)]
        version = await now_at(at, table)
        for stream in streams:
            await stream.until_version(version)
            assert "parts" not in stream.text

    meet(meeting)


def test_nobody_is_shown_a_table_whose_permission_cannot_be_checked(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    def fails(*_: Any) -> bool:
        raise ValueError

    monkeypatch.setattr(stream_parts, "may_watch", fails)

    async def meeting(at: Streams) -> None:
        eve = stranger(at, table)
        await eve.until_version(await now_at(at, table))
        assert "parts" not in eve.text

    meet(meeting)


def test_who_is_awaited_between_hands_follows_who_is_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy holds when each player was seen last, which later changes without a version."""
    table = house.dealt_in("doudizhu", *TRIO)
    house.until(table, lambda one: one.phase == Table.Phase.PAUSE)
    clock = itertools.repeat(house.now)
    monkeypatch.setattr(timezone, "now", lambda: next(clock))
    TABLE_CACHE.newest(table.pk)
    later: datetime = house.now.replace(year=house.now.year + 1)
    Seat.objects.filter(table=table).update(seen_at=later)
    clock = itertools.repeat(later)

    async def meeting(at: Streams) -> None:
        alice = await opened(at, house, table, "alice")
        (carried,) = await carried_now(at, table, alice)
        assert b'"ready":false' in carried.own["between"]
        assert carried.own["waits_for"] == b"[1,2,3]"

    meet(meeting)


@pytest.mark.parametrize("path", ["/live/lobby/?as=json", "/live/tables/1/?as=pictures"])
def test_what_has_no_such_rendering_is_refused(path: str) -> None:
    async def meeting(at: Streams) -> None:
        browser = Listener(at, path).open()
        await browser.until_ended()
        assert browser.status == 400

    meet(meeting)


def test_a_stream_without_a_rendering_carries_versions_alone(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        browser = Listener(at, stream_path(table.pk)).open()
        await browser.until_version(await now_at(at, table))
        assert "parts" not in browser.text
        assert not cards_in(browser.text)

    meet(meeting)


def test_a_seat_elsewhere_gives_no_own_part_here(house: House) -> None:
    here = house.dealt_in("doudizhu", *TRIO)
    house.player("dave")
    other = house.table("blackjack")
    seating.sit(house.person("dave"), other.pk, 1, 50_000, house.now)

    async def meeting(at: Streams) -> None:
        dave = await opened(at, house, here, "dave")
        (carried,) = await carried_now(at, here, dave)
        assert not carried.own

    meet(meeting)
