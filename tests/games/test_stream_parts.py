"""Streams that carry the parts of a table: to the byte what a look gives, for one viewer."""

import asyncio
import re
from itertools import cycle
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from games.api.table_json import StreamJson
from games.boards.table_version import VERSIONS
from games.families.thirteen import help as thirteen_help
from games.live.announcing import MIX, News
from games.live.parts import NOTHING, Audience, Made, Part, Parts, Reader, Wanted
from games.live.watcher import Watcher
from games.models import Hand, Table
from games.rules.catalogue import GAMES
from games.rules.thirteen.suggest import suggest
from games.shoes import custody
from games.tables.table_cache import TABLE_CACHE
from games.views import stream_parts
from games.views.stream_parts import make_at_once, make_parts
from games.views.streams import Streams
from tests.games.commit_reveal import Device, sealed_table
from tests.games.house import House
from tests.games.live_streams import meet
from tests.games.program import Program, cards_in
from tests.games.stream_contents import (
    Carried,
    act,
    carried_now,
    in_pieces,
    now_at,
    opened,
    stranger,
    until_carried,
)
from tests.games.viewers import people_of, shown_to
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)

# The fields of a table that only a response has, or that differ there.
OF_THE_MOMENT = {"stream", "now", "help", "free", "seats"}
LOOKS = 3
MOVES_BETWEEN = 3
TRIO = ("alice", "bob", "carol")


class Looks:
    """Looks at a hand by the API, each compared with what a stream has carried."""

    def __init__(self, house: House, table: Table, names: tuple[str, ...]) -> None:
        self.house, self.table, self.names = house, table, names
        self.hand_id = table.hand_id
        self.programs = {name: Program(name) for name in (*names, "eve")} | {"": Program()}
        # An exchanged card stays known to the player who had it.
        self.seen: dict[str, set[str]] = {name: set() for name in self.programs}

    def go_on(self) -> bool:
        """Play on; return whether the hand still runs."""
        for _move in range(MOVES_BETWEEN):
            if not self.house.let_people_act(self.table):
                self.house.until_due(self.table)
            self.table.refresh_from_db()
        return self.table.hand_id == self.hand_id

    def compare(self, name: str, carried: Carried, text: str) -> None:
        self._compare_bytes(name, carried)
        hand = Hand.objects.select_related("shoe").get(pk=self.hand_id)
        seat = self.names.index(name) + 1 if name in self.names else None
        known = shown_to(hand, seat)
        self.seen[name] |= known
        assert cards_in([*map(bytes.decode, carried.table.values())]) <= known, name
        assert cards_in(text) <= self.seen[name], name

    def _compare_bytes(self, name: str, carried: Carried) -> None:
        shown = self.programs[name].get(f"tables/{self.table.pk}/")
        assert shown["version"] == carried.version
        looked = in_pieces(self.programs[name].text)
        fields = looked.keys() - OF_THE_MOMENT
        if name not in self.names:
            assert not carried.own
            fields &= carried.public.keys()
        assert len(fields) > 20
        assert {field: carried.table[field] for field in fields} == {
            field: looked[field] for field in fields
        }


@pytest.mark.always
@pytest.mark.parametrize("game", GAMES)
def test_a_stream_carries_what_its_viewer_sees_and_no_other_card(house: House, game: str) -> None:
    names = tuple(people_of(game))
    table = house.dealt_in(game, *names)
    house.player("eve")
    looks = Looks(house, table, names)

    async def meeting(at: Streams) -> None:
        streams = {"": stranger(at, table)}
        for name in (*names, "eve"):
            streams[name] = await opened(at, house, table, name)
        for _look in range(LOOKS):
            version = await now_at(at, table)
            for name, stream in streams.items():
                carried = await until_carried(stream, version)
                await at.hub.ask_database(
                    lambda name=name, carried=carried, text=stream.text: looks.compare(
                        name, carried, text
                    )
                )
            if not await at.hub.ask_database(looks.go_on):
                break

    meet(meeting)


