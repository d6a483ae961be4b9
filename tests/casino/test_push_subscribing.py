"""Who is called back: the browsers that a player names, and where the house does not send to."""

import socket
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from casino.accounts import freezing
from casino.accounts.models import Device
from casino.care import exclusions, own_data
from casino.care.models import Exclusion
from casino.community.push import sending, tasks
from casino.community.push.models import Subscription
from casino.community.push.subscribing import BROWSERS_MAX
from casino.ops import environment
from casino.ops.outbox import is_public
from tests.casino.browsers import sign_in
from tests.casino.push_scene import ADDRESS, CONTACT, Called
from tests.casino.push_service import (
    Browser,
    PushService,
    text_of,
)
from tests.games.house import House
from tests.people import client_of
from wallets.values.errors import Refused

# Subscribing


def test_a_player_switches_it_on_and_off(house: House, service: PushService) -> None:
    house.player("alice")
    client, browser = client_of(house.person("alice")), service.browser("alice")
    page = client.get("/").text
    assert f'data-push="{sending.public_key()}" hidden' in page
    assert client.post(ADDRESS, browser.fields).status_code == 204
    row = Subscription.objects.get()
    assert (row.endpoint, row.language) == (browser.endpoint, "en")
    assert "data-on hidden" in client.get("/").text
    # Pressed again, or with a new address: still one.
    browser.endpoint += "-new"
    assert client.post(ADDRESS, browser.fields).status_code == 204
    assert Subscription.objects.get().endpoint == browser.endpoint
    assert client.post(ADDRESS, {"do": "off"}).status_code == 204
    assert not Subscription.objects.exists()
    assert "data-on" not in client.get("/").text


@pytest.mark.always
def test_a_worker_renews_what_was_switched_on_and_nothing_else(
    house: House, service: PushService
) -> None:
    house.player("alice")
    client, browser = client_of(house.person("alice")), service.browser("alice")
    refused = client.post(ADDRESS, {"do": "renew", **browser.fields})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_subscribed")
    client.post(ADDRESS, browser.fields)
    browser.endpoint += "-new"
    assert client.get(ADDRESS).json().keys() == {"key", "token"}
    assert client.post(ADDRESS, {"do": "renew", **browser.fields}).status_code == 204
    assert Subscription.objects.get().endpoint == browser.endpoint


def test_a_browser_is_called_for_whoever_used_it_last(house: House, service: PushService) -> None:
    for name in ("alice", "bob"):
        house.player(name)
        fields = service.browser("shared").fields
        assert client_of(house.person(name)).post(ADDRESS, fields).status_code == 204
    assert Subscription.objects.get().device.player.username == "bob"


def test_nobody_else_is_offered_it(house: House, push: Any, client: Client) -> None:
    house.player("alice")
    staff = house.player("boss")
    staff.is_staff = True
    staff.save()
    assert client.get(ADDRESS).status_code == 302
    assert client_of(staff).get(ADDRESS).status_code == 404
    assert client_of(house.person("alice")).put(ADDRESS).status_code == 405


def test_a_house_that_has_it_off_offers_and_sends_nothing(called: Called, push: Any) -> None:
    for name, off in (("PUSH", False), ("PUSH_CONTACT", ""), ("PUSH_KEY", "")):
        before = getattr(push, name)
        setattr(push, name, off)
        assert "data-push" not in called.client.get("/").text, name
        assert called.client.post(ADDRESS, called.browser.fields).status_code == 404, name
        tasks.call_players()
        assert not called.service.received, name
        setattr(push, name, before)


GOOD: Final = Browser("https://push.example/send/1").fields
LONG: Final = "https://push.example/" + "a" * 1_100


NO_ADDRESS: Final = (
    "", "http://push.example/1", "https://localhost/1", "https://push.localhost2/1",
    "https://127.0.0.1/1", "https://2130706433/1", "https://0x7f.1/1", "https://[::1]/1",
    "https://[::ffff:10.0.0.1]/1", "https://10.1.2.3/1", "https://192.168.0.1/1",
    "https://169.254.169.254/latest/meta-data/", "https://intranet/1",
    "https://push.example:8443/1", "https://user:secret@push.example/1",
    "https://push.example/1#part", "https://push.example/a b", "https://push.example/é",
    "https://[broken/1", "ftp://push.example/1", LONG,
)  # fmt: skip
WRONG: Final = {
    "endpoint": NO_ADDRESS,
    "p256dh": ("", "x", text_of(bytes(65)), "A" * 101),
    "auth": ("", text_of(bytes(15)), text_of(bytes(17)), "%%"),
}


def test_what_no_browser_gives_is_refused(house: House, push: Any) -> None:
    client = client_of(house.player("alice"))
    for field, values in WRONG.items():
        for value in values:
            answer = client.post(ADDRESS, GOOD | {field: value})
            assert answer.status_code == 409, value
            assert answer.json()["code"] == "bad_subscription", value
    assert not Subscription.objects.exists()
    assert client.post(ADDRESS, GOOD).status_code == 204


