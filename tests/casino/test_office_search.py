"""The search of the office: it finds what its reader may open, by name or number, and no secret."""

from collections.abc import Iterator
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from casino.office.desk.models import Receipt
from casino.office.frame.navigation import links
from games.models import Hand
from tests.games.house import House
from tests.games.staff_scene import Scene
from tests.people import client_of
from wallets.models import Transaction
from wallets.values.days import day_of

pytestmark = pytest.mark.django_db
# With the statements of a page's frame; each kind of thing is one or two.
STATEMENTS_MAX = 25


@pytest.fixture
def scene(house: House) -> Scene:
    made = Scene(house)
    made.make_desk()
    made.make_profiles()
    made.make_event()
    Receipt.objects.create(
        number="R-260301-0007",
        day=day_of(house.now),
        serial=7,
        kind=Receipt.Kind.DEPOSIT,
        currency=house.currency,
        amount=100,
        player=made.alice,
        cashier_name="tom",
        cashier_id=made.boss.pk,
        key=uuid4(),
        posting=Transaction.objects.get(key=made.hand.posting).pk,
        at=house.now,
    )
    return made


def member(group: str) -> Client:
    player = Player.objects.create_user(f"one-of-{group}")
    appoint(player, group)
    return client_of(Player.objects.get(pk=player.pk))


def found(client: Client, typed: str) -> Iterator[str]:
    answer = client.get("/admin/search/", {"s": typed, "extended": "1"})
    assert answer.status_code == 200
    return (result.address for result in answer.context["results"])


def wanted(scene: Scene) -> dict[str, str]:
    """What is typed, and the address that a manager then finds."""
    event = scene.event.row
    proposal = scene.submit("limit.change", limit="deposit", value=5)
    return {
        "reven": "/admin/reports/revenue/",
        "ALIC": f"/admin/players/{scene.alice.pk}/file/",
        f"p-{scene.alice.pk}": f"/admin/players/{scene.alice.pk}/file/",
        scene.table.name: f"/admin/floor/tables/{scene.table.pk}/",
        f"T{scene.table.pk}": f"/admin/floor/tables/{scene.table.pk}/",
        scene.hand.code: f"/admin/hands/{scene.hand.code}/",
        "r-260301-0007": "/admin/desk/receipts/R-260301-0007/",
        event.name: f"/admin/tournaments/tournament/{event.pk}/change/",
        scene.hand.shoe_id: f"/admin/games/shoe/{scene.hand.shoe_id}/change/",
        "drag": f"/admin/wallets/jackpot/{scene.pot.pk}/change/",
        "Publish": f"/admin/profiles/{scene.published.pk}/",
        "deposits need": "/admin/limits/",
        f"#{proposal.pk}": f"/admin/approvals/{proposal.pk}/",
        "entries": "/admin/wallets/entry/",
    }


def test_a_manager_finds_everything_by_name_or_number(scene: Scene) -> None:
    client = member("managers")
    for typed, address in wanted(scene).items():
        assert address in found(client, typed), typed
    assert list(found(client, " ")) == list(found(client, "no such name")) == []


@pytest.mark.parametrize(
    ("group", "typed", "address"),
    [
        ("managers", "freeze", "/admin/players/player/"),
        ("managers", "Freeze alice", "/admin/players/{alice}/file/freeze/"),
        ("cashiers", "close the shift", "/admin/desk/"),
        ("cashiers", "deposit", "/admin/desk/deposit/"),
        ("floor", "stop all", "/admin/floor/halt/"),
        ("managers", "new profile", "/admin/profiles/new/"),
    ],
)
def test_an_action_is_found_by_what_it_does(
    scene: Scene, group: str, typed: str, address: str
) -> None:
    client = member(group)
    wanted = address.format(alice=scene.alice.pk)
    assert wanted in found(client, typed)
    assert client.get(wanted).status_code == 200
    if group != "managers":
        assert "/freeze/" not in str(list(found(client, "freeze alice")))


def test_each_role_opens_what_it_finds(scene: Scene) -> None:
    typed = wanted(scene)
    for group in PERMISSIONS:
        client = member(group)
        addresses = {link for text in typed for link in found(client, text)}
        assert addresses
        refused = {address for address in addresses if client.get(address).status_code != 200}
        assert refused == set(), group


def test_a_role_finds_nothing_that_it_may_not_open(scene: Scene) -> None:
    typed = wanted(scene)
    cashier, technician = member("cashiers"), member("technicians")
    for text in ("reven", scene.table.name, scene.hand.code, "Publish"):
        assert typed[text] not in found(cashier, text), text
    for text in ("r-260301-0007", "drag", "deposits need", "ALIC"):
        assert typed[text] not in found(technician, text), text


def test_no_search_shows_a_secret(scene: Scene) -> None:
    scene.make_live_hand()
    live = Hand.objects.get(status=Hand.Status.LIVE, table=scene.playing)
    for group in PERMISSIONS:
        client = member(group)
        for typed in (live.code, scene.alice.username, scene.playing.name):
            text = client.get("/admin/search/", {"s": typed}).text
            assert live.shoe.code not in text
            assert scene.alice.password not in text
            assert "data-card" not in text
        assert list(found(client, live.shoe.code)) == []


def test_the_title_of_a_tab_names_its_page(scene: Scene) -> None:
    """In each language some of the pages."""
    client = client_of(scene.boss)
    addresses = [link.address for link in links(client.get("/admin/").wsgi_request)]
    for place, (language, _name) in enumerate(settings.LANGUAGES):
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        request = client.get("/admin/").wsgi_request
        with translation.override(language):
            words = {link.address: link.words for link in links(request)}
        for address in addresses[place :: len(settings.LANGUAGES)]:
            page = client.get(address).text
            title = unescape(page.partition("<title>")[2].partition(" | ")[0])
            assert words[address].casefold() in title.casefold(), (address, language)


def test_a_search_takes_few_statements(scene: Scene, django_assert_max_num_queries: Any) -> None:
    client = client_of(scene.boss)
    list(found(client, "a"))
    with django_assert_max_num_queries(STATEMENTS_MAX):
        list(found(client, f"T{scene.table.pk}"))


@pytest.mark.always
def test_a_name_is_found_as_it_is_read(house: House) -> None:
    house.table("baccarat", name="Pagoda")
    client = member("managers")
    with translation.override("zh-hans"):
        shown = house.table("chinese_poker", name="Pagoda 2").title
    assert "Pagoda" not in shown
    client.cookies["django_language"] = "zh-hans"
    assert list(found(client, shown))


def test_records_are_found_by_number_and_searched_by_text(scene: Scene) -> None:
    client = member("auditors")
    posting = Transaction.objects.get(key=scene.hand.posting)
    page = client.get("/admin/records/", {"q": str(posting.pk)})
    assert f"/admin/wallets/transaction/{posting.pk}/change/" in page.text
    page = client.get("/admin/records/", {"q": "player:1"})
    assert "/admin/wallets/entry/?q=player%3A1" in page.text
    page = client.get("/admin/records/", {"q": "9" * 30})
    assert "Moves" in page.text
    assert "/change/" not in page.text
