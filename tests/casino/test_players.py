"""Signing in and out, as those do it who should and those who should not; a player's own pages."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.sign_ins import KNOWN_DEVICE
from tests.casino.browsers import NEW, SignedIn, name_of, sign_in
from tests.people import HTMX, PASSWORD

SOME_DAY = datetime(2030, 1, 2, tzinfo=UTC)

# Signing in and out


@pytest.mark.parametrize("name", ["alice", "Alice", "ＡＬＩＣＥ"])
def test_a_player_signs_in_however_the_name_is_spelt(
    alice: Player, stranger: Client, name: str
) -> None:
    stranger.session.save()
    planted = stranger.session.session_key
    stranger.cookies[settings.SESSION_COOKIE_NAME] = planted or ""
    assert sign_in(stranger, name).headers["Location"] == reverse("lobby")
    assert name_of(stranger) == "alice"
    # It starts a new session.
    assert stranger.session.session_key != planted
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = planted or ""
    assert name_of(thief) == ""


def test_a_wrong_sign_in_is_refused(alice: Player, stranger: Client) -> None:
    sentences = []
    for name, password in (("alice", "wrong"), ("nobody", PASSWORD), ("", "")):
        answer = sign_in(stranger, name, password)
        assert answer.status_code == 422
        assert name_of(stranger) == ""
        sentences.append(list(answer.context["form"].non_field_errors()))
    # A wrong name and a wrong password are answered alike.
    assert sentences[0] == sentences[1] != []


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
def test_password_errors_are_translated(stranger: Client, language: str) -> None:
    fields = NEW | {"password1": "123", "password2": "123"}
    text = stranger.post(reverse("sign-up"), fields, headers={"accept-language": language}).text
    assert re.search("密[码碼]太短，至少[须須]有 8 [个個]字[符元]。", text)
    assert "This password" not in text


def test_blocked_player_is_signed_out_at_once(alice: Player, signed_in: SignedIn) -> None:
    client = signed_in(alice)
    assert name_of(client) == "alice"
    Player.objects.update(is_active=False)
    assert name_of(client) == ""
    assert sign_in(client, "alice").status_code == 422


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "Your account is frozen. Please ask the house why."),
        ({"frozen_until": SOME_DAY}, "Your account is frozen until"),
        ({"closed_at": SOME_DAY}, "This account is closed."),
    ],
)
def test_the_right_password_of_a_frozen_account_gets_the_reason(
    alice: Player, stranger: Client, change: dict[str, datetime], sentence: str
) -> None:
    Player.objects.update(is_active=False, **change)
    assert sentence in sign_in(stranger, "alice").text
    # It is no wrong password, and does not count as one.
    assert not AccessAttempt.objects.exists()
    wrong = sign_in(stranger, "alice", "wrong").text
    assert sentence not in wrong
    assert "Wrong name or password." in wrong


def test_a_bot_cannot_sign_in_or_have_a_password(stranger: Client, signed_in: SignedIn) -> None:
    bot = Player.objects.create_bot("bot-mei")
    assert sign_in(stranger, "bot-mei", "").status_code == 422
    assert name_of(signed_in(bot)) == ""
    bot.set_password(PASSWORD)
    with pytest.raises(ValidationError):
        bot.full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        bot.save()


def test_signing_out_ends_the_session(alice: Player, signed_in: SignedIn, stranger: Client) -> None:
    client = signed_in(alice)
    # A link cannot sign the player out.
    assert client.get(reverse("sign-out")).status_code == 405
    assert name_of(client) == "alice"
    ended = client.session.session_key or ""
    response = client.post(reverse("sign-out"), follow=True)
    assert "You are signed out." in response.text
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = ended
    assert name_of(thief) == name_of(client) == ""
    assert stranger.post(reverse("sign-out")).headers["Location"] == reverse("lobby")


# Too many wrong passwords


def fail(client: Client, name: str, times: int = settings.AXES_FAILURE_LIMIT):
    for _time in range(times):
        response = sign_in(client, name, "wrong")
    return response


def test_after_five_wrong_passwords_even_the_right_one_waits(
    alice: Player, stranger: Client
) -> None:
    for name in ("alice", "Alice", "aLICE", "ＡＬＩＣＥ"):
        assert fail(stranger, name, 1).status_code == 422
    response = fail(stranger, "alice", 1)
    assert response.status_code == 429
    assert response.headers["Retry-After"] == "900"
    assert "Wait 15 minutes and try again." in response.text
    assert sign_in(stranger, "alice").status_code == 429
    assert name_of(stranger) == ""
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    assert sign_in(stranger, "alice").status_code == 302


def test_others_cannot_lock_a_player_out(alice: Player, bob: Player, stranger: Client) -> None:
    fail(stranger, "alice")
    assert sign_in(Client(REMOTE_ADDR="192.0.2.7"), "alice").status_code == 302
    assert sign_in(stranger, "bob").status_code == 302


def test_a_neighbour_cannot_lock_a_players_own_device(alice: Player) -> None:
    """A club is behind one address."""
    own, neighbour = Client(), Client()
    assert sign_in(own, "alice").status_code == 302
    own.post(reverse("sign-out"))
    assert fail(neighbour, "alice").status_code == 429
    assert sign_in(own, "alice").status_code == 302
    # What the owner mistypes locks this device, and is forgiven when they sign in.
    own.post(reverse("sign-out"))
    fail(own, "alice", 4)
    assert sign_in(own, "alice").status_code == 302
    own.post(reverse("sign-out"))
    assert fail(own, "alice").status_code == 429
    assert sign_in(own, "alice").status_code == 429
    # Knowing alice's device is of no use under another name, nor is calling oneself known.
    assert sign_in(neighbour, "alice").status_code == 429
    named = AccessAttempt.objects.get(user_agent__startswith=KNOWN_DEVICE).user_agent
    assert named.removeprefix(KNOWN_DEVICE) not in str(own.cookies)


@pytest.mark.always
@pytest.mark.parametrize("page", ["sign-in", "sign-up"])
def test_an_address_has_so_many_passwords_looked_at(
    alice: Player, stranger: Client, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.web.rate_limits.PASSWORDS_A_MINUTE", 3)
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)
    caches["default"].clear()

    def tried(name: str, address: str) -> int:
        form = {"username": name, "password": "wrong", "password1": "x", "password2": "y"}
        headers = {"X-Forwarded-For": f"203.0.113.{len(name)}"}
        return stranger.post(reverse(page), form, headers=headers, REMOTE_ADDR=address).status_code

    assert [tried("n" * length, "192.0.2.1") for length in range(2, 7)] == [422] * 3 + [429] * 2
    assert tried("nobody", "192.0.2.2") == 422
    assert stranger.get(reverse(page), REMOTE_ADDR="192.0.2.1").status_code == 200


def test_addresses_of_one_household_share_their_attempts(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line has more addresses of its own than any player has passwords to guess."""
    monkeypatch.setattr("casino.web.rate_limits.PASSWORDS_A_MINUTE", 7)
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)

    def tried(name: str, address: str) -> int:
        return sign_in(Client(REMOTE_ADDR=address), name, "wrong").status_code

    line = [f"2001:db8:1:2::{number}" for number in range(1, 9)]
    assert [tried("alice", address) for address in line[:5]] == [422] * 4 + [429]
    assert sign_in(Client(REMOTE_ADDR=line[5]), "alice").status_code == 429
    assert sign_in(Client(REMOTE_ADDR="2001:db8:1:3::1"), "alice").status_code == 302
    # So are the passwords that the house checks for this line.
    assert [tried("nobody", address) for address in line[6:]] == [422, 429]


