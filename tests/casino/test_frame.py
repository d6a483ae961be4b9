"""What all pages have in common: their policy, their refusals, and the faults of the house."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import ImproperlyConfigured
from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest
from django.test import AsyncClient, Client, RequestFactory
from django.urls import reverse
from django.utils.html import escape

from casino.accounts.models import Player
from casino.accounts.views import staff_sign_in
from casino.office.frame import theme_templates
from casino.web.errors import server_error
from tests.people import HTMX, PASSWORD

SignedIn = Callable[[Player], Client]

# Pages of every kind: for strangers, for players, for staff, and refusals.
PAGES = (
    *("/", "/players/sign-in/", "/players/sign-up/", "/players/profile/", "/players/password/"),
    *("/history/", "/admin/", "/nothing/here/", "/players/sign-out/", "/players/sign-in/?next=%00"),
)


@pytest.fixture
def superuser(db: None) -> Player:
    return Player.objects.create_superuser("superuser", password=PASSWORD)


def policy_of(response: object) -> dict[str, list[str]]:
    header = response.headers["Content-Security-Policy"]  # type: ignore[attr-defined]
    parts = [part.split() for part in header.split(";")]
    return {name: sources for name, *sources in parts}


@pytest.mark.always
def test_a_form_in_no_script_that_can_be_read_is_a_bad_request(stranger: Client) -> None:
    for charset in ("zlib", "rot13", "nothing-known"):
        kind = f"application/x-www-form-urlencoded; charset={charset}"
        answer = stranger.generic("POST", "/players/sign-in/", b"username=alice", content_type=kind)
        assert answer.status_code == 400, charset


# The policy of what a page may load


@pytest.mark.always
def test_every_page_says_what_it_may_load(
    superuser: Player, signed_in: SignedIn, stranger: Client
) -> None:
    for client in (stranger, signed_in(superuser)):
        for address in PAGES:
            response = client.get(address)
            policy = policy_of(response)
            assert policy["default-src"] == policy["form-action"] == ["'self'"], address
            assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"], address
            assert policy["script-src"] == ["'self'"], address
            if not address.startswith("/admin/"):
                # Pages of players have no inline script or style.
                assert "style-src" not in policy
                text = response.text
                assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text), address
                assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text)), address
                assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text), address


def test_the_back_office_loads_no_charts_and_no_letters_that_it_does_not_show(
    superuser: Player, signed_in: SignedIn
) -> None:
    """They were half a megabyte of its first page."""
    page = signed_in(superuser).get("/admin/").text
    assert "unfold/css/styles" in page
    assert "chart.js" not in page
    assert "fonts/inter" not in page


def test_an_update_of_the_theme_that_evaluates_is_refused_by_name() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"search\.html no longer has once"):
        theme_templates.mend("unfold/helpers/search.html", "<input>")


@pytest.mark.always
@pytest.mark.parametrize(
    "address",
    [
        *("/admin/", "/admin/floor/", "/admin/journal/", "/admin/desk/", "/admin/roles/"),
        *("/admin/profiles/new/", "/admin/games/table/", "/admin/tables/new/"),
        *("/admin/players/player/", "/admin/wallets/jackpot/add/", "/admin/games/hand/"),
        "/api/docs/",
    ],
)
def test_no_page_of_the_back_office_has_an_inline_script(
    superuser: Player, signed_in: SignedIn, address: str
) -> None:
    """So a smuggled inline script would not run, there either."""
    response = signed_in(superuser).get(address)
    assert response.status_code == 200
    policy = policy_of(response)
    assert "'unsafe-inline'" not in policy["script-src"]
    scripts = re.findall(r"<script[^>]*>", response.text)
    assert scripts
    assert all("src=" in tag for tag in scripts)
    assert not re.search(r"""<[^>]*\son\w+=|["']javascript:""", response.text)
    if address == "/admin/":
        # It styles its elements, and writes no sheet.
        (nonce,) = re.findall(r'<style[^>]* nonce="([^"]+)"', response.text)
        assert policy["style-src-elem"] == ["'self'", f"'nonce-{nonce}'"]
        assert policy["style-src-attr"] == ["'unsafe-inline'"]


def test_no_copy_of_a_page_is_kept(alice: Player, signed_in: SignedIn) -> None:
    client = signed_in(alice)
    for address in ("/", "/players/profile/", "/nothing/"):
        assert "no-store" in client.get(address).headers["Cache-Control"], address


