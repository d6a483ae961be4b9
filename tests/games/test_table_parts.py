"""The public part of a table and the own part of each viewer: what they depend on."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import translation

from games.api.table_json import own_part, public_part
from games.boards.own_view import OwnView, own_view
from games.boards.table_version import VERSIONS, version_of
from games.boards.table_view import table_view
from games.models import Hand, Table
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.shoes import custody
from games.tables.hand_rows import action_of
from games.tables.lock import ROW, seats_at
from games.tables.table_cache import TABLE_CACHE
from tests.games.house import House
from tests.games.program import Program, cards_in
from tests.games.viewers import people_of, shown_to
from wallets.values.player import Viewer

STRANGER: Any = AnonymousUser()
# The fields of a table, and of a seat, that only a response has.
OF_THE_MOMENT = {"stream", "now", "help", "free"}
OF_A_SEAT_NOW = ("absent", "offline", "mine")
# Looks at a hand: after the deal, and after some of its moves.
LOOKS = 4
MOVES_BETWEEN = 3


def read(table: Table) -> Table:
    """The table as another request reads it."""
    row = ROW.first(table.pk)
    assert row is not None
    return row


def public_bytes(table: Table) -> bytes:
    """The public part, as a type and as a stream sends it."""
    row = read(table)
    seats = seats_at(row)
    public = version_of(row, seats).public
    return msgspec.json.encode(public) + public_part(row, seats, "en")


def own_bytes(house: House, table: Table, viewer: Viewer) -> bytes:
    row = read(table)
    seats = seats_at(row)
    own = own_view(viewer, row, seats, house.now, version_of(row, seats))
    return msgspec.json.encode(own) + own_part(viewer, row, seats, house.now, "en")


def forget(table: Table) -> None:
    VERSIONS.forget(table)
    TABLE_CACHE.forget(table)


def looks(house: House, table: Table) -> Iterator[Hand]:
    """Play a hand, and stop at the deal and after every few moves."""
    hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
    for _look in range(LOOKS):
        yield hand
        for _move in range(MOVES_BETWEEN):
            if not house.let_people_act(table):
                house.until_due(table)
            table.refresh_from_db()
        if table.hand_id != hand.pk:
            return


def exchanged(hand: Hand, seat: int | None) -> Sequence[Card]:
    """The cards in another order: two have changed places that a reader has not seen.

    No move names them, so the moves are as legal as before.
    """
    cards = list(custody.cards(hand.shoe))
    known = shown_to(hand, seat) | cards_in([action_of(move) for move in hand.moves.all()])
    hidden = [place for place, card in enumerate(cards) if card.text not in known]
    if not hidden:
        return cards
    first = hidden[0]
    other = next((place for place in reversed(hidden) if cards[place] != cards[first]), first)
    cards[first], cards[other] = cards[other], cards[first]
    return cards


@pytest.mark.always
@pytest.mark.parametrize("game", GAMES)
def test_neither_part_depends_on_cards_that_its_reader_has_not_seen(
    house: House, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    compared = 0
    for hand in looks(house, table):
        cards = custody.cards(hand.shoe)
        for seat, name in enumerate((None, *names)):
            viewer = house.person(name) if name else STRANGER

            def look(viewer: Viewer = viewer) -> bytes:
                forget(table)
                public = b"" if viewer.is_authenticated else public_bytes(table)
                return public + own_bytes(house, table, viewer)

            before, order = look(), exchanged(hand, seat or None)
            with monkeypatch.context() as dealt:
                dealt.setattr(custody, "cards", lambda _shoe, order=order: tuple(order))
                assert look() == before, name
            compared += tuple(order) != tuple(cards)
        forget(table)
    assert compared >= 1 + len(names)


@pytest.mark.parametrize("game", ["doudizhu", "blackjack", "thirteen_fujian"])
def test_the_parts_of_a_stream_make_the_table_of_a_response(house: House, game: str) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    readers = [(house.person(name), Program(name)) for name in names] + [(STRANGER, Program())]

    def compare() -> None:
        for viewer, program in readers:
            row = read(table)
            seats = seats_at(row)
            both = msgspec.json.decode(public_part(row, seats, "en"))
            both |= msgspec.json.decode(own_part(viewer, row, seats, house.now, "en"))
            shown = program.get(f"tables/{table.pk}/")
            assert shown.keys() - both.keys() == OF_THE_MOMENT
            for seat, whole in zip(both.pop("seats"), shown.pop("seats"), strict=True):
                assert seat | {key: whole[key] for key in OF_A_SEAT_NOW} == whole
            assert {key: both[key] for key in shown.keys() & both.keys()} == {
                key: shown[key] for key in shown.keys() & both.keys()
            }

    for _hand in looks(house, table):
        compare()
    house.until(table, lambda table: table.hand_id is None)
    compare()


@pytest.mark.parametrize("game", ["doudizhu", "blackjack"])
def test_a_part_shows_an_exchange_that_its_reader_can_see(
    house: House, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    names = people_of(game)
    table = house.dealt_in(game, *names)
    house.until(table, lambda table: bool(table.hand and shown_to(table.hand, 1)))
    hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
    alice = house.person("alice")
    before = own_bytes(house, table, alice)
    cards = list(custody.cards(hand.shoe))
    seen = next(place for place, card in enumerate(cards) if card.text in shown_to(hand, 1))
    other = next(place for place, card in enumerate(cards) if card.text not in shown_to(hand, 1))
    cards[seen], cards[other] = cards[other], cards[seen]
    monkeypatch.setattr(custody, "cards", lambda _shoe: tuple(cards))
    forget(table)
    assert own_bytes(house, table, alice) != before


def test_a_version_has_one_public_part_in_each_language(
    house: House, public_parts: list[str]
) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    people = [house.person(name) for name in ("alice", "bob", "carol")]
    for _look in range(3):
        for viewer in (*people, STRANGER):
            table_view(viewer, read(table), house.now)
            house.pass_time(1)
    assert public_parts == ["en"]
    with translation.override("zh-hans"):
        table_view(STRANGER, read(table), house.now)
        table_view(people[0], read(table), house.now)
    assert public_parts == ["en", "zh-hans"]
    assert house.let_people_act(table)
    for viewer in (*people, STRANGER):
        table_view(viewer, read(table), house.now)
    assert public_parts == ["en", "zh-hans", "en"]


def test_what_changes_without_a_version_is_seen_at_once(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    assert b'"player":"alice"' in public_bytes(table)
    alice = house.person("alice")
    alice.username = "alina"
    alice.save()
    assert b'"player":"alina"' in public_bytes(table)


def test_equal_versions_have_equal_public_parts_at_any_moment(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    before = public_bytes(table)
    house.pass_time(3_600)
    VERSIONS.clear()
    assert public_bytes(table) == before


def test_only_a_player_has_a_part_of_their_own(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    assert own_bytes(house, table, STRANGER) == own_bytes(house, table, house.player("dave"))
    stranger = table_view(STRANGER, read(table), house.now)
    assert msgspec.structs.replace(stranger.own, offers=OwnView().offers) == OwnView()
    assert stranger.view == stranger.public.view
    own = [table_view(house.person(name), read(table), house.now).own for name in ("alice", "bob")]
    assert [view.seat.number for view in own if view.seat] == [1, 2]
    assert own[0].view != own[1].view


def test_nobody_is_away_in_a_public_part(house: House) -> None:
    """Who is offline depends on the moment: the table that a viewer gets says it, at once."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol", grace_seconds=60)
    before = table_view(STRANGER, read(table), house.now)
    later = table_view(STRANGER, read(table), house.now + timedelta(seconds=61))
    assert before.public is later.public
    assert not any(seat.offline or seat.absent for seat in before.seats)
    assert all(seat.offline and seat.absent for seat in later.seats)
