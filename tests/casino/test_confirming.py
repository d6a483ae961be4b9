"""After ten idle minutes staff confirm who they are before money moves; what they typed is kept."""

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from re import findall
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from tests.casino.authenticators import app_code, enrolled
from tests.casino.browsers import sign_in
from tests.casino.soft_passkey import Phone, add, options
from tests.people import HTMX, PASSWORD
from wallets.models.staff_models import JournalEntry, Proposal

LIMITS = "/admin/limits/"
LIMIT = {"limit": "deposit", "value": "77", "reason": "the club has grown"}
TEN_MINUTES = timedelta(minutes=10)
SECOND = timedelta(seconds=1)
Away = Callable[[timedelta], None]


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Away:
    """Time passes."""
    clock = [timezone.now()]
    monkeypatch.setattr(timezone, "now", lambda: clock[0])

    def pass_time(span: timedelta) -> None:
        clock[0] += span

    return pass_time


@pytest.fixture
def manager(db: None) -> Player:
    player = Player.objects.create_user("mona", password=PASSWORD)
    appoint(player, "managers")
    return player


@pytest.fixture
def browser(manager: Player, away: Away) -> Client:
    client = Client()
    sign_in(client, "mona")
    assert client.get(LIMITS).status_code == 200
    return client


def kept_in(page: Any) -> dict[str, str]:
    """What the question sends again."""
    fields = findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text)
    return {name: unescape(value) for name, value in fields if name != "csrfmiddlewaretoken"}


def test_whoever_is_at_work_is_not_stopped(browser: Client, away: Away) -> None:
    for _time in range(4):
        away(TEN_MINUTES - timedelta(minutes=1))
        browser.get("/admin/")
    assert browser.post(LIMITS, LIMIT).status_code == 302


@pytest.mark.always
def test_after_ten_idle_minutes_a_password_is_typed_and_the_form_goes_on(
    browser: Client, away: Away
) -> None:
    away(TEN_MINUTES + SECOND)
    # Who finds a screen open reads its page first: that does not confirm.
    assert browser.get(LIMITS).status_code == 200
    away(SECOND)
    question = browser.post(LIMITS, LIMIT | {"reason": 'a "quote" & <more>'})
    assert question.status_code == 403
    assert not Proposal.objects.exists()
    kept = kept_in(question)
    assert kept["value"] == "77"
    assert kept["reason"] == 'a "quote" & <more>'
    wrong = browser.post(LIMITS, kept | {"confirm_code": "wrong"})
    assert wrong.status_code == 403
    assert kept_in(wrong) == kept
    assert not Proposal.objects.exists()
    answer = browser.post(LIMITS, kept | {"confirm_code": PASSWORD})
    assert answer.status_code == 302
    assert Proposal.objects.get().reason == 'a "quote" & <more>'
    # Then it is well for another ten minutes.
    assert browser.post(LIMITS, LIMIT | {"value": "78"}).status_code == 302


def test_whoever_has_codes_types_a_code(manager: Player, away: Away) -> None:
    made = enrolled(manager)
    client = Client()
    sign_in(client, "mona")
    client.post(reverse("sign-in-code"), {"code": made[0]})
    away(TEN_MINUTES + timedelta(minutes=1))
    client.get("/admin/")
    kept = kept_in(client.post(LIMITS, LIMIT))
    assert client.post(LIMITS, kept | {"confirm_code": PASSWORD}).status_code == 403
    code = app_code(manager)
    assert client.post(LIMITS, kept | {"confirm_code": code}).status_code == 302
    away(TEN_MINUTES + timedelta(minutes=1))
    # No code is accepted twice.
    assert client.post(LIMITS, LIMIT | {"confirm_code": code}).status_code == 403