# What the frame shows to whom


def test_the_frame_shows_each_what_they_may_use(
    alice: Player, superuser: Player, signed_in: SignedIn, stranger: Client
) -> None:
    back_office = reverse("admin:index")
    seen = {
        name: client.get("/").text
        for name, client in {
            "stranger": stranger,
            "alice": signed_in(alice),
            "superuser": signed_in(superuser),
        }.items()
    }
    assert reverse("sign-in") in seen["stranger"]
    assert reverse("sign-out") not in seen["stranger"]
    assert reverse("sign-out") in seen["alice"]
    assert back_office not in seen["stranger"] + seen["alice"]
    assert back_office in seen["superuser"]


def test_a_page_can_be_used_without_a_mouse(stranger: Client) -> None:
    text = stranger.get("/").text
    assert text.index('class="skip" href="#main"') < text.index("<header")
    assert '<main id="main"' in text
    assert re.search(r'<div id="messages"[^>]*role="status"[^>]*aria-live="polite"', text)


# Refusals


def test_a_name_in_a_page_is_text(stranger: Client, signed_in: SignedIn) -> None:
    """Such a name is refused everywhere; even if one were stored, it would do no harm."""
    player = Player.objects.create_user("<b>x</b>")
    assert "<b>x</b>" not in signed_in(player).get("/").text


def test_a_refusal_is_a_page_with_its_code(alice: Player, signed_in: SignedIn) -> None:
    client = signed_in(alice)
    for method, address, status, code in (
        ("get", "/nothing/", 404, "not_found"), ("post", "/players/look/", 400, "bad_request"),
        ("get", "/players/sign-out/", 405, "wrong_method"),
        ("get", "/admin/login/", 403, "forbidden"),
    ):  # fmt: skip
        page = getattr(client, method)(address)
        assert page.status_code == status, address
        for words in (f"{status} · {code}", "<header", "alice"):
            assert words in page.text, (address, words)
        part = getattr(client, method)(address, headers=HTMX)
        assert part.status_code == status
        assert part.headers["HX-Retarget"] == "#messages"
        assert part.text.startswith('<p class="message error"')


def test_a_program_is_refused_in_json(stranger: Client) -> None:
    response = stranger.get("/api/nothing/")
    assert response.status_code == 404
    assert json.loads(response.text) == {
        "code": "not_found",
        "sentence": "The table may have closed, or the link is not complete.",
    }


