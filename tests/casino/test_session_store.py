"""Sessions in the database: nothing that is stored opens one, and they go on as ever."""

import base64
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as site
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts import devices, freezing, stream_sign_ins
from casino.accounts.models import Device, Player
from casino.accounts.session_store import SessionStore, stored_key, values_of
from casino.accounts.tasks import forget_sessions
from tests.casino.browsers import name_of, sign_in
from tests.people import PASSWORD, client_of
from wallets.storage import sealed_columns

OTHER = "another way to the river"


def browser_with(key: str) -> Client:
    browser = Client()
    browser.cookies[site.SESSION_COOKIE_NAME] = key
    return browser


def signed_in() -> tuple[Client, str]:
    """A browser in which alice has signed in, and the key in its cookie."""
    browser = Client()
    sign_in(browser, "alice")
    return browser, browser.cookies[site.SESSION_COOKIE_NAME].value


def test_the_stored_key_opens_no_session(alice: Player) -> None:
    _browser, key = signed_in()
    stored = Session.objects.get().session_key
    assert stored == Device.objects.get().session_key == stored_key(key) != key
    assert name_of(browser_with(key)) == "alice"
    assert name_of(browser_with(stored)) == ""
    assert async_to_sync(SessionStore(stored).aload)() == {}
    assert async_to_sync(SessionStore(key).aload)()[SESSION_KEY] == str(alice.pk)


def test_what_a_session_holds_cannot_be_read(alice: Player) -> None:
    signed_in()
    row = Session.objects.get()
    with pytest.raises(signing.BadSignature):
        signing.loads(row.session_data, salt=SessionStore().key_salt)
    assert SESSION_KEY in values_of(row)


@pytest.mark.always
def test_a_session_that_is_copied_or_renamed_signs_nobody_in(alice: Player) -> None:
    """Neither the contents under another key, nor the whole row."""
    boss = Player.objects.create_superuser("boss")
    mine, key = signed_in()
    other = client_of(boss)
    whole = Session.objects.get(session_key=stored_key(other.cookies["sessionid"].value))
    row = Session.objects.filter(session_key=stored_key(key))
    own, ends = row.get().session_data, row.get().expire_date
    assert row.update(session_data=whole.session_data) == 1
    assert name_of(mine) == ""
    Session.objects.filter(session_key=stored_key(key)).delete()
    Session.objects.filter(pk=whole.pk).update(session_key=stored_key(key))
    assert name_of(browser_with(key)) == ""
    Session.objects.filter(session_key=stored_key(key)).update(session_data=own, expire_date=ends)
    assert name_of(browser_with(key)) == "alice"


def test_a_late_answer_to_an_earlier_session_takes_no_cookie(alice: Player) -> None:
    """The browser may have another session's cookie by then, which it would forget."""
    browser, key = signed_in()
    SessionStore().delete(key)
    late = browser_with(key)
    assert name_of(late) == ""
    assert late.cookies[site.SESSION_COOKIE_NAME].value == key
    # Who signs out means it: no cookie is left.
    sign_in(browser, "alice")
    assert name_of(browser) == "alice"
    browser.post(reverse("sign-out"))
    assert browser.cookies[site.SESSION_COOKIE_NAME].value == ""
    assert not Session.objects.exists()


def test_a_session_cannot_be_made_to_last(alice: Player) -> None:
    _browser, key = signed_in()
    rows = Session.objects.filter(session_key=stored_key(key))
    ends = rows.get().expire_date
    rows.update(expire_date=ends + timedelta(days=365))
    assert name_of(browser_with(key)) == ""
    rows.update(expire_date=ends)
    assert name_of(browser_with(key)) == "alice"


def _signs_out(client: Client, _alice: Player) -> None:
    client.post(reverse("sign-out"))


def _changes_password(client: Client, _alice: Player) -> None:
    form = {"old_password": PASSWORD, "new_password1": OTHER, "new_password2": OTHER}
    assert client.post(reverse("change-password"), form).status_code == 302


def _signs_in_again(client: Client, _alice: Player) -> None:
    """In the same browser, which has lost the session's cookie."""
    del client.cookies[site.SESSION_COOKIE_NAME]
    sign_in(client, "alice")


def _is_frozen_for_a_while(_client: Client, alice: Player) -> None:
    boss = Player.objects.create_superuser("boss")
    freezing.freeze(boss, alice.pk, "a quarrel", until=timezone.now() - timedelta(seconds=1))
    freezing.end_expired(timezone.now())


def _is_signed_out_by_staff(_client: Client, alice: Player) -> None:
    freezing.end_sessions(Player.objects.create_superuser("boss"), alice.pk, "lost the phone")


def _ends_the_others(_client: Client, _alice: Player) -> None:
    elsewhere, _key = signed_in()
    elsewhere.post(reverse("devices"), {"others": "1"})


@pytest.mark.always
@pytest.mark.parametrize(
    "ending",
    [
        _signs_out,
        _changes_password,
        _signs_in_again,
        _is_frozen_for_a_while,
        _is_signed_out_by_staff,
        _ends_the_others,
    ],
)
def test_a_session_that_ended_is_not_opened_by_its_row(
    alice: Player, ending: Callable[[Client, Player], None]
) -> None:
    """Somebody has kept the row and the cookie, and inserts the row again."""
    browser, key = signed_in()
    kept = Session.objects.get()
    ending(browser, alice)
    assert not Session.objects.filter(pk=kept.pk).exists()
    kept.save(force_insert=True)
    assert name_of(browser_with(key)) == ""
    assert stream_sign_ins.SignIns().viewer_of(f"session:{kept.pk}") is None


def test_a_session_without_its_key_is_none(alice: Player, settings: Any) -> None:
    """Where a sealing key was removed too early, people sign in again."""
    browser, _key = signed_in()
    settings.SEALING_KEYS = [base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()]
    assert name_of(browser) == ""
    assert sign_in(browser, "alice").status_code == 302


def test_sessions_outlive_their_sealing_key(alice: Player, settings: Any) -> None:
    browser, _key = signed_in()
    new = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
    settings.SEALING_KEYS = [new, *settings.SEALING_KEYS]
    sealed_columns.reseal(lambda _done: None)
    settings.SEALING_KEYS = [new]
    assert name_of(browser) == "alice"


def test_devices_are_listed_and_ended_by_the_stored_key(alice: Player) -> None:
    here, _key = signed_in()
    there, _key = signed_in()
    assert len(devices.sessions_of(alice)) == 2
    own = devices.here(there.get("/").wsgi_request)
    assert devices.end_everywhere(alice, but=own) == 1
    assert (name_of(here), name_of(there)) == ("", "alice")


def test_sessions_that_have_run_out_are_deleted(alice: Player) -> None:
    browser, key = signed_in()
    _other, ended = signed_in()
    past = timezone.now() - timedelta(seconds=1)
    Session.objects.filter(session_key=stored_key(ended)).update(expire_date=past)
    assert forget_sessions() == 1
    assert [session.session_key for session in Session.objects.all()] == [stored_key(key)]
    assert name_of(browser) == "alice"
