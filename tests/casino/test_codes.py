"""One-time codes: right once, near in time, at the pages and for programs; recovery codes."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from axes.models import AccessAttempt
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts import codes
from casino.accounts.models import AccessToken, Authenticator, Player, RecoveryCode
from casino.accounts.staff import appoint
from tests.casino.authenticators import app_code, enrolled, rows_as_text, wrong_code
from tests.casino.browsers import name_of, sign_in
from tests.people import PASSWORD, by_staff
from wallets.storage.sealed_columns import newest_key, sealed_with

# Set for each test: what counts failures knows the true time, and forgets them after a while.
NOW = timezone.now()
STEP = timedelta(seconds=30)


@pytest.fixture
def required(settings: Any) -> None:
    """A house in front of players."""
    settings.STAFF_CODES = True


@pytest.fixture
def manager(db: None) -> Player:
    player = Player.objects.create_user("mona", password=PASSWORD)
    appoint(player, "managers")
    return player


@pytest.fixture(autouse=True)
def the_middle_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """No step ends between showing a code and typing it."""
    now = timezone.now().replace(second=10, microsecond=0)
    monkeypatch.setitem(globals(), "NOW", now)
    monkeypatch.setattr(timezone, "now", lambda: now)


def type_code(client: Client, code: str, **more: str) -> Any:
    return client.post(reverse("sign-in-code"), {"code": code, **more})


def program(client: Client, player: Player, **more: str) -> tuple[int, str]:
    body = {"name": player.username, "password": PASSWORD, **more}
    answer = client.post(reverse("api-sign-in"), body, "application/json")
    return answer.status_code, answer.json().get("code", "")


# Codes


@pytest.mark.always
@pytest.mark.parametrize(
    ("off_steps", "right"), [(-3, False), (-2, False), (-1, True), (0, True), (1, True), (2, False)]
)
def test_a_clock_may_be_a_step_off(alice: Player, off_steps: int, right: bool) -> None:
    enrolled(alice, NOW)
    assert codes.accept(alice, app_code(alice, NOW, off_steps=off_steps), NOW) == right


def test_a_clock_that_goes_further_wrong_is_followed(alice: Player) -> None:
    enrolled(alice, NOW)
    for day in range(5):
        at = NOW + timedelta(days=day)
        assert codes.accept(alice, app_code(alice, at, off_steps=day), at)
    assert not codes.accept(
        alice, app_code(alice, NOW + timedelta(days=6)), NOW + timedelta(days=6)
    )


def test_a_code_is_accepted_once_and_no_earlier_one_after_it(alice: Player) -> None:
    enrolled(alice, NOW)
    earlier, code = app_code(alice, NOW, off_steps=-1), app_code(alice, NOW)
    assert codes.accept(alice, code, NOW)
    assert not codes.accept(alice, code, NOW)
    assert not codes.accept(alice, earlier, NOW)
    assert not codes.accept(alice, code, NOW + STEP)
    assert codes.accept(alice, app_code(alice, NOW + STEP), NOW + STEP)


@pytest.mark.django_db(transaction=True)
def test_of_all_who_send_one_code_at_once_one_is_let_in() -> None:
    alice = Player.objects.create_user("alice")
    enrolled(alice, NOW)
    code, threads = app_code(alice, NOW), 4
    ready = threading.Barrier(threads)

    def send(_number: int) -> bool:
        ready.wait()
        try:
            return codes.accept(alice, code, NOW)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        assert sum(pool.map(send, range(threads))) == 1


def test_a_code_is_six_digits_that_may_be_typed_in_groups(alice: Player) -> None:
    enrolled(alice, NOW)
    for typed in ("", "12345", "1234567", "abcdef", "１２３４５６", "-12345", "0x1234"):
        assert not codes.accept(alice, typed, NOW), typed
    code = app_code(alice, NOW)
    assert codes.accept(alice, f" {code[:3]} {code[3:]} ", NOW)


def test_an_authenticator_that_nobody_confirmed_signs_nobody_in(alice: Player) -> None:
    codes.begin(alice, NOW)
    assert not codes.has_codes(alice)
    assert not codes.accept(alice, app_code(alice, NOW), NOW)
    assert codes.confirm(alice, wrong_code(alice), NOW) is None
    assert not codes.has_codes(alice)


def test_setting_up_shows_the_same_secret_until_it_is_old(alice: Player) -> None:
    first = codes.begin(alice, NOW)
    assert codes.begin(alice, NOW + timedelta(minutes=59)) == first
    later = codes.begin(alice, NOW + timedelta(hours=2))
    assert codes.SECRET.open(later) != codes.SECRET.open(first)


def test_another_phone_takes_the_place_of_the_first(alice: Player) -> None:
    old = enrolled(alice, NOW)
    code = app_code(alice, NOW)
    enrolled(alice, NOW + STEP)
    assert not codes.accept(alice, code, NOW)
    assert not codes.accept(alice, old[0], NOW)
    assert codes.accept(alice, app_code(alice, NOW), NOW)


# Recovery codes


def test_each_of_ten_recovery_codes_is_used_once(alice: Player, bob: Player) -> None:
    made, of_bob = enrolled(alice, NOW), enrolled(bob, NOW)
    assert len(set(made)) == 10
    assert not codes.accept(bob, made[0], NOW)
    for number, code in enumerate(made, 1):
        typed = code.upper().replace("-", " ") if number % 2 else code
        assert codes.accept(alice, typed, NOW)
        assert not codes.accept(alice, code, NOW)
        assert codes.recovery_codes_left(alice) == 10 - number
    # New ones replace the old.
    new = codes.new_recovery_codes(bob)
    assert not codes.accept(bob, of_bob[0], NOW)
    assert codes.accept(bob, new[0], NOW)


def test_the_database_has_neither_secrets_nor_recovery_codes(alice: Player) -> None:
    made = enrolled(alice, NOW)
    authenticator = Authenticator.objects.get()
    secret = codes.SECRET.open(authenticator)
    rows = rows_as_text(Authenticator, RecoveryCode)
    for plain in (secret.hex(), codes.secret_as_text(authenticator), *made):
        assert plain not in rows
        assert plain.replace("-", "") not in rows


@pytest.mark.always
def test_secrets_are_sealed_anew_under_a_new_key(alice: Player, settings: Any) -> None:
    enrolled(alice, NOW)
    settings.SEALING_KEYS = [Fernet.generate_key().decode(), *settings.SEALING_KEYS]
    call_command("reseal", *by_staff(), stdout=StringIO(), stderr=StringIO())
    assert sealed_with(Authenticator.objects.get().sealed_secret) == newest_key()
    settings.SEALING_KEYS = settings.SEALING_KEYS[:1]
    assert codes.accept(alice, app_code(alice, NOW), NOW)


# At the pages


def test_a_password_alone_signs_nobody_in_who_has_codes(alice: Player, stranger: Client) -> None:
    enrolled(alice)
    # A code without a password leads to the sign-in.
    assert type_code(stranger, app_code(alice))["Location"].startswith(reverse("sign-in"))
    answer = sign_in(stranger, "alice", next="/wallet/")
    assert answer["Location"] == reverse("sign-in-code", query={"next": "/wallet/"})
    assert name_of(stranger) == ""
    assert type_code(stranger, wrong_code(alice)).status_code == 422
    assert name_of(stranger) == ""
    assert type_code(stranger, app_code(alice), next="/wallet/")["Location"] == "/wallet/"
    assert name_of(stranger) == "alice"


def test_a_password_waits_for_its_code_ten_minutes(
    alice: Player, stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrolled(alice)
    sign_in(stranger, "alice")
    late = NOW + timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: late)
    assert type_code(stranger, app_code(alice, late))["Location"].startswith(reverse("sign-in"))
    assert name_of(stranger) == ""


@pytest.mark.parametrize("change", ["password", "frozen"])
def test_between_password_and_code_the_account_may_change(
    alice: Player, stranger: Client, change: str
) -> None:
    enrolled(alice)
    sign_in(stranger, "alice")
    if change == "password":
        alice.set_password("another way to the river")
    else:
        alice.is_active = False
    alice.save()
    type_code(stranger, app_code(alice))
    assert name_of(stranger) == ""


def test_wrong_codes_lock_the_name_from_this_address_alone(alice: Player) -> None:
    enrolled(alice)
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    sign_in(stranger, "alice")
    wrong = wrong_code(alice)
    assert [type_code(stranger, wrong).status_code for _ in range(5)] == [422] * 4 + [429]
    assert type_code(stranger, app_code(alice)).status_code == 429
    elsewhere = Client(REMOTE_ADDR="192.0.2.1")
    sign_in(elsewhere, "alice")
    assert type_code(elsewhere, app_code(alice)).status_code == 302
    # What was typed is in no row about failed sign-ins.
    assert wrong not in rows_as_text(AccessAttempt)


@pytest.mark.always
def test_redirects_after_a_code_never_leave_the_site(alice: Player, stranger: Client) -> None:
    enrolled(alice)
    sign_in(stranger, "alice", next="https://evil.example/")
    answer = type_code(stranger, app_code(alice), next="https://evil.example/")
    assert answer["Location"] == reverse("lobby")


@pytest.mark.always
def test_a_player_sets_codes_up_replaces_and_removes_them(alice: Player, stranger: Client) -> None:
    sign_in(stranger, "alice")
    page = stranger.get(reverse("set-up-codes"))
    assert "<svg" in page.text
    assert codes.secret_as_text(Authenticator.objects.get())[:4] in page.text
    assert "http" not in page.text.partition('class="qr"')[2].partition("</svg>")[0]
    refused = stranger.post(reverse("set-up-codes"), {"code": wrong_code(alice)})
    assert refused.status_code == 422
    shown = stranger.post(reverse("set-up-codes"), {"code": app_code(alice)})
    made = shown.context["made"]
    assert all(code in shown.text for code in made)
    assert shown.headers["Cache-Control"].startswith(("private, no-store", "max-age=0"))
    assert made[0] not in stranger.get(reverse("codes")).text
    # A code for each change: they are recovery codes here, as the phone's is used up.
    again = stranger.post(reverse("codes"), {"code": made[0], "recovery": "1"})
    newer = again.context["made"]
    assert stranger.get(reverse("set-up-codes"))["Location"] == reverse("codes")
    answer = stranger.post(reverse("codes"), {"code": newer[0], "another": "1"})
    assert answer["Location"] == reverse("set-up-codes")
    assert stranger.get(reverse("set-up-codes")).status_code == 200
    assert stranger.post(reverse("codes"), {"code": made[1], "off": "1"}).status_code == 422
    assert codes.has_codes(alice)
    stranger.post(reverse("codes"), {"code": newer[1], "off": "1"})
    assert not codes.has_codes(alice)


@pytest.mark.always
def test_setting_up_ends_sessions_that_were_begun_without_codes(alice: Player) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        sign_in(client, "alice")
    here.get(reverse("set-up-codes"))
    here.post(reverse("set-up-codes"), {"code": app_code(alice)})
    assert name_of(here) == "alice"
    assert name_of(elsewhere) == ""


# Where codes are required


def test_staff_need_no_code_in_a_demonstration(manager: Player, stranger: Client) -> None:
    sign_in(stranger, "mona")
    assert stranger.get("/admin/").status_code == 200


@pytest.mark.always
def test_staff_set_codes_up_before_they_are_signed_in(
    required: None, manager: Player, stranger: Client
) -> None:
    sign_in(stranger, "mona", next="/admin/")
    assert stranger.get("/admin/").status_code == 302
    step = stranger.get(reverse("sign-in-code", query={"next": "/admin/"}))
    assert step["Location"] == reverse("set-up-codes", query={"next": "/admin/"})
    assert stranger.get(step["Location"]).status_code == 200
    assert stranger.get("/admin/").status_code == 302
    answer = stranger.post(step["Location"], {"code": app_code(manager), "next": "/admin/"})
    assert 'href="/admin/"' in answer.text
    assert stranger.get("/admin/").status_code == 200
    answer = stranger.post(reverse("codes"), {"code": answer.context["made"][0], "off": "1"})
    assert codes.has_codes(manager)


def test_players_need_none_where_staff_do(required: None, alice: Player, stranger: Client) -> None:
    sign_in(stranger, "alice")
    assert name_of(stranger) == "alice"


def test_a_password_does_not_replace_codes(
    required: None, manager: Player, stranger: Client
) -> None:
    enrolled(manager)
    sign_in(stranger, "mona")
    for answer in (
        stranger.get(reverse("set-up-codes")),
        stranger.post(reverse("set-up-codes"), {"code": "000000"}),
    ):
        assert answer["Location"].startswith(reverse("sign-in"))


@pytest.mark.parametrize("address", ["/admin/", "/history/", "/api/v1/wallet/"])
def test_a_session_of_staff_without_a_code_ends(
    required: None, manager: Player, signed_in: Any, address: str
) -> None:
    """In every case: here a player was appointed while signed in."""
    client = signed_in(manager)
    assert client.get(address).status_code in (302, 401)
    assert name_of(client) == ""


# Programs


def test_a_program_sends_a_code(alice: Player, bob: Player, stranger: Client) -> None:
    # Who has no codes need not send any.
    assert program(stranger, bob, code="123456") == (201, "")
    AccessToken.objects.all().delete()
    made = enrolled(alice)
    assert program(stranger, alice) == (401, "code_needed")
    assert program(stranger, alice, code=wrong_code(alice)) == (401, "wrong_code")
    assert not AccessToken.objects.exists()
    code = app_code(alice)
    assert program(stranger, alice, code=code) == (201, "")
    assert program(stranger, alice, code=code) == (401, "wrong_code")
    assert AccessToken.objects.get().by_code
    assert program(stranger, alice, code=made[3]) == (201, "")
    assert program(stranger, alice, code=made[3]) == (401, "wrong_code")


def test_wrong_codes_of_programs_lock_the_name(alice: Player, stranger: Client) -> None:
    enrolled(alice)
    sent = [program(stranger, alice, code=wrong_code(alice)) for _ in range(5)]
    assert sent == [(401, "wrong_code")] * 4 + [(429, "locked_out")]


def test_a_program_of_staff_needs_codes(required: None, manager: Player, stranger: Client) -> None:
    assert program(stranger, manager) == (403, "code_not_set_up")
    enrolled(manager)
    assert program(stranger, manager) == (401, "code_needed")
    assert program(stranger, manager, code=app_code(manager)) == (201, "")


def test_a_token_from_before_an_appointment_ends(
    required: None, alice: Player, stranger: Client
) -> None:
    body = {"name": "alice", "password": PASSWORD}
    token = stranger.post(reverse("api-sign-in"), body, "application/json").json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert stranger.get("/api/v1/wallet/", headers=headers).status_code == 200
    appoint(alice, "auditors")
    assert stranger.get("/api/v1/wallet/", headers=headers).status_code == 401
