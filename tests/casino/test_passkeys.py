"""Passkeys: both factors in one, bound to this house, this browser's question and this moment."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts import freezing
from casino.accounts.models import Passkey, Player
from casino.accounts.staff import appoint
from tests.casino.authenticators import app_code, enrolled
from tests.casino.browsers import SignedIn, name_of, sign_in
from tests.casino.soft_passkey import FLAG, Phone, add, options, sign_in_by
from tests.people import PASSWORD, client_of
from wallets.models.staff_models import JournalEntry


@pytest.fixture
def phone(alice: Player, signed_in: SignedIn) -> Phone:
    """One that holds a passkey of alice."""
    phone = Phone()
    add(signed_in(alice), phone, password=PASSWORD)
    assert Passkey.objects.get().player == alice
    return phone


@pytest.fixture
def manager(db: None, settings: Any) -> Player:
    """In a house in front of players."""
    settings.STAFF_CODES = True
    player = Player.objects.create_user("mona", password=PASSWORD)
    appoint(player, "managers")
    return player


@pytest.mark.always
def test_a_passkey_signs_its_owner_in(phone: Phone, stranger: Client) -> None:
    assert 'data-to="/players/sign-in/passkey/"' in stranger.get(reverse("sign-in")).text
    answer = sign_in_by(stranger, phone, next="/wallet/")
    assert answer["Location"] == "/wallet/"
    assert name_of(stranger) == "alice"
    shown = stranger.get(reverse("passkeys"))
    assert Passkey.objects.get().label in shown.text
    assert Passkey.objects.get().used_at is not None
    # The password is as good as before.
    assert sign_in(Client(), "alice")["Location"] == reverse("lobby")
    stranger.post(reverse("passkeys"), {"remove": str(Passkey.objects.get().pk)})
    sign_in_by(Client(), phone)
    assert not Passkey.objects.exists()


def test_it_leads_to_no_other_site(phone: Phone, stranger: Client) -> None:
    answer = sign_in_by(stranger, phone, next="https://evil.example/")
    assert answer["Location"] == reverse("lobby")


def another_challenge(phone: Phone, client: Client) -> str:
    sent = phone.signs(options(client, "sign-in"))
    options(client, "sign-in")
    return sent


def another_browser(phone: Phone, client: Client) -> str:
    return phone.signs(options(Client(), "sign-in"))


def used_before(phone: Phone, client: Client) -> str:
    sent = phone.signs(options(client, "sign-in"))
    client.post(reverse("passkey-sign-in"), {"credential": sent})
    client.post(reverse("sign-out"))
    return sent


def changed(**values: Any) -> Callable[[Phone, Client], str]:
    def sent(phone: Phone, client: Client) -> str:
        for name, value in values.items():
            setattr(phone, name, value)
        return phone.signs(options(client, "sign-in"))

    return sent


def rewritten(change: Callable[[dict[str, Any]], object]) -> Callable[[Phone, Client], str]:
    def sent(phone: Phone, client: Client) -> str:
        values = json.loads(phone.signs(options(client, "sign-in")))
        change(values)
        return json.dumps(values)

    return sent


def plain(text: str) -> Callable[[Phone, Client], str]:
    def sent(_phone: Phone, client: Client) -> str:
        options(client, "sign-in")
        return text

    return sent


@pytest.mark.parametrize(
    "sent",
    [
        another_challenge,
        another_browser,
        used_before,
        changed(origin="https://evil.example"),
        changed(origin="http://testserver"),
        changed(house="evil.example"),
        changed(flags=FLAG.UP),
        changed(flags=FLAG.UV),
        changed(key=Phone().key),
        changed(name=Phone().name),
        rewritten(lambda values: values.pop("response")),
        rewritten(lambda values: values["response"].update(signature="AAAA")),
        rewritten(lambda values: values["response"].update(authenticatorData="AA")),
        rewritten(lambda values: values.update(id=7)),
        rewritten(lambda values: values.update(id=["a"])),
        rewritten(lambda values: values.update(rawId="AAAA")),
        plain(""),
        plain("[]"),
        plain("[" * 10_000),
        plain('"' + "a" * 30_000 + '"'),
    ],
)
def test_nothing_else_does(
    phone: Phone, stranger: Client, sent: Callable[[Phone, Client], str]
) -> None:
    credential = sent(phone, stranger)
    answer = stranger.post(reverse("passkey-sign-in"), {"credential": credential}, follow=True)
    assert "This passkey was not accepted." in answer.text
    assert name_of(stranger) == ""


@pytest.mark.always
def test_a_challenge_is_valid_for_minutes(
    phone: Phone, stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = phone.signs(options(stranger, "sign-in"))
    late = timezone.now() + timedelta(minutes=6)
    monkeypatch.setattr(timezone, "now", lambda: late)
    stranger.post(reverse("passkey-sign-in"), {"credential": sent})
    assert name_of(stranger) == ""


def test_a_copy_of_a_key_that_counts_is_noticed(alice: Player, signed_in: SignedIn) -> None:
    phone = Phone(counts=True)
    add(signed_in(alice), phone, password=PASSWORD)
    for number in (1, 2):
        client = Client()
        sign_in_by(client, phone)
        assert (name_of(client), Passkey.objects.get().sign_count) == ("alice", number)
    phone.counter, client = 0, Client()
    sign_in_by(client, phone)
    assert name_of(client) == ""


@pytest.mark.always
def test_a_frozen_player_is_told_so(phone: Phone, stranger: Client) -> None:
    Player.objects.update(is_active=False)
    answer = sign_in_by(stranger, phone)
    assert "Your account is frozen." in stranger.get(answer["Location"]).text
    assert name_of(stranger) == ""


def test_adding_one_takes_the_password_or_a_code(alice: Player, signed_in: SignedIn) -> None:
    client, phone = signed_in(alice), Phone()
    assert client.post(reverse("passkey-options"), {"for": "add"}).status_code == 400
    assert client.get(reverse("add-passkey"))["Location"] == reverse("passkeys")
    assert client.post(reverse("passkeys"), {"password": "wrong"}).status_code == 422
    assert AccessAttempt.objects.get().failures_since_start == 1
    assert client.get(reverse("add-passkey")).status_code == 302
    enrolled(alice)
    assert client.post(reverse("passkeys"), {"password": PASSWORD}).status_code == 422
    assert add(client, phone, code=app_code(alice))["Location"] == reverse("passkeys")
    # Once.
    assert client.get(reverse("add-passkey")).status_code == 302


def test_a_passkey_is_one_players(phone: Phone, bob: Player, signed_in: SignedIn) -> None:
    answer = add(signed_in(bob), phone, password=PASSWORD)
    assert answer.status_code == 422
    assert not bob.passkeys.exists()


@pytest.mark.always
def test_one_that_asks_for_no_finger_is_not_added(alice: Player, signed_in: SignedIn) -> None:
    answer = add(signed_in(alice), Phone(flags=FLAG.UP), password=PASSWORD)
    assert answer.status_code == 422
    assert not Passkey.objects.exists()


# Staff


@pytest.mark.always
def test_staff_sign_in_by_a_passkey_alone(manager: Player, stranger: Client) -> None:
    phone = Phone()
    # At the first sign-in, in place of codes.
    sign_in(stranger, "mona", next="/admin/")
    page = stranger.get(reverse("set-up-codes", query={"next": "/admin/"}))
    assert reverse("add-passkey") in page.text
    sent = phone.makes(options(stranger, "add"))
    answer = stranger.post(reverse("add-passkey"), {"credential": sent, "next": "/admin/"})
    assert answer["Location"] == "/admin/"
    assert stranger.get("/admin/").status_code == 200
    later = Client()
    assert sign_in_by(later, phone)["Location"] == "/admin/"
    assert later.get("/admin/").status_code == 200


def test_after_the_password_staff_need_theirs(manager: Player, stranger: Client) -> None:
    phone = Phone()
    sign_in(stranger, "mona")
    stranger.post(reverse("add-passkey"), {"credential": phone.makes(options(stranger, "add"))})
    thief = Client()
    assert sign_in(thief, "mona")["Location"].startswith(reverse("sign-in-code"))
    assert name_of(thief) == ""
    # The password sets up neither codes nor another passkey.
    assert thief.get(reverse("set-up-codes"))["Location"].startswith(reverse("sign-in"))
    assert thief.post(reverse("passkey-options"), {"for": "add"}).status_code == 400
    assert thief.get(reverse("add-passkey")).status_code == 302
    page = thief.get(reverse("sign-in-code"))
    assert 'name="code"' not in page.text
    assert thief.post(reverse("sign-in-code"), {"code": "123456"}).status_code == 422
    sign_in_by(thief, phone)
    assert name_of(thief) == "mona"
    # The last one stays, until there are codes.
    thief.post(reverse("passkeys"), {"remove": str(Passkey.objects.get().pk)})
    assert Passkey.objects.exists()


def test_a_colleague_resets_lost_ones(manager: Player, stranger: Client) -> None:
    phone = Phone()
    sign_in(stranger, "mona")
    stranger.post(reverse("add-passkey"), {"credential": phone.makes(options(stranger, "add"))})
    assert name_of(stranger) == "mona"
    boss = Player.objects.create_user("max", password=PASSWORD)
    appoint(boss, "managers")
    freezing.forget_codes(boss, manager.pk, "she lost her phone")
    assert JournalEntry.objects.latest("position").verb == "player.forget_codes"
    assert not Passkey.objects.exists()
    assert name_of(stranger) == ""


def test_a_house_without_passkeys_offers_none(phone: Phone, alice: Player, settings: Any) -> None:
    page = client_of(alice)
    addresses = [reverse(name) for name in ("passkeys", "add-passkey")]
    assert [page.get(address).status_code for address in addresses] == [200, 302]
    # Browsers bind them to a domain: an address of numbers has none.
    settings.ALLOWED_HOSTS = ["*"]
    for host in ("127.0.0.1:8000", "[::1]"):
        assert page.get(addresses[0], headers={"host": host}).status_code == 404
    settings.PASSKEYS = False
    assert [page.get(address).status_code for address in addresses] == [404, 404]
    assert "passkey" not in Client().get(reverse("sign-in")).text.partition("<main")[2]
