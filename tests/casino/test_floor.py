"""The live floor: what it shows, who does what from there, and what becomes of the tables."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.alarms import watch
from casino.backoffice.floor import (
    closing,
    halting,
    house_state,
    kept_rows,
    listing,
    player_messages,
)
from casino.backoffice.floor.chart import chart
from casino.backoffice.floor.pieces import SHOWN_HEADER
from casino.backoffice.models import HouseState
from casino.players.models import Player
from casino.players.staff import appoint
from games.models import Hand, Seat, Table
from games.shoes import custody
from games.tables import clock, seating
from games.tables.lock import seats_at
from games.words.refusal import Refused as GameRefused
from tests.games.house import House
from tests.people import HTMX, client_of
from wallets import approvals
from wallets.errors import Refused
from wallets.models import JournalEntry, Proposal

pytestmark = pytest.mark.django_db
WHY: Final = "because of a test"


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch) -> House:
    house = House()
    monkeypatch.setattr(timezone, "now", lambda: house.now)
    caches["default"].clear()
    kept_rows.forget()
    return house


def member(house: House, group: str, name: str = "") -> Player:
    player = house.player(name or f"one-of-{group}", 0)
    appoint(player, group)
    return Player.objects.get(pk=player.pk)


@pytest.fixture
def flo(house: House) -> Player:
    return member(house, "floor", "flo")


@pytest.fixture
def mona(house: House) -> Player:
    return member(house, "managers", "mona")


@pytest.fixture
def table(house: House) -> Table:
    """A table in the middle of a hand."""
    return house.dealt_in("doudizhu", "alice", "bob", "carol")


def is_over(table: Table) -> bool:
    return table.status == Table.Status.CLOSED


def stick(house: House, table: Table) -> None:
    table.refresh_from_db()
    assert table.due_at is not None
    house.now = table.due_at + timedelta(seconds=9)


# What it shows


def test_the_floor_shows_each_table(house: House, table: Table, flo: Player) -> None:
    house.table("baccarat", name="Quiet corner")
    page = client_of(flo).get("/admin/floor/")
    assert page.status_code == 200
    shown = {kept.row.name: kept.row for kept in page.context["tables"]}
    row = shown[table.name]
    assert [sitter.name for sitter in row.sitters] == ["alice", "bob", "carol"]
    assert row.money == 150_000
    assert row.doing.endswith("decides")
    assert row.deadline is not None
    assert not row.is_stuck
    assert shown["Quiet corner"].doing == "waiting for players"
    totals = page.context["totals"]
    assert (totals.seated, totals.in_play, totals.open) == (3, 1, 2)
    for words in ("1,500", "PLAY", f"T{table.pk}", "Hands an hour", "Heartbeat"):
        assert words in page.text


def test_a_stuck_table_comes_first(house: House, table: Table, flo: Player) -> None:
    house.table("baccarat", name="A table")
    stick(house, table)
    watch.look(house.now)
    page = client_of(flo).get("/admin/floor/")
    first = page.context["tables"][0].row
    assert (first.id, first.late) == (table.pk, 9)
    assert "A table is stuck" in page.text
    assert "nobody has it" in page.text


def test_no_card_is_on_the_floor(house: House, table: Table, mona: Player) -> None:
    client = client_of(mona)
    hand = Hand.objects.get(status=Hand.Status.LIVE)
    _hand, state = house.state(table)
    for address in ("/admin/floor/", f"/admin/floor/tables/{table.pk}/"):
        text = client.get(address).text
        assert "data-card" not in text
        assert hand.shoe.code not in text
        assert str(state) not in text


def test_hands_are_counted_by_table_and_hour(house: House, table: Table, flo: Player) -> None:
    house.until(table, lambda table: table.hand_id is None)
    caches["default"].clear()
    row = listing.one(table.pk, house.now)
    assert row is not None
    assert row.hands == 1
    drawn = chart(house.now)
    assert (drawn.total, drawn.most, len(drawn.bars)) == (1, 1, 24)
    assert drawn.bars[-1].hands == 1


@pytest.mark.parametrize(
    ("address", "first"),
    [
        ("?order=game", "baccarat 2"),
        ("?order=money", "doudizhu 1"),
        ("?family=all-baccarat", "baccarat 2"),
        ("?order=nonsense&family=x&look=y", "doudizhu 1"),
        ("?look=rows", "doudizhu 1"),
    ],
)
def test_tables_are_ordered_and_filtered(
    house: House, table: Table, flo: Player, address: str, first: str
) -> None:
    house.table("baccarat")
    tables = client_of(flo).get(f"/admin/floor/{address}").context["tables"]
    assert tables[0].row.name == first


def pieces_of(markup: str) -> dict[str, str]:
    """The content hash of each piece by its name."""
    found = re.findall(r'id="([\w-]+)"[^>]*?data-digest="(\w+)"', markup, re.DOTALL)
    return dict(found)


def test_only_the_pieces_that_have_changed_are_sent(
    house: House, table: Table, flo: Player
) -> None:
    client, other = client_of(flo), house.table("baccarat")
    shown = pieces_of(client.get("/admin/floor/").text)
    assert {f"table-{table.pk}", f"table-{other.pk}", "floor-side", "floor-order"} <= shown.keys()

    def changed() -> set[str]:
        known = " ".join(f"{name}.{digest}" for name, digest in shown.items())
        headers = HTMX | {SHOWN_HEADER: known}
        answer = client.get("/admin/floor/?part=1", headers=headers)
        assert answer.status_code == (200 if answer.content else 204)
        fresh = pieces_of(answer.text)
        shown.update(fresh)
        return set(fresh)

    house.pass_time(1)
    assert changed() == set()
    house.until_due(table)
    assert changed() == {f"table-{table.pk}"}
    house.sit(house.player("dora"), other, 1)
    assert changed() == {f"table-{other.pk}", "floor-figures"}
    Table.objects.filter(pk=other.pk).update(name="Quiet corner")
    assert changed() == {f"table-{other.pk}"}
    closing.close_table(flo, table.pk, WHY, house.now)
    assert f"table-{table.pk}" in changed()
    # Without the header, everything is sent.
    everything = client.get("/admin/floor/?part=1", headers=HTMX)
    assert pieces_of(everything.text) == shown
    assert "<html" not in everything.text


def test_a_table_that_has_not_changed_is_not_read_again(
    house: House, table: Table, flo: Player
) -> None:
    house.table("baccarat")
    client = client_of(flo)

    def reads_seats() -> bool:
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/admin/floor/").status_code == 200
        return any('"games_seat"."number"' in one["sql"] for one in captured)

    assert reads_seats()
    assert not reads_seats()
    # However long nothing tells of a change, each table is read now and then.
    house.pass_time(kept_rows.READ_AGAIN_SECONDS)
    assert reads_seats()


def test_a_hundred_tables_cost_as_many_queries_as_three(house: House, flo: Player) -> None:
    client = client_of(flo)

    def queries() -> int:
        caches["default"].clear()
        kept_rows.forget()
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert client.get("/admin/floor/").status_code == 200
        return len(captured)

    def fill(count: int) -> None:
        for _each in range(count):
            table = house.table("doudizhu")
            house.sit(house.player(f"player {table.pk}"), table, 1)

    fill(3)
    queries()
    few = queries()
    fill(12)
    assert queries() == few
    # Of these 24 are the hours of the chart, which are counted once.
    client.get("/admin/floor/")
    with CaptureQueriesContext(connection) as captured:
        client.get("/admin/floor/")
    assert len(captured) < few - 20


def test_the_stream_says_what_has_changed(
    house: House, flo: Player, django_capture_on_commit_callbacks: Any
) -> None:
    source = house_state.Versions()
    before = source.version_for(flo, house_state.ROW)
    table = house.table("baccarat")
    with django_capture_on_commit_callbacks(execute=True):
        closing.close_table(flo, table.pk, WHY, house.now)
    assert source.versions_of([house_state.ROW]) == {house_state.ROW: (before or 0) + 1}
    assert source.version_for(house.player("alice"), house_state.ROW) is None
    assert source.version_for(flo, 7) is None


# Closing


def test_a_table_closed_in_mid_hand_plays_it_and_empties(
    house: House, table: Table, flo: Player
) -> None:
    client = client_of(flo)
    hand = table.hand_id
    asking = client.get(f"/admin/floor/tables/{table.pk}/close/")
    effects = {one.words: one.amount for one in asking.context["effects"]}
    assert effects["players stand up"] == "3"
    assert effects["PLAY goes back to wallets"] == "1,500"
    answer = client.post(f"/admin/floor/tables/{table.pk}/close/", {"reason": WHY})
    assert answer.status_code == 302
    table.refresh_from_db()
    assert (table.status, table.hand_id) == (Table.Status.CLOSING, hand)
    house.until(table, is_over)
    assert Hand.objects.get(pk=hand).status == Hand.Status.FINISHED
    assert Hand.objects.filter(table=table).count() == 1
    assert not Seat.objects.filter(table=table, left_at=None).exists()
    assert sum(house.wallet(house.person(name)).balance for name in ("alice", "bob", "carol")) > 0
    row = listing.one(table.pk, house.now)
    assert row is not None
    assert (row.closure and row.closure.by_name, row.money) == ("flo", 0)


def test_a_table_closed_while_its_shoe_is_mixed_deals_no_further_hand(
    house: House, flo: Player
) -> None:
    table = house.table("doudizhu")
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    closing.close_table(flo, table.pk, WHY, house.now)
    house.until(table, is_over)
    assert not Hand.objects.filter(table=table).exists()


def test_a_waiting_table_closes_at_once_and_opens_again(house: House, flo: Player) -> None:
    table = house.table("doudizhu")
    closing.close_table(flo, table.pk, WHY, house.now)
    house.until_due(table)
    assert is_over(table)
    closing.open_table(flo, table.pk, WHY, house.now)
    table.refresh_from_db()
    assert table.status == Table.Status.OPEN
    house.sit(house.player("alice"), table, 1)


def test_the_second_operator_reads_what_the_first_has_done(
    house: House, table: Table, flo: Player, mona: Player
) -> None:
    closing.close_table(flo, table.pk, "the light is broken", house.now)
    page = client_of(mona).post(f"/admin/floor/tables/{table.pk}/close/", {"reason": WHY})
    assert page.status_code == 200
    assert "flo closed this table at" in page.text
    assert "the light is broken" in page.text
    assert JournalEntry.objects.filter(verb="table.close").count() == 1


def test_a_game_closes_and_the_same_tables_open_again(
    house: House, table: Table, flo: Player
) -> None:
    empty, apart, other = (
        house.table("doudizhu"),
        house.table("doudizhu"),
        house.table("baccarat"),
    )
    closing.close_table(flo, apart.pk, "needs new cards", house.now)
    assert closing.close_game(flo, "doudizhu", WHY, house.now) == 2
    with pytest.raises(Refused, match="No table of this game is open"):
        closing.close_game(flo, "doudizhu", WHY, house.now)
    assert closing.open_game(flo, "doudizhu", WHY, house.now) == 2
    status = dict(Table.objects.values_list("pk", "status"))
    assert status[table.pk] == status[empty.pk] == status[other.pk] == Table.Status.OPEN
    assert status[apart.pk] == Table.Status.CLOSING
    entry = JournalEntry.objects.get(verb="game.close")
    assert entry.after["tables"] == [table.reference, empty.reference]


def test_the_house_closes_gracefully_and_opens_again(
    house: House, table: Table, mona: Player
) -> None:
    late = house.player("dave")
    assert closing.close_house(mona, WHY, house.now) == 1
    with pytest.raises(Refused, match="mona closed the house at"):
        closing.close_house(mona, WHY, house.now)
    with pytest.raises(GameRefused) as refused:
        house.sit(late, house.table("baccarat"), 1)
    assert refused.value.code == "house_closed"
    house.until(table, is_over)
    closing.open_house(mona, WHY, house.now)
    table.refresh_from_db()
    assert table.status == Table.Status.OPEN
    house.sit(late, table, 1)


# The kill switch


def test_the_kill_switch_stops_new_hands_at_once_and_a_second_person_confirms(
    house: House, table: Table, flo: Player, mona: Player
) -> None:
    waiting = house.table("doudizhu")
    for number, name in enumerate(("dora", "emil", "fred"), 1):
        house.sit(house.player(name), waiting, number)
    hand = table.hand_id
    proposal = halting.halt(flo, "cards are seen", uuid4(), house.now)
    assert proposal is not None
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.get(pk=hand).status == Hand.Status.FINISHED
    for _round in range(8):
        for one in (table, waiting):
            house.until_due(one)
    assert not Hand.objects.filter(status=Hand.Status.LIVE).exists()
    assert Hand.objects.count() == 1
    # Nobody has lost a seat.
    assert Seat.objects.filter(left_at=None).count() == 6
    with pytest.raises(Refused) as own:
        approvals.approve(flo, proposal.pk, reason="yes", now=house.now)
    assert own.value.code == "own_proposal"
    approvals.approve(mona, proposal.pk, reason="I saw it too", now=house.now)
    assert house_state.state().confirmed_by_name == "mona"
    halting.lift(mona, "new shoes", house.now)
    house.until(waiting, lambda table: table.hand_id is not None)


def test_a_table_that_mixes_its_shoe_is_stopped_too(house: House, flo: Player) -> None:
    table = house.table("doudizhu")
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    assert table.shoe is not None
    custody.lock(table.shoe, seats_at(table), house.now)
    Table.objects.filter(pk=table.pk).update(phase=Table.Phase.REVEAL, due_at=house.now)
    halting.halt(flo, WHY, uuid4(), house.now)
    for _round in range(3):
        house.until_due(table)
        assert table.phase == Table.Phase.REVEAL
    HouseState.objects.update(halted_at=None)
    house.until_due(table)
    assert table.hand_id is not None


def test_stopping_twice_names_who_was_first(house: House, flo: Player, mona: Player) -> None:
    client = client_of(mona)
    halting.halt(flo, "cards are seen", uuid4(), house.now)
    page = client.post("/admin/floor/halt/", {"reason": WHY, "typed": "STOP"})
    assert "flo stopped all new hands at 12:00: cards are seen" in page.text
    assert Proposal.objects.count() == 1
    halting.lift(mona, WHY, house.now)
    with pytest.raises(Refused, match="not stopped"):
        halting.lift(mona, WHY, house.now)
    # What is over cannot be confirmed any more.
    with pytest.raises(Refused) as stale:
        approvals.approve(mona, Proposal.objects.get().pk, reason="x", now=house.now)
    assert stale.value.code == "proposal_stale"


@pytest.mark.parametrize("typed", ["", "stop it", "CLOSE"])
def test_the_kill_switch_is_covered(house: House, flo: Player, typed: str) -> None:
    page = client_of(flo).post("/admin/floor/halt/", {"reason": WHY, "typed": typed})
    assert page.status_code == 200
    assert house_state.hands_may_begin()


# Messages, stuck hands, search


def test_players_read_a_message_until_it_is_taken_away(
    house: House, table: Table, flo: Player
) -> None:
    other = house.table("baccarat")
    alice = client_of(house.person("alice"))
    page, address = f"/tables/{table.pk}/", "/admin/floor/games/message/"
    client = client_of(flo)
    form = {"game": "doudizhu", "message": "We close <b>at ten</b>", "reason": WHY}
    assert client.post(address, form).status_code == 302
    assert "We close &lt;b&gt;at ten&lt;/b&gt;" in alice.get(page).text
    other.refresh_from_db()
    assert other.notice == ""
    assert player_messages.tell_house(flo, "", WHY, house.now) == 2
    assert "We close" not in alice.get(page).text


@pytest.mark.parametrize("message", ["x" * 201, "x" * 5_000])
def test_a_message_has_a_length(house: House, table: Table, flo: Player, message: str) -> None:
    with pytest.raises(Refused):
        player_messages.tell_house(flo, message, WHY, house.now)
    page = client_of(flo).post("/admin/floor/house/message/", {"message": message, "reason": WHY})
    assert page.status_code == 200
    table.refresh_from_db()
    assert table.notice == ""


def test_a_stuck_table_is_tried_again_or_its_hand_voided(
    house: House, table: Table, flo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = client_of(flo), f"/admin/floor/tables/{table.pk}/"
    assert "Nothing is due" in client.post(f"{address}retry/", {"reason": WHY}).text
    stick(house, table)
    sheet = client.get(address).text
    assert "retry/" in sheet
    assert f"/admin/games/hand/{table.hand_id}/take-back/" in sheet

    def fail(*_: object) -> None:
        raise RuntimeError("row locked")

    with monkeypatch.context() as broken:
        broken.setattr(clock, "tick", fail)
        assert "failed again: RuntimeError" in client.post(f"{address}retry/", {"reason": WHY}).text
    version = table.version
    assert client.post(f"{address}retry/", {"reason": WHY}).status_code == 302
    table.refresh_from_db()
    assert table.version > version
    assert JournalEntry.objects.filter(verb="table.retry").count() == 1


@pytest.mark.parametrize(
    ("typed", "leads_to"),
    [
        ("alice", "/admin/players/"),
        ("ALIC", "/admin/players/"),
        ("T{table}", "/admin/floor/tables/{table}/"),
        ("doudizhu 1", "/admin/floor/tables/{table}/"),
        ("T{table}-H1", "/admin/games/hand/"),
        ("t{table}-h1", "/admin/games/hand/"),
    ],
)
def test_what_is_searched_is_found(
    house: House, table: Table, flo: Player, typed: str, leads_to: str
) -> None:
    answer = client_of(flo).get("/admin/floor/find/", {"q": typed.format(table=table.pk)})
    assert answer.status_code == 302, answer.text
    assert answer["Location"].startswith(leads_to.format(table=table.pk))


@pytest.mark.parametrize("typed", ["", "   ", "nobody", "T999999999999999", "x" * 5_000, "%", "'"])
def test_what_is_not_there_is_not_found(
    house: House, table: Table, flo: Player, typed: str
) -> None:
    answer = client_of(flo).get("/admin/floor/find/", {"q": typed})
    assert answer.status_code == 200
    assert answer.context["found"] == []


# Roles, and bad input

ACTS: Final[dict[str, tuple[str, ...]]] = {
    "tables/{table}/close/": ("floor", "managers"),
    "tables/{table}/open/": ("floor", "managers"),
    "tables/{table}/message/": ("floor", "managers"),
    "tables/{table}/retry/": ("floor", "managers"),
    "games/close/": ("floor", "managers"),
    "games/open/": ("floor", "managers"),
    "games/message/": ("floor", "managers"),
    "house/message/": ("floor", "managers"),
    "house/close/": ("managers",),
    "house/open/": ("managers",),
    "halt/": ("floor", "managers"),
    "lift/": ("managers",),
}


@pytest.mark.parametrize("group", ["floor", "cashiers", "managers", "auditors", "technicians"])
def test_each_role_does_what_it_may(house: House, table: Table, group: str) -> None:
    client = client_of(member(house, group))
    sees = group in ("floor", "managers", "auditors")
    assert client.get("/admin/floor/").status_code == (200 if sees else 403)
    for address, groups in ACTS.items():
        path = f"/admin/floor/{address.format(table=table.pk)}"
        assert client.get(path).status_code == (200 if group in groups else 403), path
        if group not in groups:
            assert client.post(path, {"reason": WHY}).status_code == 403
    assert not JournalEntry.objects.exists()


def test_a_stranger_and_a_player_see_nothing(house: House, table: Table) -> None:
    for client in (Client(), client_of(house.person("alice"))):
        assert client.get("/admin/floor/").status_code == 302
        assert client.post("/admin/floor/halt/", {"reason": WHY}).status_code == 302


VERBS: Final[dict[str, Callable[[Player, Table, Any], object]]] = {
    "close": lambda who, table, now: closing.close_table(who, table.pk, WHY, now),
    "open": lambda who, table, now: closing.open_table(who, table.pk, WHY, now),
    "close game": lambda who, _table, now: closing.close_game(who, "doudizhu", WHY, now),
    "close house": lambda who, _table, now: closing.close_house(who, WHY, now),
    "halt": lambda who, _table, now: halting.halt(who, WHY, uuid4(), now),
    "lift": lambda who, _table, now: halting.lift(who, WHY, now),
    "tell": lambda who, table, now: player_messages.tell_table(who, table.pk, "x", WHY, now),
    "retry": lambda who, table, now: player_messages.retry(who, table.pk, WHY, now),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_role_that_was_taken_away_does_nothing(house: House, table: Table, verb: str) -> None:
    tom = member(house, "managers", "tom")
    appoint(tom)
    with pytest.raises(Refused) as refused:
        VERBS[verb](Player.objects.get(pk=tom.pk), table, house.now)
    assert refused.value.code == "not_permitted"
    assert not JournalEntry.objects.exists()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_every_form_asks_why(house: House, table: Table, mona: Player, reason: str) -> None:
    client = client_of(mona)
    for address in ACTS:
        form = {"reason": reason, "typed": "STOP", "game": "doudizhu", "message": "x"}
        page = client.post(f"/admin/floor/{address.format(table=table.pk)}", form)
        assert page.status_code == 200, address
    assert not JournalEntry.objects.exists()


@pytest.mark.parametrize("address", [one for one in ACTS if "{table}" in one])
@pytest.mark.parametrize("number", [0, 999_999, 10**30])
def test_a_table_that_is_not_there(house: House, flo: Player, address: str, number: int) -> None:
    client, path = client_of(flo), f"/admin/floor/{address.format(table=number)}"
    assert client.get(path).status_code == 404
    assert client.post(path, {"reason": WHY, "message": "x"}).status_code == 404


@pytest.mark.parametrize("game", ["", "whist", "x" * 5_000])
def test_a_game_that_the_house_has_not(house: House, flo: Player, game: str) -> None:
    form = {"game": game, "reason": WHY, "message": "x"}
    for address in ("close", "open", "message"):
        page = client_of(flo).post(f"/admin/floor/games/{address}/", form)
        assert page.status_code == 200
    for verb in (closing.close_game, closing.open_game):
        with pytest.raises(Refused):
            verb(flo, game, WHY, house.now)
    assert not JournalEntry.objects.exists()


def test_nobody_else_leaves_a_seat_of_a_closing_table(
    house: House, table: Table, flo: Player
) -> None:
    """Players may still leave by themselves, and get their chips once."""
    closing.close_table(flo, table.pk, WHY, house.now)
    seating.leave(house.person("alice"), table.pk, house.now)
    house.until(table, is_over)
    assert house.total() == 0