def test_an_event_has_only_the_pieces_that_changed(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        alice, eve = await opened(at, house, table, "alice"), stranger(at, table)
        whole = await carried_now(at, table, alice, eve)
        assert whole[1].public == whole[0].public
        assert whole[0].own
        await at.hub.ask_database(lambda: act(house, table))
        for now, before in zip(await carried_now(at, table, alice, eve), whole, strict=True):
            assert now.versions == [before.version, before.version + 1]
            sent = now.events[-1]
            assert sent.public.keys() == {
                name for name in now.public if now.public[name] != before.public[name]
            }
            assert sent.own.keys() == {
                name for name in now.own if now.own[name] != before.own.get(name)
            }
            assert {"version", "view"} <= sent.public.keys() < now.public.keys()

    meet(meeting)


@pytest.mark.always
def test_an_act_makes_the_public_part_once_and_sends_own_parts_that_changed(
    house: House, public_parts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("doudizhu", *TRIO)
    made: list[str] = []
    real = StreamJson.own

    def noted(self: StreamJson, viewer: Any, *rows: Any) -> Any:
        made.append(viewer.username)
        return real(self, viewer, *rows)

    monkeypatch.setattr(StreamJson, "own", noted)

    async def meeting(at: Streams) -> None:
        seated = [await opened(at, house, table, name) for name in TRIO]
        strangers = [stranger(at, table) for _ in range(30)]
        everybody = [*seated, *strangers]
        await carried_now(at, table, *everybody)
        made.clear()
        public_parts.clear()
        await at.hub.ask_database(lambda: house.change(table, "bob", auto_play=True))
        carried = await carried_now(at, table, *everybody)
        assert public_parts == ["en"]
        assert sorted(made) == sorted(TRIO)
        assert [bool(copy.events[-1].own) for copy in carried] == [False, True, False] + [
            False
        ] * 30
        assert all(copy.events[-1].public for copy in carried)

    meet(meeting)


@pytest.mark.parametrize("form", ["json", "html"])
def test_an_act_of_this_process_is_carried_without_a_statement(house: House, form: str) -> None:
    table = house.dealt_in("doudizhu", *TRIO)
    statements: list[str] = []

    def noted(execute: Any, sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    async def meeting(at: Streams) -> None:
        streams = [await opened(at, house, table, name, form) for name in TRIO]
        streams += [stranger(at, table, form) for _ in range(10)]
        await carried_now(at, table, *streams)
        await at.hub.ask_database(lambda: act(house, table))
        copy = TABLE_CACHE.known(table.pk)
        assert copy is not None
        real = at.hub.parts.make

        def make(wanted: Any) -> Any:
            with connection.execute_wrapper(noted):
                return real(wanted)

        at.hub.parts.make = make
        at.hub.tell(table.pk, copy.version)
        for stream in streams:
            await until_carried(stream, copy.version)

    meet(meeting)
    assert statements == []


@pytest.mark.always
@pytest.mark.parametrize("game", ["doudizhu", "blackjack", "russian_poker", "thirteen_fujian"])
def test_parts_are_made_in_the_loop_where_nothing_is_read(
    house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    viewers: list[Any] = [*map(house.person, names), AnonymousUser()]
    at_once: list[bool] = []

    async def in_the_loop(wanted: Wanted) -> Made | None:
        return make_at_once(wanted)

    def compare() -> None:
        table.refresh_from_db()
        readers = tuple(
            Reader(number, Audience(form, "en", viewer), NOTHING)
            for number, (viewer, form) in enumerate(
                zip(viewers, cycle(("html", "json")), strict=False)
            )
        )
        wanted = Wanted(table.pk, table.version, readers)

        made = asyncio.run(in_the_loop(wanted))
        at_once.append(made is not None)
        VERSIONS.clear()
        expected = make_parts(wanted)
        for number, parts in (made.parts if made else {}).items():
            assert parts.public.pieces == expected.parts[number].public.pieces
            assert parts.own.pieces == expected.parts[number].own.pieces
        assert made is None or made.parts.keys() == expected.parts.keys()
        assert asyncio.run(in_the_loop(wanted._replace(version=table.version + 1))) is None
        if made is not None:
            with monkeypatch.context() as fewer:
                fewer.setattr(stream_parts, "OWN_AT_ONCE_MAX", 1)
                assert asyncio.run(in_the_loop(wanted)) is None

    compare()
    for _act in range(3):
        hand = table.hand_id
        if not house.let_people_act(table):
            house.until_due(table)
        table.refresh_from_db()
        if table.hand_id == hand:
            compare()
    assert at_once[-1]
    if (copy := TABLE_CACHE.known(table.pk)) and copy.table.next_shoe_id:
        # A row that nothing has read yet is read by a thread.
        copy.table = Table.objects.get(pk=table.pk)
        reader = Reader(0, Audience("html", "en", viewers[0]), NOTHING)
        wanted = Wanted(table.pk, copy.version, (reader,))
        assert asyncio.run(in_the_loop(wanted)) is None


def test_arrangements_are_searched_for_when_a_player_opens_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in("thirteen_fujian", *people_of("thirteen_fujian"))
    searches: list[object] = []

    def noted(*given: Any, **options: Any) -> Any:
        searches.append(given)
        return suggest(*given, **options)

    monkeypatch.setattr(thirteen_help, "suggest", noted)
    player = client_of(house.person("alice"))
    for query, expected in (("", 0), ("?help=safe", 1), ("?help=best_expected", 1)):
        assert 'id="help-best_expected"' in player.get(f"/tables/{table.pk}/{query}").text
        assert len(searches) == expected


def test_an_act_is_carried_without_a_thread(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)
    in_threads: list[Wanted] = []

    async def meeting(at: Streams) -> None:
        at.hub.parts.make_at_once = make_at_once
        streams = [await opened(at, house, table, name, "html") for name in TRIO]
        await carried_now(at, table, *streams)
        await at.hub.ask_database(lambda: act(house, table))
        at.hub.parts.make = in_threads.append  # type: ignore[assignment]
        await carried_now(at, table, *streams)

    meet(meeting)
    assert in_threads == []


@pytest.mark.parametrize("announced", [True, False])
def test_a_part_that_was_given_elsewhere_is_known_soon(house: House, announced: bool) -> None:
    table = sealed_table(house)
    device = Device(house, table, "alice")
    device.start()
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    device.answer()
    shoe = table.next_shoe
    assert shoe is not None
    own, link = shoe.seats.get(number=1), device.link_for(shoe).split()[1]

    def wants_link(carried: Carried) -> bool:
        return bool(msgspec.json.decode(carried.own["next_shoe"])["wants_link"])

    async def meeting(at: Streams) -> None:
        alice = await opened(at, house, table, "alice")
        (first,) = await carried_now(at, table, alice)
        assert wants_link(first)
        # Another process takes her number: this one is told, or finds it when it looks.
        await at.hub.ask_database(lambda: custody.reveal(shoe, own, link, house.now))
        if announced:
            at.hub.heard(News(table.pk, MIX, ()))
        else:
            await at.hub.look()
        await at.hub.ask_database(lambda: act(house, table))
        (last,) = await carried_now(at, table, alice)
        assert not wants_link(last)

    meet(meeting)


def test_announcements_out_of_order_and_repeated_change_nothing(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        alice = await opened(at, house, table, "alice")
        (first,) = await carried_now(at, table, alice)
        for _move in range(2):
            await at.hub.ask_database(lambda: act(house, table))
        newest = first.version + 2
        for version in (newest, first.version + 1, newest, 0, newest):
            at.hub.tell(table.pk, version)
        await until_carried(alice, newest)
        for version in (newest, first.version, newest - 1):
            at.hub.tell(table.pk, version)
        await at.hub.ask_database(lambda: act(house, table))
        (last,) = await carried_now(at, table, alice)
        assert last.versions == [first.version, newest, newest + 1]

    meet(meeting)


def test_an_announced_version_that_does_not_exist_brings_the_newest(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        alice = await opened(at, house, table, "alice")
        (first,) = await carried_now(at, table, alice)
        at.hub.tell(table.pk, 10**9)
        await at.hub.ask_database(lambda: act(house, table))
        (last,) = await carried_now(at, table, alice)
        assert set(last.versions) == {first.version, first.version + 1}

    meet(meeting)


def test_a_slow_reader_skips_versions_and_gets_the_newest_whole(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        slow, quick = (
            await opened(at, house, table, "alice"),
            await opened(at, house, table, "alice"),
        )
        await carried_now(at, table, slow, quick)
        slow.takes.clear()
        tasks = len(asyncio.all_tasks())
        for _move in range(6):
            await at.hub.ask_database(lambda: act(house, table))
            await carried_now(at, table, quick)
        assert len(asyncio.all_tasks()) <= tasks + 2
        slow.takes.set()
        late, there = await carried_now(at, table, slow, quick)
        assert late.table == there.table
        assert len(late.versions) <= 3 < len(there.versions)

    meet(meeting)


def test_a_resumed_stream_gets_everything_once(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    async def meeting(at: Streams) -> None:
        alice = await opened(at, house, table, "alice")
        (whole,) = await carried_now(at, table, alice)
        for last in (whole.version, whole.version - 1, 9 * 10**17):
            again = await opened(at, house, table, "alice", last_event_id=str(last))
            carried = await until_carried(again, whole.version)
            assert carried.table == whole.table
            assert carried.versions == [whole.version]
            assert not again.versions

    meet(meeting)


def test_a_hand_that_ends_and_a_table_that_closes_are_carried(house: House) -> None:
    table = house.dealt_in("doudizhu", *TRIO)

    def close() -> None:
        Table.objects.filter(pk=table.pk).update(
            status=Table.Status.CLOSED, version=table.version + 1
        )

    def is_paid(one: Table) -> bool:
        # Without a call nothing is paid, and the cards are dealt again.
        return one.hand_id is None and not one.redeals

    async def meeting(at: Streams) -> None:
        alice, eve = await opened(at, house, table, "alice"), stranger(at, table)
        await at.hub.ask_database(lambda: house.until(table, is_paid))
        mine, public = await carried_now(at, table, alice, eve)
        assert mine.table["lines"] == public.table["lines"] != b"[]"
        # A look that was made while the hand ran is announced once more.
        at.hub.tell(table.pk, mine.version - 1)
        await at.hub.ask_database(close)
        closed, _public = await carried_now(at, table, alice, eve)
        assert closed.table["status"] == b'"closed"'
        assert closed.versions[-2:] == [mine.version, mine.version + 1]

    meet(meeting)


@pytest.mark.always
def test_parts_of_an_older_version_are_dropped() -> None:
    written: list[bytes] = []

    async def write(message: dict[str, Any]) -> None:
        written.append(message["body"])

    async def meeting(_at: Streams) -> None:
        watcher = Watcher(write)
        watcher.audience = Audience("json", "en", AnonymousUser())
        watcher.start(None, 5, None)
        for version in (7, 6, 8):
            watcher.tell_parts(Parts(version, Part({"table": b"%d" % version})))
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})

    meet(meeting)
    assert [re.findall(rb"id: (\d+)", body) for body in written if b"parts" in body] == [
        [b"7"],
        [b"8"],
    ]