@pytest.mark.always
def test_a_form_without_its_token_changes_nothing(alice: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    form = {"username": "alice", "password": PASSWORD}
    for headers in ({}, HTMX):
        response = client.post(reverse("sign-in"), form, headers=headers)
        assert response.status_code == 403
        assert "This page was open too long" in response.text
        assert "sessionid" not in client.cookies


def test_an_unknown_host_is_refused(stranger: Client) -> None:
    response = stranger.get("/", headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert "This request could not be read" in response.text


# A session that has ended


@pytest.mark.always
def test_a_part_of_a_page_leads_to_the_sign_in_and_back(stranger: Client) -> None:
    headers = HTMX | {"HX-Current-URL": "http://testserver/tables/7/?rules=1"}
    response = stranger.get(reverse("profile"), headers=headers)
    assert response.status_code == 401
    assert response.content == b""
    address = urlsplit(response.headers["HX-Redirect"])
    assert address.path == reverse("sign-in")
    assert parse_qs(address.query)["next"] == ["/tables/7/?rules=1"]
    page = stranger.get(response.headers["HX-Redirect"])
    assert "Your session has ended." in page.text


def test_the_back_office_has_no_sign_in_of_its_own(rf: RequestFactory) -> None:
    request = rf.get("/admin/login/")
    request.user = AnonymousUser()
    assert staff_sign_in(request)["Location"] == "/players/sign-in/?next=%2Fadmin%2F"


def test_sign_in_never_returns_to_another_site(stranger: Client) -> None:
    for elsewhere in ("https://evil.example/x", "//evil.example", "", "\x01"):
        headers = HTMX | {"HX-Current-URL": elsewhere}
        response = stranger.get(reverse("profile"), headers=headers)
        query = urlsplit(response.headers["HX-Redirect"]).query
        assert parse_qs(query)["next"] == [reverse("lobby")], elsewhere


def test_a_form_leads_back_to_the_page_it_stood_on(stranger: Client) -> None:
    response = stranger.post(
        reverse("change-password"), headers={"Referer": "http://testserver/players/profile/"}
    )
    query = urlsplit(response.headers["Location"]).query
    assert parse_qs(query) == {"next": ["/players/profile/"], "ended": ["1"]}


# Faults of the house


def _refuse(*_args: object, **_kwargs: object) -> None:
    raise OperationalError("server closed the connection unexpectedly")


@contextmanager
def database_gone() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "cursor", _refuse)
        # Statements that are prepared have a cursor of their own.
        patch.setattr(BaseDatabaseWrapper, "make_cursor", _refuse)
        yield


@pytest.fixture
def patient(alice: Player) -> Client:
    """Alice's browser, which sees what a browser sees of a fault."""
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    return client


def gone(response: object) -> bool:
    assert response.status_code == HTTPStatus.SERVICE_UNAVAILABLE  # type: ignore[attr-defined]
    assert response.headers["Retry-After"] == "10"  # type: ignore[attr-defined]
    assert policy_of(response)["default-src"] == ["'self'"]
    return "what you sent counts only if" in response.text  # type: ignore[attr-defined]


def test_a_page_without_the_database_says_so(patient: Client) -> None:
    with database_gone():
        assert gone(patient.get("/"))
        assert gone(patient.get("/players/profile/"))
        assert gone(patient.get("/nothing/"))
        part = patient.get("/players/profile/", headers=HTMX)
    assert gone(part)
    assert part.headers["HX-Retarget"] == "#messages"
    assert patient.get("/players/profile/").status_code == 200


def test_an_asynchronous_server_says_so_too(alice: Player) -> None:
    client = AsyncClient(raise_request_exception=False)
    client.force_login(alice)
    with database_gone():
        response = async_to_sync(client.get)("/players/profile/")
    assert gone(response)


@pytest.mark.always
def test_sign_in_fails_if_the_session_cannot_be_stored(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The password is right, but the session that would say so cannot be stored."""
    client = Client(raise_request_exception=False)
    monkeypatch.setattr(SessionStore, "save", _refuse)
    response = client.post(reverse("sign-in"), {"username": "alice", "password": PASSWORD})
    assert gone(response)
    assert "sessionid" not in client.cookies


def test_a_sign_up_that_could_not_be_stored_can_be_tried_again(stranger: Client) -> None:
    form = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    stranger.raise_request_exception = False
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(Player, "save", _refuse)
        assert gone(stranger.post(reverse("sign-up"), form))
    assert not Player.objects.exists()
    assert stranger.post(reverse("sign-up"), form).status_code == 302


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (OperationalError("gone"), 503, "database_gone"),
        (InterfaceError("connection already closed"), 503, "database_gone"),
        (ValueError("a mistake of ours"), 500, "fault"),
    ],
)
def test_a_fault_is_reported_to_programs_in_json(fault: Exception, status: int, code: str) -> None:
    response = _during(fault, RequestFactory().post("/api/tables/1/act/"))
    assert response.status_code == status
    assert json.loads(response.content)["code"] == code


def test_any_other_fault_tells_nothing_of_itself() -> None:
    response = _during(ValueError("secret detail"), RequestFactory().get("/"))
    assert response.status_code == 500
    assert "Something went wrong on our side" in response.text
    assert "secret detail" not in response.text


def _during(fault: Exception, request: HttpRequest):
    try:
        raise fault
    except Exception:
        return server_error(request)


# Parts that are made once


def test_a_part_that_is_made_once_keeps_nothing_of_its_reader(db: None) -> None:
    for name, theme, language in (("one", "dark", "en"), ("two", "light", "zh-hans")):
        client = Client(enforce_csrf_checks=True)
        client.cookies.load({"theme": theme, "django_language": language})
        for address in (f"/lobby/?from={name}", "/lobby/?from=%22%3E<b>"):
            page = client.get(address).text
            (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page))
            sent = {"csrfmiddlewaretoken": token, "theme": theme, "next": "/"}
            assert client.post("/players/look/", sent).status_code == 302
            (written,) = set(re.findall(r'name="next" value="([^"]*)"', page))
            assert written == escape(client.get(address).wsgi_request.get_full_path())
            assert f'value="{theme}" aria-pressed="true"' in page
            assert (">大厅</a>" in page) == (language == "zh-hans")
            assert '<a href="/lobby/" aria-current="page">' in page
        assert 'aria-current="page"' not in client.get("/rules/").text