def test_a_right_password_forgets_the_wrong_ones(alice: Player, stranger: Client) -> None:
    fail(stranger, "alice", 4)
    sign_in(stranger, "alice")
    assert fail(Client(), "alice", 4).status_code == 422


@pytest.mark.parametrize("door", ["page", "program"])
def test_a_sign_in_is_one_line_in_the_log(
    alice: Player, stranger: Client, door: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The message repeats no input: a player may have typed a password as the name."""
    caplog.set_level("INFO")

    def tried(name: str, password: str) -> list[str]:
        caplog.clear()
        if door == "page":
            sign_in(stranger, name, password)
        else:
            body = {"name": name, "password": password}
            stranger.post(reverse("api-sign-in"), body, "application/json")
        ours = ("axes", "casino.accounts", "django.request")
        return [record.getMessage() for record in caplog.records if record.name.startswith(ours)]

    for name in ("alice", "hunter2-by-mistake"):
        assert tried(name, "wrong") == ["a sign-in from 127.0.0.1 failed"]
    assert tried("alice", PASSWORD) == [f"player {alice.pk} signed in from 127.0.0.1"]
    stranger.logout()
    for _ in range(4):
        tried("alice", "wrong")
    locked = ["a sign-in from 127.0.0.1 failed, and the name is locked there"]
    assert tried("alice", "wrong") == locked


# Where signing in leads


@pytest.mark.parametrize("view", ["sign-in", "sign-up"])
@pytest.mark.parametrize(
    ("following", "leads_to"),
    [
        *((place, "/lobby/") for place in ("https://evil.example/", "//evil.example", "")),
        *((place, "/lobby/") for place in ("\\\\evil.example", "javascript:x")),
        ("/players/profile/", "/players/profile/"),
    ],
)
def test_signing_in_leads_back_and_never_off_the_site(
    alice: Player, stranger: Client, view: str, following: str, leads_to: str
) -> None:
    form = NEW if view == "sign-up" else {"username": "alice", "password": PASSWORD}
    response = stranger.post(reverse(view), form | {"next": following})
    assert response.headers["Location"] == leads_to


@pytest.mark.always
def test_a_stranger_is_led_to_the_sign_in(stranger: Client) -> None:
    for view in ("profile", "change-password"):
        response = stranger.get(reverse(view))
        assert response.headers["Location"] == f"{reverse('sign-in')}?next={reverse(view)}"


def test_the_wrong_method_is_refused_with_a_page(alice: Player, signed_in: SignedIn) -> None:
    client = signed_in(alice)
    for view, method in (
        ("sign-up", "put"), ("sign-in", "delete"), ("sign-out", "get"), ("profile", "post"),
        ("change-password", "put"), ("set_language", "get"), ("look", "get"), ("look", "delete"),
    ):  # fmt: skip
        browser = Client() if view in ("sign-in", "sign-up") else client
        response = getattr(browser, method)(reverse(view))
        assert response.status_code == 405, view
        assert response.headers["Allow"], view
        assert "This page does not accept that kind of request" in response.text, view


# The player's own pages


def test_the_profile_shows_its_player(alice: Player, bob: Player, signed_in: SignedIn) -> None:
    response = signed_in(bob).get(reverse("profile"))
    assert "<span>bob</span></h1>" in response.text
    assert "alice" not in response.text


def test_a_changed_password_ends_the_other_sessions(alice: Player, signed_in: SignedIn) -> None:
    here, elsewhere = signed_in(alice), signed_in(alice)
    before = here.session.session_key
    fresh = "quite another sentence"
    form = {"old_password": PASSWORD, "new_password1": fresh, "new_password2": fresh}
    assert here.post(reverse("change-password"), form).headers["Location"] == reverse("profile")
    assert (name_of(here), name_of(elsewhere)) == ("alice", "")
    assert here.session.session_key != before
    assert sign_in(elsewhere, "alice").status_code == 422
    assert sign_in(elsewhere, "alice", fresh).status_code == 302


def test_the_old_password_is_required(alice: Player, signed_in: SignedIn) -> None:
    fresh = "quite another sentence"
    form = {"old_password": "guess", "new_password1": fresh, "new_password2": fresh}
    assert signed_in(alice).post(reverse("change-password"), form).status_code == 422
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


# Languages and themes


def test_a_language_is_kept_with_the_player_and_in_the_browser(
    alice: Player, bob: Player, signed_in: SignedIn
) -> None:
    client = signed_in(alice)
    client.post(reverse("set_language"), {"language": "zh-hant"})
    assert '<html lang="zh-hant"' in client.get(reverse("lobby")).text
    alice.refresh_from_db()
    bob.refresh_from_db()
    assert (alice.language, bob.language) == ("zh-hant", "")
    other_browser = Client()
    sign_in(other_browser, "alice")
    assert '<html lang="zh-hant"' in other_browser.get(reverse("lobby")).text


def test_a_stranger_chooses_a_language(stranger: Client) -> None:
    stranger.post(reverse("set_language"), {"language": "zh-hans"})
    assert '<html lang="zh-hans"' in stranger.get(reverse("lobby")).text
    stranger.post(reverse("sign-up"), NEW)
    assert Player.objects.get().language == "zh-hans"


PREFERENCES = (
    ("theme", ("light", "system", "dark")), ("deck", ("four", "two")), ("sounds", ("on", "off")),
    ("volume", ("1", "3", "2")), ("motion", ("off", "on")),
)  # fmt: skip


@pytest.mark.parametrize(("name", "values"), PREFERENCES)
def test_preferences_are_rendered_into_the_page(
    stranger: Client, name: str, values: tuple[str, ...]
) -> None:
    assert f'data-{name}="{values[-1]}"' in stranger.get(reverse("lobby")).text
    for value in values:
        stranger.post(reverse("look"), {name: value})
        text = stranger.get(reverse("lobby")).text
        assert f'data-{name}="{value}"' in text
        assert f'name="{name}" value="{value}" aria-pressed="true"' in text


@pytest.mark.always
def test_invented_preferences_fall_back_to_the_default(stranger: Client) -> None:
    for name, first in (("theme", "dark"), ("deck", "two")):
        stranger.cookies[name] = "<script>"
        assert f'data-{name}="{first}"' in stranger.get(reverse("lobby")).text


def test_a_preference_that_is_none_is_refused(alice: Player, signed_in: SignedIn) -> None:
    client = signed_in(alice)
    for view, names in (("set_language", ["language"]), ("look", ["theme", "deck", "sounds"])):
        for name in names:
            for value in ("", "klingon", "<b>", "x" * 5000):
                answer = client.post(reverse(view), {name: value}, headers=HTMX)
                assert answer.status_code == 400, (name, value)
    alice.refresh_from_db()
    assert alice.language == ""


@pytest.mark.always
@pytest.mark.parametrize(
    ("view", "form"), [("set_language", {"language": "en"}), ("look", {"theme": "dark"})]
)
def test_a_preference_leads_back_to_the_page_it_was_chosen_on(
    stranger: Client, view: str, form: dict[str, str]
) -> None:
    profile = "/players/profile/"
    for given, came_from, leads_to in (
        ("/players/sign-in/?next=/x", "", "/players/sign-in/?next=/x"),
        ("https://evil.example/", "", "/lobby/"),
        ("//evil.example", f"http://testserver{profile}", profile),
        ("", f"http://testserver{profile}?a=b", f"{profile}?a=b"),
        ("", f"https://evil.example{profile}", "/lobby/"),
    ):
        sent = form | {"next": given}
        response = stranger.post(reverse(view), sent, headers={"Referer": came_from})
        assert response.headers["Location"] == leads_to, given
