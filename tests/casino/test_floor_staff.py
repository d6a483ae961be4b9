"""What staff do from the floor: messages, stuck hands, what each role may, and bad input."""

from collections.abc import Callable
from itertools import cycle
from typing import Any, Final
from uuid import uuid4

import pytest
from django.test import Client

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.floor import actions, closing, halting
from games.models import Table
from games.tables import clock
from tests.casino.floor_scene import WHY, flo, member, mona, stick, table
from tests.games.house import House
from tests.people import HTMX, client_of
from wallets.models.staff_models import JournalEntry
from wallets.values.errors import Refused

__all__ = ["flo", "mona", "table"]
pytestmark = pytest.mark.django_db


# Messages and stuck hands


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
    assert actions.tell_house(flo, "", WHY, house.now) == 2
    assert "We close" not in alice.get(page).text


def test_a_message_has_a_length(house: House, table: Table, flo: Player) -> None:
    for message in ("x" * 201, "x" * 5_000):
        with pytest.raises(Refused):
            actions.tell_house(flo, message, WHY, house.now)
        form = {"message": message, "reason": WHY}
        assert client_of(flo).post("/admin/floor/house/message/", form).status_code == 200
    table.refresh_from_db()
    assert table.notice == ""


def test_a_stuck_table_is_tried_again_or_its_hand_voided(
    house: House, table: Table, flo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = client_of(flo), f"/admin/floor/tables/{table.pk}/"
    assert "already moved on" in client.post(f"{address}retry/", {"reason": WHY}).text
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
    # As parts of a page, refusals are short.
    client = client_of(member(house, group), headers=HTMX)
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
    "tell": lambda who, table, now: actions.tell_table(who, table.pk, "x", WHY, now),
    "retry": lambda who, table, now: actions.retry(who, table.pk, WHY, now),
}


def test_a_role_that_was_taken_away_does_nothing(house: House, table: Table) -> None:
    tom = member(house, "managers", "tom")
    appoint(tom)
    for verb in VERBS.values():
        with pytest.raises(Refused) as refused:
            verb(Player.objects.get(pk=tom.pk), table, house.now)
        assert refused.value.code == "not_permitted"
    assert not JournalEntry.objects.exists()


def test_every_form_asks_why(house: House, table: Table, mona: Player) -> None:
    client = client_of(mona)
    for address, reason in zip(ACTS, cycle(("", "   ", "x" * 201)), strict=False):
        form = {"reason": reason, "typed": "STOP", "game": "doudizhu", "message": "x"}
        page = client.post(f"/admin/floor/{address.format(table=table.pk)}", form)
        assert page.status_code == 200, address
    assert not JournalEntry.objects.exists()


def test_a_table_that_is_not_there(house: House, flo: Player) -> None:
    client = client_of(flo, headers=HTMX)
    for address in ACTS:
        for number in (0, 999_999, 10**30) if "{table}" in address else ():
            path = f"/admin/floor/{address.format(table=number)}"
            assert client.get(path).status_code == 404
            assert client.post(path, {"reason": WHY, "message": "x"}).status_code == 404


def test_a_game_that_the_house_has_not(house: House, flo: Player) -> None:
    client = client_of(flo)
    for game in ("", "whist", "x" * 5_000):
        form = {"game": game, "reason": WHY, "message": "x"}
        for address in ("close", "open", "message"):
            assert client.post(f"/admin/floor/games/{address}/", form).status_code == 200
        for verb in (closing.close_game, closing.open_game):
            with pytest.raises(Refused):
                verb(flo, game, WHY, house.now)
    assert not JournalEntry.objects.exists()
