"""Sessions in the database: nothing that is stored opens one, and they go on as ever."""

import base64
import secrets
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as site
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client
from django.utils import timezone

from casino.accounts import devices
from casino.accounts.models import Device, Player
from casino.accounts.session_store import SessionStore, stored_key, values_of
from casino.accounts.tasks import forget_sessions
from tests.casino.browsers import name_of, sign_in
from tests.people import client_of
from wallets.storage import resealing


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


def test_a_session_cannot_be_made_to_last(alice: Player) -> None:
    _browser, key = signed_in()
    rows = Session.objects.filter(session_key=stored_key(key))
    ends = rows.get().expire_date
    rows.update(expire_date=ends + timedelta(days=365))
    assert name_of(browser_with(key)) == ""
    rows.update(expire_date=ends)
    assert name_of(browser_with(key)) == "alice"


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
    resealing.reseal(lambda _done: None)
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
    assert [one.session_key for one in Session.objects.all()] == [stored_key(key)]
    assert name_of(browser) == "alice"
