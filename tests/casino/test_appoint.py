"""Appointing and dismissing at the command line, and the first password of a new account."""

import logging
import stat
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from casino.accounts import appointing
from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from tests.casino.authenticators import app_code
from tests.people import works_as
from wallets.models.staff_models import JournalEntry

ADDRESS = "/players/first-password/"
CHOSEN = "a river in the north"


@pytest.fixture(autouse=True)
def manager(db: None) -> Player:
    player = Player.objects.create_user("helena")
    appoint(player, "managers")
    return player


def run(*words: str, by: str = "helena", why: str = "a new colleague") -> str:
    out = StringIO()
    call_command("appoint", *words, "--by", by, "--why", why, stdout=out)
    return out.getvalue()


@pytest.mark.always
@pytest.mark.parametrize("role", PERMISSIONS)
def test_a_person_is_appointed_to_each_role(alice: Player, role: str) -> None:
    assert run("alice", role) == f"alice: {role}.\n"
    assert works_as(Player.objects.get(pk=alice.pk), role)
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.actor_name, entry.reason) == (
        "command:appoint", "helena", "a new colleague",
    )  # fmt: skip
    assert (entry.before, entry.after) == ({"roles": []}, {"roles": [role]})
    assert entry.subject == f"player:{alice.pk}"
    assert entry.origin.startswith("command line: ")


@pytest.mark.always
def test_only_this_command_makes_a_superuser(alice: Player) -> None:
    with pytest.raises(CommandError, match="appoint NAME --superuser"):
        call_command("createsuperuser", "--noinput", "--username", "root", "--email", "r@x.org")
    assert not Player.objects.filter(is_superuser=True).exists()
    assert run("alice", "--superuser") == "alice: superuser.\n"


def test_a_superuser_is_a_person_or_a_new_account(alice: Player, tmp_path: Path) -> None:
    Player.objects.create_bot("bot-mei")
    with pytest.raises(CommandError, match="cannot be staff"):
        run("bot-mei", "--superuser")
    options = ("--superuser", "--create", "--password-file", str(tmp_path / "password"))
    with pytest.raises(CommandError, match="is taken"):
        run("alice", *options)
    assert run("petra", *options).startswith("petra: superuser.")
    assert Player.objects.get(is_superuser=True).username == "petra"


@pytest.mark.always
def test_roles_add_up_and_are_taken_one_by_one_or_all_together(alice: Player) -> None:
    run("alice", "floor")
    assert run("alice", "cashiers") == "alice: floor, cashiers.\n"
    assert run("alice", "floor", "--dismiss") == "alice: cashiers.\n"
    assert run("Alice", "--dismiss") == "alice: no longer staff.\n"
    alice.refresh_from_db()
    assert not alice.is_staff
    verbs = [entry.verb for entry in JournalEntry.objects.order_by("position")]
    assert verbs == ["command:appoint"] * 2 + ["command:dismiss"] * 2


FILE = ("floor", "--create", "--password-file", "FILE")
WRONG = (
    (("alice", "boss"), "There is no role 'boss'. The roles are floor, cashiers, managers"),
    (("alice",), "There is no role ''"),
    (("nobody", "floor"), "No player has the name 'nobody'. Add --create"),
    (("nobody", "--dismiss"), "No player has the name 'nobody'"),
    (("alice", "--dismiss"), "Nothing to change"),
    (("alice", "floor", "--dismiss"), "Nothing to change"),
    (("bot-mei", "floor"), "cannot be staff"),
    (("fred", "floor"), "cannot be staff"),
    (("helena", "floor"), "Another manager has to change your roles"),
    (("helena", "--dismiss"), "Another manager has to change your roles"),
    (("new", "floor", "--create"), "--password-file"),
    (("new", "floor", "--create", "--dismiss"), "do not go together"),
    (("alice", *FILE), "is taken"),
    (("aIice", *FILE), "is taken"),
    (("a b", *FILE), "letters and digits"),
    (("x" * 21, *FILE), "2 to 20 characters"),
    (("new", "floor", "--create", "--password-file", "/no/such/folder/x"), "--password-file:"),
)


@pytest.mark.always
def test_what_makes_no_sense_is_refused_with_a_sentence(alice: Player, tmp_path: Path) -> None:
    Player.objects.create_bot("bot-mei")
    Player.objects.create_user("fred", is_active=False)
    before = Player.objects.count()
    file = str(tmp_path / "password")
    for words, said in WRONG:
        with pytest.raises(CommandError) as caught:
            run(*(file if word == "FILE" else word for word in words))
        assert said in str(caught.value)
        assert not JournalEntry.objects.exists()
        assert Player.objects.count() == before
        assert not Path(file).exists()


def test_nobody_is_appointed_twice_or_by_whoever_does_not_manage(alice: Player) -> None:
    run("alice", "floor")
    for by, said in [("alice", "no role that may do this"), ("bob", "no member of staff")]:
        with pytest.raises(CommandError, match=said):
            run("helena", "floor", by=by)
    with pytest.raises(CommandError, match="Nothing to change"):
        run("alice", "floor")
    assert JournalEntry.objects.count() == 1


