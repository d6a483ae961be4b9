"""Who sees what of a player's file, and that the journal names its readers."""

import re
from datetime import timedelta
from typing import Final

import pytest
from django.test import Client
from django.urls import reverse

from casino.accounts.staff import grants
from casino.office.players import figures, permissions, verbs
from games.models import Hand, HandSeat
from tests.casino.player_file_scene import WHY, PlayedScene
from tests.games.markup import cards_in
from tests.games.viewers import shown_to
from tests.people import client_of
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry

# A heading of each section, by the permission that opens it.
SECTIONS: Final = {
    "Who it is": permissions.SEE,
    "Flags": permissions.SEE,
    "Limits": permissions.SEE,
    "Documents seen": permissions.SEE_DOCUMENTS,
    "Ledger, in words": permissions.SEE_WALLETS,
    "The house owes": permissions.SEE_WALLETS,
    "Sign-ins and devices": permissions.SEE_WHOLE,
    "Seats": permissions.SEE_WHOLE,
    "Notes by staff": permissions.SEE_WHOLE,
    "Who looked": permissions.SEE_WHOLE,
    "Last hands": permissions.SEE_HANDS,
    "Results by game": permissions.SEE_HANDS,
    "Chat": permissions.SEE_CHAT,
}
# What was decided about the roles, apart from what their permissions say.
SEES: Final = {
    "floor": set(SECTIONS) - {"Documents seen"},
    "cashiers": {
        "Who it is", "Flags", "Limits", "Documents seen", "Ledger, in words", "The house owes",
    },
    "managers": set(SECTIONS),
    "auditors": set(SECTIONS),
}  # fmt: skip


# Who sees what


@pytest.mark.always
@pytest.mark.parametrize("group", SEES)
def test_a_role_sees_its_sections_and_no_other(scene: PlayedScene, group: str) -> None:
    page = scene.read(group)
    shown = {section for section in SECTIONS if re.search(rf">\s*{re.escape(section)}\s*<", page)}
    assert shown == SEES[group]
    assert shown == {title for title, needed in SECTIONS.items() if grants(group, needed)}


def test_the_file_leads_to_what_concerns_sign_ins_and_roles(scene: PlayedScene) -> None:
    form = f"/admin/players/player/{scene.alice.pk}"
    ending, roles = f'href="{form}/end-sessions/"', 'href="/admin/staff/?name=alice#appoint"'
    for link in (ending, roles):
        assert link in scene.read("managers")
        assert link not in scene.read("floor")


def test_technicians_players_and_strangers_see_nothing(scene: PlayedScene) -> None:
    for part in ("", "ledger/", "notes/", "check/", "freeze/"):
        address = scene.address(part)
        assert client_of(scene.staff["technicians"]).get(address).status_code == 403
        for client in (client_of(scene.alice), Client()):
            assert client.get(address).status_code == 302
    assert not JournalEntry.objects.filter(verb=verbs.LOOKED).exists()


@pytest.mark.parametrize(
    ("group", "offered"),
    [
        ("floor", {"flag", "note"}),
        ("cashiers", {"check"}),
        ("managers", {"check", "flag", "note", "freeze", "close"}),
        ("auditors", set[str]()),
    ],
)
def test_a_role_is_offered_what_it_may_do(
    scene: PlayedScene, group: str, offered: set[str]
) -> None:
    page = scene.read(group)
    parts = {"check", "flag", "unflag", "note", "freeze", "unfreeze", "close"}
    assert {part for part in parts if scene.address(f"{part}/") in page} == offered
    client = client_of(scene.staff[group])
    for part in parts - offered - {"unflag", "unfreeze"}:
        assert client.post(scene.address(f"{part}/"), {"reason": WHY}).status_code == 403


def test_nobody_who_is_not_there_has_a_file(scene: PlayedScene) -> None:
    client = client_of(scene.staff["managers"])
    for number in ("999999", "9" * 30):
        assert client.get(f"/admin/players/{number}/file/").status_code == 404


def test_a_file_is_only_read_by_get(scene: PlayedScene) -> None:
    assert client_of(scene.staff["managers"]).post(scene.address()).status_code == 405


@pytest.mark.always
def test_the_ledger_is_read_line_by_line(scene: PlayedScene) -> None:
    scene.pay(12_345)
    for group in ("cashiers", "auditors"):
        page = scene.read(group, "ledger/?currency=EUR")
        assert "Paid in" in page
        assert "+123.45" in page
    assert "+123.45" in scene.read("floor", "?currency=EUR")


# Nothing of a hand that runs


def test_no_card_of_a_live_hand_is_on_the_page(scene: PlayedScene) -> None:
    house, table = scene.house, scene.table
    house.until(table, lambda table: table.hand_id is not None)
    hand = Hand.objects.get(pk=table.hand_id)
    assert shown_to(hand, 1)
    for group in SEES:
        page = scene.read(group)
        assert not cards_in(page)
        assert hand.code not in page
    listed = figures.last_hands(scene.alice, Currency.objects.in_bulk())
    assert {line.number for line in listed} == set(
        HandSeat.objects.filter(player=scene.alice, ended_at__isnull=False).values_list(
            "hand", flat=True
        )
    )


# Who looked


def test_a_look_is_in_the_journal_once_a_gaming_day(scene: PlayedScene) -> None:
    def looks() -> list[tuple[str, str]]:
        entries = JournalEntry.objects.filter(verb=verbs.LOOKED).order_by("position")
        return list(entries.values_list("actor_name", "subject"))

    mine = ("one-floor", f"player:{scene.alice.pk}")
    for _time in range(3):
        page = scene.read("floor")
    assert looks() == [mine]
    assert "one-floor" in page.partition("Who looked")[2]
    scene.read("cashiers", "ledger/")
    assert looks() == [mine, ("one-cashiers", mine[1])]
    day = timedelta(days=1)
    verbs.note_visit(scene.staff["floor"], scene.alice, scene.now + day)
    assert looks()[2:] == [mine]
    bob = scene.house.person("bob")
    verbs.note_visit(scene.staff["floor"], bob, scene.now + day)
    assert looks()[3:] == [("one-floor", f"player:{bob.pk}")]


def test_staff_find_the_file_wherever_they_see_a_player(scene: PlayedScene) -> None:
    address = scene.address()
    hand = Hand.objects.get(status=Hand.Status.FINISHED)
    cases = {
        "managers": [
            "/admin/players/player/",
            f"/admin/players/player/{scene.alice.pk}/change/",
            "/admin/desk/find/?q=alice",
            f"/admin/desk/deposit/?player={scene.alice.pk}",
            reverse("office-hand", args=[hand.code]),
            (
                f"/admin/reports/players/?by=player&from={hand.ended_at:%Y-%m-%d}"
                f"&to={hand.ended_at:%Y-%m-%d}"
            ),
        ],
        "floor": [f"/admin/floor/tables/{scene.table.pk}/"],
    }
    for group, pages in cases.items():
        for page in pages:
            assert address in client_of(scene.staff[group]).get(page).text, page
        listed = client_of(scene.staff[group]).get("/admin/players/player/").text
        assert re.search(rf'href="{address}">alice</a>', listed)
    answer = client_of(scene.staff["floor"]).get("/admin/floor/find/?q=alice")
    assert answer["Location"] == address
    for page in ("/admin/players/player/", f"/admin/players/player/{scene.alice.pk}/change/"):
        assert "/file/" not in client_of(scene.staff["technicians"]).get(page).text