def test_a_passkey_confirms_as_well(manager: Player, browser: Client, away: Away) -> None:
    phone, stranger = Phone(), Phone()
    add(browser, phone, password=PASSWORD)
    away(TEN_MINUTES + SECOND)
    question = browser.post(LIMITS, LIMIT)
    assert "data-passkey" in question.text
    kept = kept_in(question) | {"confirm_code": ""}
    for device, status in ((stranger, 403), (phone, 302)):
        signed = device.signs(options(browser, "sign-in"))
        answer = browser.post(LIMITS, kept | {"credential": signed})
        assert answer.status_code == status
    assert Proposal.objects.get().reason == LIMIT["reason"]
    assert browser.post(LIMITS, LIMIT | {"value": "78"}).status_code == 302


def test_what_a_page_fetches_by_itself_keeps_nobody_at_work(browser: Client, away: Away) -> None:
    for _time in range(3):
        away(timedelta(minutes=5))
        browser.get("/lobby/", headers=HTMX)
    assert browser.post(LIMITS, LIMIT).status_code == 403


def test_wrong_answers_lock_the_name_here(browser: Client, alice: Player, away: Away) -> None:
    alice.set_password("the password of alice")
    alice.save()
    away(TEN_MINUTES + SECOND)
    wrong = LIMIT | {"confirm_code": "the password of alice"}
    assert [browser.post(LIMITS, wrong).status_code for _ in range(5)] == [403] * 4 + [429]
    assert browser.post(LIMITS, LIMIT | {"confirm_code": PASSWORD}).status_code == 429
    assert "the club has grown" not in str(list(AccessAttempt.objects.values_list()))
    assert not Proposal.objects.exists()


def test_a_form_token_is_needed_for_an_answer(manager: Player, away: Away) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(manager)
    client.get("/admin/")
    away(TEN_MINUTES + SECOND)
    answer = client.post(LIMITS, LIMIT | {"confirm_code": PASSWORD})
    assert "stale_page" in answer.text or "This page was open too long" in answer.text


def test_a_fragment_leads_to_the_question_and_back(browser: Client, away: Away) -> None:
    away(TEN_MINUTES + SECOND)
    seen = {"HX-Current-URL": f"http://testserver{LIMITS}"}
    answer = browser.post(LIMITS, LIMIT, headers=HTMX | seen)
    address = answer.headers["HX-Redirect"]
    assert address == reverse("confirm", query={"next": LIMITS})
    question = browser.get(address)
    kept = kept_in(question)
    assert browser.post(reverse("confirm"), kept | {"confirm_code": "x"}).status_code == 403
    answer = browser.post(reverse("confirm"), kept | {"confirm_code": PASSWORD})
    assert answer["Location"] == LIMITS
    assert browser.get(reverse("confirm", query={"next": LIMITS}))["Location"] == LIMITS


def test_the_question_never_leads_off_the_site(browser: Client, away: Away) -> None:
    for following in ("https://evil.example/", "//evil.example", ""):
        page = browser.get(reverse("confirm", query={"next": following}))
        assert page["Location"] == "/lobby/"
        away(TEN_MINUTES + SECOND)
        browser.get("/admin/")
        form = {"next": following, "confirm_code": PASSWORD}
        assert browser.post(reverse("confirm"), form)["Location"] == "/lobby/"


@pytest.mark.always
def test_what_moves_nothing_is_done_at_once(browser: Client, alice: Player, away: Away) -> None:
    away(TEN_MINUTES + SECOND)
    address = f"/admin/players/player/{alice.pk}/freeze/"
    assert browser.post(address, {"reason": "asked us to"}).status_code == 302
    assert JournalEntry.objects.get().verb == "player.freeze"


def test_players_are_never_stopped(alice: Player, away: Away) -> None:
    client = Client()
    sign_in(client, "alice")
    away(timedelta(hours=5))
    form = {"old_password": PASSWORD, "new_password1": "newly 8 long", "new_password2": "x"}
    assert client.post(reverse("change-password"), form).status_code == 422
    assert client.get(reverse("confirm"))["Location"] == "/lobby/"
    assert Client().get(reverse("confirm"))["Location"].startswith(reverse("sign-in"))
