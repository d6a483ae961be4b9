"""A player who has done nothing for a while signs in again, and comes back to the page."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from tests.people import HTMX, client_of

PROFILE = "/players/profile/"
Away = Callable[[int], None]


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Away:
    """Minutes pass."""
    settings.PLAYER_IDLE_MINUTES = 30
    clock = [timezone.now()]
    monkeypatch.setattr(timezone, "now", lambda: clock[0])

    def pass_time(minutes: int) -> None:
        clock[0] += timedelta(minutes=minutes)

    return pass_time


@pytest.fixture
def browser(alice: Player, away: Away) -> Client:
    client = client_of(alice)
    assert client.get(PROFILE).status_code == 200
    return client


@pytest.mark.always
def test_whoever_plays_remains_signed_in(browser: Client, away: Away) -> None:
    for _time in range(4):
        away(29)
        assert browser.get(PROFILE).status_code == 200
    # A move is sent by a script, and is a sign of life all the same.
    away(29)
    browser.post("/players/look/", headers=HTMX)
    away(29)
    assert browser.get(PROFILE).status_code == 200


def test_an_idle_player_signs_in_again_and_comes_back(browser: Client, away: Away) -> None:
    away(31)
    answer = browser.get(PROFILE)
    assert answer.status_code == 302
    assert answer["Location"] == "/players/sign-in/?next=%2Fplayers%2Fprofile%2F&ended=1"
    assert "_auth_user_id" not in browser.session
    assert b"session has ended" in browser.get(answer["Location"]).content


def test_parts_that_a_page_fetches_by_itself_are_no_sign_of_life(
    browser: Client, away: Away
) -> None:
    for _time in range(3):
        away(10)
        assert browser.get(PROFILE, headers=HTMX).status_code == 200
    away(1)
    answer = browser.get(PROFILE, headers=HTMX)
    assert answer.status_code == 401
    assert answer["HX-Redirect"].startswith("/players/sign-in/")


def test_an_idle_session_opens_no_program(browser: Client, away: Away) -> None:
    assert browser.get("/api/v1/wallet/").status_code == 200
    away(31)
    answer = browser.get("/api/v1/wallet/")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_the_house_sets_the_time_and_staff_are_confirmed_instead(
    browser: Client, bob: Player, away: Away, settings: Any
) -> None:
    appoint(bob, "managers")
    manager = client_of(bob)
    assert manager.get("/admin/").status_code == 200
    away(31)
    assert manager.get("/admin/").status_code == 200
    settings.PLAYER_IDLE_MINUTES = 0
    assert browser.get(PROFILE).status_code == 200