def made(tmp_path: Path) -> str:
    """A new colleague, and the one-time password in the file."""
    file = tmp_path / "password"
    said = run("petra", "cashiers", "--create", "--password-file", str(file))
    name, _tab, password = file.read_text().strip().partition("\t")
    assert name == "petra"
    assert password not in said
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return password


@pytest.mark.always
def test_an_account_without_a_password_gets_another_one_time_password(tmp_path: Path) -> None:
    """Where no second manager is there to give a half in the office."""
    made(tmp_path)
    file = tmp_path / "another"
    assert run("petra", "--password-file", str(file)).startswith("petra: cashiers.\n")
    assert send(**chosen(file.read_text().split()[1]))[0] == 302
    entry = JournalEntry.objects.latest("position")
    assert (entry.verb, entry.actor_name) == ("staff.first_password", "helena")
    with pytest.raises(CommandError, match="Only a new member of staff"):
        run("petra", "--password-file", str(file))


def send(**fields: str) -> tuple[int, str]:
    answer = Client().post(ADDRESS, fields)
    return answer.status_code, answer.content.decode()


def chosen(password: str, **fields: str) -> dict[str, str]:
    return {
        "username": "petra", "one_time": password,
        "new_password1": CHOSEN, "new_password2": CHOSEN,
    } | fields  # fmt: skip


@pytest.mark.always
def test_a_new_colleague_chooses_a_password_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        password = made(tmp_path)
        assert Client().get(ADDRESS).status_code == 200
        assert send(**chosen(password))[0] == 302
    assert Player.objects.get(username="petra").check_password(CHOSEN)
    status, page = send(
        **chosen(password, new_password1="other river bed", new_password2="other river bed")
    )
    assert (status, "used already" in page) == (422, True)
    assert Player.objects.get(username="petra").check_password(CHOSEN)
    assert password not in caplog.text
    assert password not in str(list(JournalEntry.objects.values_list()))


def test_a_wrong_first_password_sets_nothing(alice: Player, tmp_path: Path) -> None:
    password = made(tmp_path)
    wrong = "Wrong name or one-time password"
    cases: tuple[tuple[dict[str, str], str], ...] = (
        ({"username": "nobody"}, wrong), ({"username": "alice"}, wrong),
        ({"one_time": "cxyz-0123456789"}, wrong),
        ({"one_time": "x" * 101}, "at most 100 characters"),
        ({"one_time": ""}, "This field is required."),
        ({"new_password2": "something else"}, "didn’t match"),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
        ({"new_password1": "petra123", "new_password2": "petra123"}, "too similar"),
        ({"new_password1": CHOSEN[:11], "new_password2": CHOSEN[:11]}, "at least 12 characters"),
        ({"new_password1": "1q2w3e4r5t6y", "new_password2": "1q2w3e4r5t6y"}, "too common"),
    )  # fmt: skip
    for fields, said in cases:
        status, page = send(**chosen(password, **fields))
        assert status == 422
        assert said in page, fields
        assert not Player.objects.get(username="petra").has_usable_password()
    assert send(**chosen(password))[0] == 302


@pytest.mark.parametrize("needed", [True, False])
def test_the_first_sign_in_of_staff_ends_in_the_office(
    tmp_path: Path, settings: Any, *, needed: bool
) -> None:
    """Name and password are typed once; where codes are needed, they are set up on the way."""
    settings.STAFF_CODES = needed
    client = Client()
    answer = client.post(ADDRESS, chosen(made(tmp_path)))
    if needed:
        assert answer["Location"] == f"{reverse('set-up-codes')}?next=%2Fadmin%2F"
        page = client.get(answer["Location"])
        assert page.status_code == 200
        code = app_code(Player.objects.get(username="petra"))
        answer = client.post(answer["Location"], {"code": code, "next": "/admin/"})
        assert 'href="/admin/"' in answer.text
    else:
        assert answer["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_staff_without_a_page_in_mind_come_to_the_office(tmp_path: Path, alice: Player) -> None:
    Client().post(ADDRESS, chosen(made(tmp_path)))
    alice.set_password(CHOSEN)
    alice.save()
    for name, named, arrived in (
        ("petra", "", "/admin/"), ("petra", "/rules/", "/rules/"), ("alice", "", reverse("lobby")),
    ):  # fmt: skip
        form = {"username": name, "password": CHOSEN, "next": named}
        assert Client().post("/players/sign-in/", form)["Location"] == arrived, (name, named)


def test_a_one_time_password_is_shown_on_a_terminal_alone() -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    call_command(
        "appoint", "petra", "floor", "--create", "--by", "helena", "--why", "new", stdout=out
    )
    password = out.getvalue().split("password is ")[1].split(";")[0]
    assert send(**chosen(password))[0] == 302


def test_roles_are_those_of_the_list() -> None:
    assert tuple(PERMISSIONS) == appointing.ROLES
