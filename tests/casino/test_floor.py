"""The live floor: what it shows, what it sends again, and what is found from there."""

import re
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from casino.office.alarms import condition_checks
from casino.office.floor import closing, listing
from casino.office.floor.floor_context import chart, hands_by_hour
from casino.office.floor.floor_page import SHOWN_HEADER
from games.models import Hand, Table
from tests.casino.floor_scene import WHY, flo, mona, stick, table
from tests.games.house import House
from tests.people import HTMX, client_of

__all__ = ["flo", "mona", "table"]
pytestmark = pytest.mark.django_db


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
    assert (totals.people, totals.bots, totals.in_play, totals.open) == (3, 0, 1, 2)
    for words in ("1,500", "PLAY", f"T{table.pk}", "Hands an hour", "Heartbeat"):
        assert words in page.text


def test_a_stuck_table_comes_first(house: House, table: Table, flo: Player) -> None:
    house.table("baccarat", name="A table")
    stick(house, table)
    condition_checks.look(house.now)
    page = client_of(flo).get("/admin/floor/")
    first = page.context["tables"][0].row
    assert (first.id, first.late) == (table.pk, 9)
    assert "A table is stuck" in page.text
    assert "not taken yet" in page.text


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
    assert list(hands_by_hour(house.now).values()) == [0] * 23 + [1]
    assert "Hands 1</title>" in chart(house.now)


def test_tables_are_ordered_and_filtered(house: House, table: Table, flo: Player) -> None:
    house.table("baccarat")
    client = client_of(flo)
    for address, first in (
        ("?order=game", "baccarat 2"), ("?order=money", "doudizhu 1"),
        ("?family=all-baccarat", "baccarat 2"),
        ("?order=nonsense&family=x&look=y", "doudizhu 1"), ("?look=rows", "doudizhu 1"),
    ):  # fmt: skip
        tables = client.get(f"/admin/floor/{address}").context["tables"]
        assert tables[0].row.name == first, address


# What it sends again


def pieces_of(markup: str) -> dict[str, str]:
    """The content hash of each piece by its name."""
    digests = re.findall(r'id="([\w-]+)"[^>]*?data-digest="(\w+)"', markup, re.DOTALL)
    return dict(digests)


@pytest.mark.always
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
        return any('"games_seat"."number"' in query["sql"] for query in captured)

    assert reads_seats()
    assert not reads_seats()
    # However long nothing tells of a change, each table is read now and then.
    house.pass_time(listing.READ_AGAIN_SECONDS)
    assert reads_seats()


def test_a_hundred_tables_cost_as_many_queries_as_three(house: House, flo: Player) -> None:
    client = client_of(flo)

    def queries() -> int:
        caches["default"].clear()
        listing.forget()
        with CaptureQueriesContext(connection) as captured:
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
    source = closing.Versions()
    before = source.version_for(flo, closing.ROW)
    table = house.table("baccarat")
    with django_capture_on_commit_callbacks(execute=True):
        closing.close_table(flo, table.pk, WHY, house.now)
    assert source.versions_of([closing.ROW]) == {closing.ROW: (before or 0) + 1}
    assert source.version_for(house.player("alice"), closing.ROW) is None
    assert source.version_for(flo, 7) is None


# Search


def test_what_is_searched_is_found(house: House, table: Table, flo: Player) -> None:
    client, number = client_of(flo), table.pk
    for typed, leads_to in (
        ("alice", "/admin/players/"), ("ALIC", "/admin/players/"),
        (f"T{number}", f"/admin/floor/tables/{number}/"),
        ("doudizhu 1", f"/admin/floor/tables/{number}/"),
        (f"T{number}-H1", "/admin/games/hand/"), (f"t{number}-h1", "/admin/games/hand/"),
    ):  # fmt: skip
        answer = client.get("/admin/floor/find/", {"q": typed})
        assert answer.status_code == 302, typed
        assert answer["Location"].startswith(leads_to), typed
    for typed in ("", "   ", "nobody", "T999999999999999", "x" * 5_000, "%", "'"):
        answer = client.get("/admin/floor/find/", {"q": typed})
        assert answer.status_code == 200, typed
        assert answer.context["found"] == [], typed
