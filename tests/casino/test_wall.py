"""The wall screen: what a secret link shows without sign-in, to whom, and until when."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.alarms.models import Alarm
from casino.office.floor import listing
from casino.office.models import WallLink
from casino.office.wall import pages
from tests.games.house import House
from tests.people import HTMX, client_of
from wallets.models.staff_models import JournalEntry
from wallets.values.errors import Refused

OFFICE = "/admin/wall/"


@pytest.fixture
def boss(house: House) -> Player:
    listing.forget()
    house.dealt_in("doudizhu", "alice", "bob", "carol")
    return Player.objects.create_superuser("boss")


def linked(boss: Player, **changes: Any) -> WallLink:
    given: dict[str, Any] = {"name": "Bar", "language": "en", "with_money": False}
    return pages.make_link(boss, reason="x", now=timezone.now(), **(given | changes))


def shown(link: WallLink) -> str:
    return Client().get(f"/wall/{link.code}/").text


def test_the_screen_shows_the_room_and_no_person(boss: Player) -> None:
    Alarm.objects.create(
        kind="large_win", subject="hand:1", raised_at=timezone.now(),
        figures={"player": "alice", "amount": 5, "currency": "PLAY", "hand": "x"},
    )  # fmt: skip
    page = shown(linked(boss))
    assert "<b>3</b>" in page
    assert "Large win" in page
    assert not [name for name in ("alice", "bob", "carol", "boss") if name in page]


def test_amounts_are_on_the_screens_that_were_made_for_them(boss: Player) -> None:
    plain, with_money = shown(linked(boss)), shown(linked(boss, name="Office", with_money=True))
    assert "1,500.00" not in plain
    assert "Gross revenue" not in plain
    assert "1,500.00" in with_money


@pytest.mark.always
def test_a_screen_speaks_its_own_language(boss: Player) -> None:
    assert "在座玩家" in shown(linked(boss, language="zh-hans"))


@pytest.mark.always
def test_an_ended_link_shows_nothing_also_where_it_hangs(boss: Player) -> None:
    link = linked(boss)
    pages.end_link(boss, link.pk, reason="x", now=timezone.now())
    for address in (f"/wall/{link.code}/", "/wall/no-such-code/"):
        assert Client().get(address).status_code == 404
        part = Client(headers=HTMX).get(f"{address}?part=1")
        assert part.status_code == 404
        assert "This link has ended." in part.text
        assert "Players seated" not in part.text


def test_the_code_is_not_stored_and_not_in_the_journal(boss: Player) -> None:
    link = linked(boss)
    row = WallLink.objects.filter(pk=link.pk).values().get()
    entry = JournalEntry.objects.filter(verb="wall.make").get()
    assert link.code not in str(row)
    assert link.code not in f"{entry.before} {entry.after}"
    assert WallLink.objects.get(pk=link.pk).code == link.code


def test_a_manager_makes_and_ends_links_in_the_office(boss: Player, house: House) -> None:
    manager = house.player("mona", 0)
    appoint(manager, "managers")
    client = client_of(manager)
    made = {"name": "Bar", "language": "en", "with_money": "on", "reason": "for the room"}
    assert client.post(OFFICE, made).status_code == 302
    link = WallLink.objects.get()
    assert f"/wall/{link.code}/" in client.get(OFFICE).text
    assert client.post(OFFICE, {"end": str(link.pk), "reason": ""}).status_code == 200
    assert WallLink.objects.get().ended_at is None
    assert client.post(OFFICE, {"end": str(link.pk), "reason": "torn down"}).status_code == 302
    assert WallLink.objects.get().ended_at is not None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": " "}, "wall_name"),
        ({"name": "x" * 41}, "wall_name"),
        ({"language": "fr"}, "wall_language"),
    ],
)
def test_what_is_no_link_is_refused(boss: Player, changes: dict[str, str], code: str) -> None:
    with pytest.raises(Refused) as refused:
        linked(boss, **changes)
    assert refused.value.code == code
    assert not WallLink.objects.exists()


def test_there_are_at_most_twenty_open_links(boss: Player) -> None:
    some = [linked(boss, name=str(number)) for number in range(pages.OPEN_MAX)]
    with pytest.raises(Refused, match="20 links are open"):
        linked(boss)
    later = timezone.now() + timedelta(seconds=1)
    pages.end_link(boss, some[0].pk, reason="x", now=later)
    assert linked(boss)
    with pytest.raises(Refused, match="no such link"):
        pages.end_link(boss, some[0].pk, reason="x", now=later)
