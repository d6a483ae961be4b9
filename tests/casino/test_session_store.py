"""Sessions in the database: nothing that is stored opens one, and they go on as ever."""

import base64
import secrets
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.conf import settings as site
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client
from django.utils import timezone

from casino.players import devices
from casino.players.models import Device, Player
from casino.players.session_store import SessionStore, stored_key
from casino.players.tasks import forget_sessions
from tests.casino.browsers import name_of, sign_in
from wallets import resealing

MIGRATION = "casino.players.migrations.0013_sessions_under_a_hash"


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
    data = Session.objects.get().session_data
    with pytest.raises(signing.BadSignature):
        signing.loads(data, salt=SessionStore().key_salt)
    assert SESSION_KEY in SessionStore().decode(data)


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


def older_session(player: Player) -> str:
    """A session as Django stores it: its key can be read."""
    session = db.SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = (
        str(player.pk),
        site.AUTHENTICATION_BACKENDS[1],
    )
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    session.save()
    assert session.session_key
    return session.session_key


def test_whoever_was_signed_in_before_an_upgrade_still_is(alice: Player, bob: Player) -> None:
    keys = {name: older_session(player) for name, player in (("alice", alice), ("bob", bob))}
    now = timezone.now()
    Device.objects.create(
        player=alice, digest="a", session_key=keys["alice"], signed_in_at=now, seen_at=now
    )
    import_module(MIGRATION).hide(apps, None)
    stored = {one.session_key for one in Session.objects.all()}
    assert stored == {stored_key(key) for key in keys.values()}
    assert [name_of(browser_with(key)) for key in keys.values()] == list(keys)
    assert devices.end_everywhere(alice) == 1
    assert name_of(browser_with(keys["alice"])) == ""
