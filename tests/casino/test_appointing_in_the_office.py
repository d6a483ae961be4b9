"""The page of staff: roles are proposed and approved by two, and a new colleague gets in."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from casino.accounts.rights_check import differences
from casino.accounts.staff import PERMISSIONS, appoint
from casino.care.own_data import pseudonym
from tests.casino.approvals_scene import person
from tests.people import client_of, works_as
from wallets.models.staff_models import JournalEntry, Proposal

pytestmark = pytest.mark.django_db
STAFF = "/admin/staff/"
FIRST_PASSWORD = "/players/first-password/"
CHOSEN = "a river in the north"
PETRA = {"name": "petra", "create": "on", "role": "cashiers", "reason": "new at the desk"}


@pytest.fixture
def mona() -> Player:
    return person("mona", "managers")


@pytest.fixture
def max_() -> Player:
    return person("max", "managers")


def decide(member: Player, verb: str = "approve") -> Any:
    address = reverse("proposal", args=[Proposal.objects.latest("pk").pk])
    return client_of(member).post(address, {verb: "1", "reason": "spoke to her"})


def address_of(name: str, what: str) -> str:
    return f"{STAFF}{Player.objects.get(username=name).pk}/{what}/"


def half_of(name: str, member: Player) -> str:
    shown = client_of(member).post(address_of(name, "password"), {"reason": "she starts today"})
    assert "no-store" in shown["Cache-Control"]
    match = re.search(r'class="hash">([^<]+)<', shown.text)
    assert match is not None
    return match[1]


def chooses(name: str, one_time: str) -> bool:
    """Whether somebody gets a password for this account."""
    form = {"username": name, "one_time": one_time, "new_password1": CHOSEN}
    Client().post(FIRST_PASSWORD, form | {"new_password2": CHOSEN})
    return Player.objects.get(username=name).check_password(CHOSEN)


@pytest.mark.always
def test_a_new_colleague_is_appointed_by_two_and_signs_in(mona: Player, max_: Player) -> None:
    page = client_of(mona)
    page.post(STAFF, PETRA)
    assert not Player.objects.filter(username="petra").exists()
    assert "petra" in page.get(STAFF).text
    assert "so a colleague must decide it" in decide(mona).text
    decide(max_)
    assert works_as(Player.objects.get(username="petra"), "cashiers")
    entry = JournalEntry.objects.get(verb="staff.appoint")
    assert (entry.actor_name, entry.after) == ("mona", {"roles": ["cashiers"]})

    assert "has no password yet" in page.get(STAFF).text
    halves = [half_of("petra", member) for member in (mona, max_)]
    assert chooses("petra", " ".join(halves))
    handed_out = JournalEntry.objects.filter(verb="staff.first_password")
    assert {entry.actor_name for entry in handed_out} == {"mona", "max"}
    assert not any(half in str(list(JournalEntry.objects.values_list())) for half in halves)
    again = page.post(address_of("petra", "password"), {"reason": "she forgot it"})
    assert "Only a new member of staff" in again.text


@pytest.mark.always
def test_a_role_is_taken_at_once_and_that_of_a_manager_by_two(mona: Player, max_: Player) -> None:
    person("carl", "cashiers", "floor")
    page = client_of(mona)
    page.post(address_of("carl", "dismiss"), {"role": "cashiers", "reason": "moves"})
    assert not works_as(Player.objects.get(username="carl"), "cashiers")
    page.post(address_of("carl", "dismiss"), {"role": "", "reason": "left us"})
    assert not Player.objects.get(username="carl").is_staff
    assert [entry.reason for entry in JournalEntry.objects.order_by("position")] == [
        "moves",
        "left us",
    ]

    person("mia", "managers", "floor")
    page.post(address_of("mia", "dismiss"), {"role": "floor", "reason": "too much"})
    page.post(address_of("mia", "dismiss"), {"role": "", "reason": "left us"})
    assert works_as(Player.objects.get(username="mia"), "managers")
    decide(max_)
    assert not Player.objects.get(username="mia").is_staff


def test_nobody_decides_about_their_own_roles(mona: Player, max_: Player) -> None:
    client_of(max_).post(STAFF, {"name": "mona", "role": "auditors", "reason": "she asked"})
    assert "Your role cannot decide this" in decide(mona).text
    assert Proposal.objects.get().status == "proposed"
    assert not works_as(mona, "auditors")


REFUSED = (
    ({"name": "mona"}, "Another manager has to change your roles"),
    ({"name": "max", "role": "managers"}, "Nothing to change"),
    ({"name": "bot-mei"}, "cannot be staff"),
    ({"name": "nobody"}, "No player has the name"),
    ({"name": "max", "create": "on"}, "is taken"),
    ({"name": "a b", "create": "on"}, "letters and digits"),
    ({"name": "max", "reason": ""}, "This field is required."),
    ({"name": "max", "role": "boss"}, "Select a valid choice"),
)


def test_what_makes_no_sense_is_not_proposed(mona: Player, max_: Player) -> None:
    Player.objects.create_bot("bot-mei")
    page = client_of(mona)
    for fields, said in REFUSED:
        answer = page.post(STAFF, {"role": "floor", "reason": "x"} | fields)
        assert said in answer.text, fields
    assert not Proposal.objects.exists()


def test_a_name_that_is_taken_by_then_is_not_appointed(mona: Player, max_: Player) -> None:
    client_of(mona).post(STAFF, PETRA)
    Player.objects.create_user("petra")
    assert "is taken" in decide(max_).text
    assert Proposal.objects.get().status == "proposed"
    assert not Player.objects.get(username="petra").is_staff


@pytest.mark.parametrize("group", sorted(PERMISSIONS))
def test_managers_alone_appoint(group: str, mona: Player) -> None:
    page, opened = client_of(person("ada", group)), group == "managers"
    assert page.get(STAFF).status_code == (200 if opened else 403)
    assert page.post(STAFF, PETRA).status_code == (302 if opened else 403)
    taken = page.post(address_of("mona", "dismiss"), {"role": "", "reason": "x"})
    assert taken.status_code == (302 if opened else 403)
    assert works_as(Player.objects.get(username="mona"), "managers")


def test_the_journal_knows_whom_the_office_appointed(mona: Player, max_: Player) -> None:
    before = list(differences())
    client_of(mona).post(STAFF, PETRA)
    decide(max_)
    assert list(differences()) == before
    appoint(Player.objects.get(username="petra"), "floor")
    assert len(list(differences())) == len(before) + 1


def test_an_appointment_is_of_the_person_and_not_of_a_name(mona: Player, max_: Player) -> None:
    zoe = person("zoe")
    client_of(mona).post(STAFF, {"name": "zoe", "role": "managers", "reason": "she is good"})
    Player.objects.filter(pk=zoe.pk).update(
        username=pseudonym(zoe), username_key=pseudonym(zoe), reads_as="", is_active=False
    )
    other = person("zoe")
    assert "cannot be staff" in decide(max_).text
    assert not works_as(Player.objects.get(pk=other.pk), "managers")
    # The journal is never erased, and so has no name of a player.
    assert "zoe" not in str(list(JournalEntry.objects.values_list("subject", "after")))


def test_a_one_time_password_ends_with_the_role(mona: Player, max_: Player) -> None:
    client_of(mona).post(STAFF, PETRA)
    decide(max_)
    halves = " ".join(half_of("petra", member) for member in (mona, max_))
    taken = {"role": "", "reason": "she never came"}
    client_of(mona).post(address_of("petra", "dismiss"), taken)
    assert not chooses("petra", halves)


def test_nobody_alone_signs_in_as_a_colleague(mona: Player, max_: Player) -> None:
    """Not the proposer, not the approver, and not with two halves of their own."""
    client_of(mona).post(STAFF, PETRA)
    decide(max_)
    for member, other in ((mona, max_), (max_, mona)):
        half = half_of("petra", member)
        token = half.partition(".")[2]
        for typed in (
            token,
            half,
            f"{half} {half}",
            f"{half} 0{half}",
            f"{half} {other.pk}.{token}",
        ):
            assert not chooses("petra", typed)


def test_no_manager_signs_in_as_a_superuser(mona: Player) -> None:
    Player.objects.create_superuser("boss")
    shown = client_of(mona).post(address_of("boss", "password"), {"reason": "to help"})
    assert "Only a superuser does this" in shown.text
    assert 'class="hash"' not in shown.text


def test_of_two_proposals_about_one_person_the_second_is_stale(mona: Player, max_: Player) -> None:
    zoe = person("zoe")
    for role in ("floor", "auditors"):
        client_of(mona).post(STAFF, {"name": "zoe", "role": role, "reason": "she is good"})
    decide(max_)
    first = reverse("proposal", args=[Proposal.objects.earliest("pk").pk])
    late = client_of(max_).post(first, {"approve": "1", "reason": "she is"})
    assert "This has changed since it was proposed" in late.text
    assert [group.name for group in zoe.groups.all()] == ["auditors"]
