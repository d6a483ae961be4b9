"""Signing up: who is let in, under which name, and how many of one address."""

import unicodedata
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from casino.accounts.new_players import SignUpForm
from tests.casino.browsers import NEW, SignedIn, name_of, sign_in
from tests.people import PASSWORD


def test_a_stranger_signs_up_and_is_signed_in(stranger: Client) -> None:
    stranger.session.save()
    planted = stranger.session.session_key
    stranger.cookies[settings.SESSION_COOKIE_NAME] = planted or ""
    assert stranger.get(reverse("sign-up")).status_code == 200
    assert stranger.post(reverse("sign-up"), NEW).headers["Location"] == reverse("lobby")
    assert name_of(stranger) == "dora"
    assert stranger.session.session_key != planted
    player = Player.objects.get(username="dora")
    assert player.language == "en"
    assert not player.is_staff


def test_a_name_that_cannot_be_had_is_refused_beside_the_field(
    alice: Player, stranger: Client
) -> None:
    for name in ("alice", "ALICE", "ａｌｉｃｅ", "admin", "a", "", "x" * 50, "a\x00b"):
        response = stranger.post(reverse("sign-up"), NEW | {"username": name})
        assert response.status_code == 422, name
        assert 'id="id_username_error"' in response.text, name
        assert 'aria-describedby="id_username_helptext id_username_error"' in response.text
    for first, second in (("short", "short"), ("12345678901", "12345678901"), (PASSWORD, "other")):
        form = NEW | {"password1": first, "password2": second}
        assert stranger.post(reverse("sign-up"), form).status_code == 422, first
    assert Player.objects.count() == 1


@pytest.mark.parametrize("page", ["sign-in", "sign-up"])
def test_a_name_of_any_length_holds_nobody_up(
    stranger: Client, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marks that must be put in order take the square of their number in time."""
    lengths: list[int] = []
    normalize = unicodedata.normalize

    def noted(form: Any, text: str) -> str:
        lengths.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", noted)
    name = "a" + "\u0315\u0300" * 50_000
    fields = {"username": name, "password": PASSWORD, "password1": PASSWORD, "password2": PASSWORD}
    assert stranger.post(reverse(page), fields).status_code == 422
    assert max(lengths, default=0) <= 1_000
    assert all(len(tried.username) < 255 for tried in AccessAttempt.objects.all())


@pytest.mark.always
def test_second_of_two_simultaneous_sign_ups_for_a_name_is_refused(
    alice: Player, stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the first had been stored after the second had been checked."""
    monkeypatch.setattr(SignUpForm, "clean_username", lambda form: form.cleaned_data["username"])
    response = stranger.post(reverse("sign-up"), NEW | {"username": "Alice"})
    assert response.status_code == 422
    assert "This name is taken" in response.text
    assert Player.objects.get() == alice


def test_signed_in_player_cannot_sign_up(alice: Player, signed_in: SignedIn) -> None:
    response = signed_in(alice).post(reverse("sign-up"), NEW)
    assert response.headers["Location"] == reverse("lobby")
    assert Player.objects.get() == alice


def newcomer(number: int, address: str) -> int:
    form = NEW | {"username": f"dora{number}"}
    return Client(REMOTE_ADDR=address).post(reverse("sign-up"), form).status_code


def test_an_address_has_so_many_newcomers_a_day(
    db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SIGN_UPS_A_DAY = 3
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)
    assert [newcomer(number, "192.0.2.1") for number in range(25)] == [302] * 3 + [429] * 22
    assert Player.objects.count() == 3
    refused = Client(REMOTE_ADDR="192.0.2.1").post(
        reverse("sign-up"), NEW, headers={"X-Forwarded-For": "203.0.113.1"}
    )
    assert "· too_many_sign_ups<" in refused.text
    assert "Try again tomorrow" in refused.text
    assert int(refused["Retry-After"]) == 86_400 - 1_900_000_000 % 86_400
    # Who came before still signs in there, and others come from elsewhere, and tomorrow.
    assert sign_in(Client(REMOTE_ADDR="192.0.2.1"), "dora0").status_code == 302
    assert newcomer(30, "192.0.2.2") == 302
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0 + 86_400)
    assert newcomer(31, "192.0.2.1") == 302


def test_the_addresses_of_one_line_count_as_one(
    db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser has a choice of more addresses of the newer kind than there are players."""
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)
    settings.SIGN_UPS_A_DAY = 2
    statuses = [newcomer(number, f"2001:db8:1:2::{number + 1}") for number in range(4)]
    assert statuses == [302, 302, 429, 429]
    assert newcomer(5, "2001:db8:1:3::1") == 302
    assert newcomer(6, "::ffff:192.0.2.9") == 302
    assert newcomer(7, "192.0.2.9") == 302
    assert newcomer(8, "192.0.2.9") == 429


def test_a_form_that_is_refused_counts_for_nothing(
    alice: Player, stranger: Client, settings: Any
) -> None:
    settings.SIGN_UPS_A_DAY = 1
    for _ in range(3):
        taken = stranger.post(reverse("sign-up"), NEW | {"username": "alice"})
        assert taken.status_code == 422
    assert stranger.post(reverse("sign-up"), NEW).status_code == 302