def test_ten_browsers_are_enough(house: House, service: PushService) -> None:
    alice = house.player("alice")
    clients = [client_of(alice) for _ in range(BROWSERS_MAX + 1)]
    for number, client in enumerate(clients):
        # Each browser has the cookie of its own device.
        client.get("/")
        answer = client.post(ADDRESS, service.browser(str(number)).fields)
        assert answer.status_code == (204 if number < BROWSERS_MAX else 409)
    assert Subscription.objects.count() == BROWSERS_MAX
    # One whose session has run out makes way.
    Device.objects.filter(pk=Subscription.objects.earliest("pk").device_id).update(session_key="")
    assert clients[-1].post(ADDRESS, service.browser("last").fields).status_code == 204
    assert Subscription.objects.count() == BROWSERS_MAX


def _exclude(called: Called) -> None:
    exclusions.begin(called.house.person("alice"), Exclusion.Kind.TIME_OUT, 1, called.house.now)


def _erase(called: Called) -> None:
    for forget in own_data.forgetting:
        forget(called.house.person("alice"))


def _freeze(called: Called) -> None:
    boss = called.house.player("boss")
    boss.is_superuser = True
    boss.save()
    freezing.freeze(boss, called.house.person("alice").pk, "a test")


def _end_elsewhere(called: Called) -> None:
    other = client_of(called.house.person("alice"))
    other.get("/")
    other.post("/players/devices/", {"others": "1"})


ENDINGS: Final[dict[str, Callable[[Called], object]]] = {
    "signing out": lambda called: called.client.post("/players/sign-out/"),
    "signed out from another device": _end_elsewhere,
    "exclusion": _exclude,
    "erasure": _erase,
    "a freeze": _freeze,
    "switching off": lambda called: called.client.post(ADDRESS, {"do": "off"}),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_it_ends_with(called: Called, ending: str) -> None:
    ENDINGS[ending](called)
    assert not Subscription.objects.exists()
    assert called.call() == []


def test_a_session_that_has_run_out_is_called_no_more_until_its_player_is_back(
    called: Called,
) -> None:
    client = Client()
    sign_in(client, "alice", "a password for tests")
    client.post(ADDRESS, called.browser.fields)
    Session.objects.all().delete()
    Device.objects.update(session_key="")
    assert called.call() == []
    sign_in(client, "alice", "a password for tests")
    assert "data-on" in client.get("/").text
    assert len(called.call()) == 1


def test_it_is_in_the_players_file(called: Called) -> None:
    called.call()
    (row,) = own_data.PARTS["notifications"](called.house.person("alice"))
    assert str(row["service"]).startswith("127.0.0.1:")
    assert row["last_delivery"]
    assert called.browser.fields["auth"] not in str(row)


# Where a name leads


PUBLIC: Final = ("8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808")
INSIDE: Final = (
    "127.0.0.1", "10.0.0.1", "100.64.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1", "::1",
    "fe80::1%eth0", "fd00::1", "::ffff:192.168.0.1", "2002:0a00:0001::1", "64:ff9b::a00:1",
)  # fmt: skip


def test_an_address_is_of_the_internet_or_not() -> None:
    assert [address for address in (*PUBLIC, *INSIDE) if is_public(address)] == [*PUBLIC]


@pytest.mark.always
def test_a_name_that_leads_inside_is_not_connected_to(
    called: Called, push: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    push.PUSH_TEST_CERTIFICATE = ""
    inside = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))
        for address in ("8.8.8.8", "::1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: inside)
    connected = []
    monkeypatch.setattr(socket, "create_connection", lambda *where: connected.append(where))
    row = Subscription.objects.get()
    row.endpoint = "https://push.example/1"
    row.save()
    assert called.call() == []
    assert connected == []


# What the operator sets


def test_a_contact_is_an_address_that_somebody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "https://club.example/contact"
    for given, read in (
        ("", ""),
        ("house@club.example", CONTACT),
        (CONTACT, CONTACT),
        (page, page),
    ):
        monkeypatch.setenv("PUSH_CONTACT", given)
        assert environment.contact("PUSH_CONTACT") == read


def test_a_wrong_contact_or_key_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_CONTACT", "the manager")
    with pytest.raises(ImproperlyConfigured, match="PUSH_CONTACT"):
        environment.contact("PUSH_CONTACT")
    monkeypatch.setenv("PUSH_KEY", "short")
    with pytest.raises(ImproperlyConfigured, match="PUSH_KEY"):
        environment.push_key()
    monkeypatch.setenv("PUSH_KEY", "")
    assert environment.push_key() == ""


def test_a_refusal_is_a_sentence() -> None:
    with pytest.raises(Refused, match="cannot send notifications to this browser"):
        sending.check("", "", "")
