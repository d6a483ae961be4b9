"""The back office: who gets in, what each sees there, and what no role can do."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from casino.accounts.sign_ins import locked_until
from tests.people import HTMX, PASSWORD
from wallets.models.staff_models import JournalEntry
from wallets.values.days import house_time

SignedIn = Callable[[Player], Client]
Appointed = Callable[[str], Player]

PLAYERS = "/admin/players/player/"
ATTEMPTS = "/admin/axes/accessattempt/"
CHANGES = "/admin/admin/logentry/"
JOURNAL = "/admin/journal/"


def page_of(player: Player) -> str:
    return reverse("admin:players_player_change", args=[player.pk])


def test_a_stranger_signs_in_where_everybody_does(
    stranger: Client, alice: Player, signed_in: SignedIn
) -> None:
    response = stranger.get(PLAYERS, follow=True)
    assert response.request["PATH_INFO"] == reverse("sign-in")
    assert response.context["next"] == PLAYERS
    assert signed_in(alice).get("/admin/", follow=True).status_code == 403


@pytest.mark.always
@pytest.mark.parametrize(
    ("group", "seen"),
    [
        ("floor", {PLAYERS: 200, ATTEMPTS: 403, CHANGES: 403, JOURNAL: 403}),
        ("technicians", {PLAYERS: 200, ATTEMPTS: 200, CHANGES: 403, JOURNAL: 403}),
        ("cashiers", {PLAYERS: 200, ATTEMPTS: 403, CHANGES: 403, JOURNAL: 403}),
        ("managers", {PLAYERS: 200, ATTEMPTS: 200, CHANGES: 200, JOURNAL: 200}),
        ("auditors", {PLAYERS: 200, ATTEMPTS: 200, CHANGES: 200, JOURNAL: 200}),
    ],
)
def test_staff_see_what_their_group_may(
    appointed: Appointed, signed_in: SignedIn, group: str, seen: dict[str, int]
) -> None:
    client = signed_in(appointed(group))
    statuses = {address: client.get(address, headers=HTMX).status_code for address in seen}
    assert statuses == seen
    _start, *sections = client.get("/admin/").context["sidebar_navigation"]
    entries = [entry for section in sections for entry in section["items"]]
    offered = {link.address for entry in entries for link in entry["links"]}
    assert {address: 200 if address in offered else 403 for address in seen} == seen


def test_signing_out_of_the_back_office_ends_the_session(
    appointed: Appointed, signed_in: SignedIn
) -> None:
    client = signed_in(appointed("auditors"))
    assert client.get("/admin/logout/").status_code == 405
    client.post("/admin/logout/")
    assert client.get("/admin/").status_code == 302


# Players


def test_an_operator_shuts_a_player_out_and_it_is_noted(
    alice: Player, appointed: Appointed, signed_in: SignedIn
) -> None:
    operator = appointed("managers")
    client, address = signed_in(operator), f"/admin/players/player/{alice.pk}/freeze/"
    assert address in client.get(page_of(alice)).text
    assert "This field is required." in client.post(address, {"reason": " "}).text
    assert client.post(address, {"reason": "asked us to"}).status_code == 302
    alice.refresh_from_db()
    assert not alice.is_active
    entry = JournalEntry.objects.get()
    assert (entry.actor, entry.subject) == (f"player:{operator.pk}", f"player:{alice.pk}")
    assert (entry.before, entry.after) == ({"active": True}, {"active": False})
    assert (entry.reason, entry.origin) == ("asked us to", "127.0.0.1")
    assert address not in client.get(page_of(alice)).text


@pytest.mark.parametrize("group", ["floor", "cashiers", "auditors", "technicians"])
def test_others_only_look(
    alice: Player, appointed: Appointed, signed_in: SignedIn, group: str
) -> None:
    client = signed_in(appointed(group))
    assert client.get(page_of(alice)).status_code == 200
    assert client.post(page_of(alice), {"reason": "x"}, headers=HTMX).status_code == 403
    for what in ("freeze", "unfreeze"):
        address = f"/admin/players/player/{alice.pk}/{what}/"
        assert client.post(address, {"reason": "x"}, headers=HTMX).status_code == 403
    alice.refresh_from_db()
    assert alice.is_active


@pytest.mark.parametrize("group", ["floor", "cashiers", "managers", "auditors"])
def test_what_is_only_read_does_not_say_what_to_type(
    alice: Player, appointed: Appointed, signed_in: SignedIn, group: str
) -> None:
    page = signed_in(appointed(group)).get(page_of(alice))
    shown = [
        field
        for fieldset in page.context["adminform"]
        for line in fieldset
        for field in line
        if field.is_readonly
    ]
    # Technicians have no link to the file.
    assert len(shown) == (7 if group == "technicians" else 8)
    assert not [field.field["name"] for field in shown if field.field["help_text"]]


def test_an_operator_appoints_nobody(
    alice: Player, appointed: Appointed, signed_in: SignedIn
) -> None:
    operator = appointed("managers")
    groups = [str(group.pk) for group in Group.objects.all()]
    forged = {"is_active": "on", "groups": groups, "is_staff": "on", "is_superuser": "on"}
    client = signed_in(operator)
    assert client.post(page_of(alice), forged).status_code == 403
    assert client.post(page_of(operator), forged).status_code == 403
    alice.refresh_from_db()
    operator.refresh_from_db()
    assert not alice.groups.exists()
    assert not alice.is_staff
    assert not alice.is_superuser
    assert not operator.is_superuser
    assert list(operator.groups.values_list("name", flat=True)) == ["managers"]


@pytest.mark.always
def test_an_operator_does_not_shut_out_colleagues(
    appointed: Appointed, signed_in: SignedIn
) -> None:
    auditor = appointed("auditors")
    address = f"/admin/players/player/{auditor.pk}/freeze/"
    answer = signed_in(appointed("managers")).post(address, {"reason": "x"})
    assert "Only a superuser" in answer.text
    auditor.refresh_from_db()
    assert auditor.is_active


def test_back_office_cannot_set_passwords_or_add_or_delete_players(
    alice: Player, signed_in: SignedIn
) -> None:
    client = signed_in(Player.objects.create_superuser("superuser"))
    page = client.get(page_of(alice)).text
    assert "password" not in page.replace("/admin/password_change/", "")
    assert alice.password not in page
    assert client.get(f"{PLAYERS}add/").status_code == 403
    assert client.post(f"{PLAYERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get(f"{PLAYERS}{alice.pk}/password/").status_code in (302, 404)
    for address in ("/admin/players/accesstoken/", "/admin/auth/group/"):
        assert client.get(address).status_code == 404


def test_players_are_found_by_any_spelling_and_bots_are_marked(
    alice: Player, appointed: Appointed, signed_in: SignedIn
) -> None:
    Player.objects.create_bot("Éclair")
    client = signed_in(appointed("auditors"))
    page = client.get(PLAYERS, {"q": "éclair"}).text
    assert "Éclair" in page
    assert "Bot" in page
    assert "alice" not in page
    assert "alice" not in client.get(PLAYERS, {"is_bot__exact": "1"}).text


# Locked sign-ins and changes


@pytest.mark.always
def test_an_operator_opens_a_lock(
    alice: Player, stranger: Client, appointed: Appointed, signed_in: SignedIn
) -> None:
    form = {"username": "alice", "password": "a secret in the wrong field"}
    for _time in range(5):
        stranger.post(reverse("sign-in"), form)
    attempt = AccessAttempt.objects.get()
    client = signed_in(appointed("managers"))
    page = client.get(f"{ATTEMPTS}{attempt.pk}/change/").text
    assert "alice" in page
    assert "a secret" not in page
    page = client.get(ATTEMPTS).text
    until = locked_until(attempt)
    assert until is not None
    assert f"alice P-{alice.pk}" in page
    assert house_time(until) in page
    AccessAttempt.objects.update(attempt_time=attempt.attempt_time - timedelta(hours=1))
    assert "no longer locked" in client.get(ATTEMPTS).text
    AccessAttempt.objects.update(failures_since_start=4)
    assert "no longer locked" not in client.get(ATTEMPTS).text
    AccessAttempt.objects.update(failures_since_start=5, attempt_time=attempt.attempt_time)
    client.post(f"{ATTEMPTS}{attempt.pk}/delete/", {"post": "yes"})
    form["password"] = PASSWORD
    assert stranger.post(reverse("sign-in"), form).status_code == 302


def test_the_list_of_changes_cannot_be_changed(
    alice: Player, appointed: Appointed, signed_in: SignedIn
) -> None:
    """What was noted before there was a journal is still read, and nothing is added to it."""
    manager = appointed("managers")
    old = LogEntry.objects.log_actions(manager.pk, [alice], 2, "Changed Active.")[0]
    client = signed_in(manager)
    client.post(f"/admin/players/player/{alice.pk}/freeze/", {"reason": "asked us to"})
    assert "Active" in client.get(CHANGES).text
    boss = signed_in(Player.objects.create_superuser("superuser"))
    for action in ("change", "delete"):
        assert boss.post(f"{CHANGES}{old.pk}/{action}/", {"post": "yes"}).status_code == 403
    assert LogEntry.objects.get() == old
