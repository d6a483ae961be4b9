"""Where a player is signed in: listed, ended by themselves or by staff, and told apart."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts import codes, sign_ins
from casino.accounts.devices import in_words
from casino.accounts.models import AccessToken, Device, Player
from casino.accounts.tasks import forget_devices
from tests.casino.authenticators import enrolled
from tests.casino.browsers import SignedIn, name_of, sign_in
from tests.people import HTMX, PASSWORD, by_staff
from wallets.models.staff_models import JournalEntry

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
)
DEVICES = "/players/devices/"
Appointed = Callable[[str], Player]


def come(name: str, agent: str = FIREFOX, address: str = "203.0.113.5") -> Client:
    client = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=address)
    assert sign_in(client, name).status_code == 302
    return client


def token_for(name: str) -> str:
    body = {"name": name, "password": PASSWORD}
    client = Client(HTTP_USER_AGENT="python-requests/2.32.5")
    answer = client.post(reverse("api-sign-in"), body, "application/json")
    token: str = answer.json()["token"]
    return token


def status_with(token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return Client().get("/api/v1/wallet/", headers=headers).status_code


def test_a_device_is_named_as_its_owner_knows_it() -> None:
    for agent, words in (
        (FIREFOX, "Firefox on Linux"), (IPHONE, "Safari on iPhone"), (EDGE, "Edge on Windows"),
        ("python-requests/2.32.5", "The program python-requests"),
        ("curl/8.5.0", "The program curl"), ("", "Unknown device"),
        ("Mozilla/5.0", "Unknown device"), ("<script>alert(1)</script>", "Unknown device"),
        ("x" * 10_000, "The program " + "x" * 31),
    ):  # fmt: skip
        assert in_words(agent) == words


# One's own


def test_every_place_is_listed_this_one_first(alice: Player) -> None:
    assert Client().get(DEVICES)["Location"].startswith(reverse("sign-in"))
    here = come("alice")
    come("alice", IPHONE, "198.51.100.7")
    token_for("alice")
    page = here.get(DEVICES)
    places = page.context["places"]
    assert [place.words for place in places] == [
        "Firefox on Linux",
        "Safari on iPhone",
        "The program python-requests",
    ]
    assert [place.here for place in places] == [True, False, False]
    assert places[1].address == "198.51.100.7"
    assert "198.51.100.7" in page.text


def test_one_session_or_token_is_ended_and_no_other(alice: Player) -> None:
    here, there, third = come("alice"), come("alice", IPHONE), come("alice", EDGE)
    (phone,) = [place for place in here.get(DEVICES).context["places"] if "iPhone" in place.words]
    assert "Signed out there." in here.post(DEVICES, {"session": phone.key}, follow=True).text
    assert [name_of(client) for client in (here, there, third)] == ["alice", "", "alice"]
    again = here.post(DEVICES, {"session": phone.key}, follow=True)
    assert "That session has already ended." in again.text
    token, other = token_for("alice"), token_for("alice")
    here.post(DEVICES, {"token": AccessToken.objects.earliest("pk").pk})
    assert [status_with(secret) for secret in (token, other)] == [401, 200]


def test_all_others_are_ended_at_once(alice: Player, bob: Player) -> None:
    here, there, of_bob = come("alice"), come("alice", IPHONE), come("bob")
    token = token_for("alice")
    here.post(DEVICES, {"others": "1"})
    assert [name_of(client) for client in (here, there, of_bob)] == ["alice", "", "bob"]
    assert status_with(token) == 401


@pytest.mark.parametrize("kind", ["session", "token"])
def test_nobody_ends_what_is_another_s(alice: Player, bob: Player, kind: str) -> None:
    here, of_bob, token = come("alice"), come("bob"), token_for("bob")
    keys = {"session": Device.objects.get(player=bob).pk, "token": AccessToken.objects.get().pk}
    for key in (keys[kind], 0, -1, "x", "9" * 40, ""):
        assert here.post(DEVICES, {kind: key}).status_code == 302
    assert name_of(of_bob) == "bob"
    assert status_with(token) == 200


def test_this_session_is_ended_by_signing_out_alone(alice: Player) -> None:
    here = come("alice")
    here.post(DEVICES, {"session": Device.objects.get().pk})
    assert name_of(here) == "alice"
    here.post(reverse("sign-out"))
    there = come("alice", IPHONE)
    assert [place.words for place in there.get(DEVICES).context["places"]] == ["Safari on iPhone"]
    # A browser that comes back is the same device; the database has no cookie of it.
    sign_in(here, "alice")
    assert Device.objects.count() == 2
    assert here.cookies["device"].value not in str(list(Device.objects.values_list()))
    assert here.cookies["device"]["httponly"]


def test_the_list_says_when_a_place_was_last_seen(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, now = come("alice"), timezone.now()
    there = come("alice", IPHONE, "198.51.100.7")
    later = now + timedelta(minutes=20)
    monkeypatch.setattr(timezone, "now", lambda: later)
    there.get("/lobby/", REMOTE_ADDR="198.51.100.8")
    phone = here.get(DEVICES).context["places"][1]
    assert (phone.seen, phone.address) == (later, "198.51.100.8")
    assert phone.since < now + timedelta(minutes=1)


@pytest.mark.always
def test_another_password_ends_all_other_places(alice: Player) -> None:
    here, there, token = come("alice"), come("alice", IPHONE), token_for("alice")
    words = "another way to the river"
    form = {"old_password": PASSWORD, "new_password1": words, "new_password2": words}
    assert here.post(reverse("change-password"), form).status_code == 302
    assert [name_of(client) for client in (here, there)] == ["alice", ""]
    assert status_with(token) == 401
    assert [place.here for place in here.get(DEVICES).context["places"]] == [True]


def test_a_device_that_nobody_uses_any_more_is_forgotten(alice: Player) -> None:
    come("alice")
    come("alice", IPHONE)
    assert forget_devices() == 0
    old = Device.objects.earliest("pk")
    Device.objects.filter(pk=old.pk).update(seen_at=timezone.now() - timedelta(days=366))
    assert forget_devices() == 1
    assert [in_words(device.user_agent) for device in Device.objects.all()] == ["Safari on iPhone"]


# The last sign-in


def test_staff_read_of_their_last_sign_in(appointed: Appointed) -> None:
    member = appointed("managers")
    first = Client(HTTP_USER_AGENT=IPHONE, REMOTE_ADDR="198.51.100.7")
    assert "Your last sign-in" not in sign_in(first, member.username).headers["Location"]
    second = Client(HTTP_USER_AGENT=FIREFOX)
    sign_in(second, member.username)
    page = second.get("/lobby/").text
    assert "Your last sign-in" in page
    assert "Safari on iPhone" in page
    assert "198.51.100.7" in page


# Staff


@pytest.mark.always
def test_a_manager_ends_a_player_s_sessions(
    alice: Player, appointed: Appointed, signed_in: SignedIn
) -> None:
    there, token = come("alice", IPHONE), token_for("alice")
    manager = signed_in(appointed("managers"))
    address = f"/admin/players/player/{alice.pk}/end-sessions/"
    assert "Safari on iPhone" in manager.get(address).text
    assert "This field is required." in manager.post(address, {"reason": ""}).text
    assert name_of(there) == "alice"
    assert manager.post(address, {"reason": "asked by phone"}).status_code == 302
    assert name_of(there) == ""
    assert status_with(token) == 401
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.reason) == ("player.end_sessions", "asked by phone")
    assert (entry.before, entry.after) == ({"sessions": 2}, {"sessions": 0})
    assert "no open session" in manager.post(address, {"reason": "again"}).text


@pytest.mark.always
def test_who_may_not_help_with_sign_ins(
    alice: Player, appointed: Appointed, signed_in: SignedIn
) -> None:
    enrolled(alice)
    for group in ("floor", "cashiers", "auditors"):
        client = signed_in(appointed(group))
        for what in ("end-sessions", "forget-codes"):
            address = f"/admin/players/player/{alice.pk}/{what}/"
            assert client.post(address, {"reason": "x"}, headers=HTMX).status_code == 403
    assert codes.has_codes(alice)


@pytest.mark.always
@pytest.mark.parametrize("group", ["managers", "technicians"])
def test_lost_codes_are_forgotten_and_all_sessions_end(
    alice: Player, appointed: Appointed, signed_in: SignedIn, group: str
) -> None:
    there = come("alice", IPHONE)
    enrolled(alice)
    client = signed_in(appointed(group))
    address = f"/admin/players/player/{alice.pk}/forget-codes/"
    assert address in client.get(f"/admin/players/player/{alice.pk}/change/").text
    assert client.post(address, {"reason": "lost the phone"}).status_code == 302
    assert not codes.has_codes(alice)
    assert name_of(there) == ""
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.reason) == ("player.forget_codes", "lost the phone")
    assert "has no codes" in client.post(address, {"reason": "again"}).text
    sign_in(there, "alice")
    assert name_of(there) == "alice"


@pytest.mark.always
def test_nobody_forgets_their_own_codes_or_a_superuser_s(
    appointed: Appointed, signed_in: SignedIn
) -> None:
    manager, boss = appointed("managers"), Player.objects.create_superuser("the-chief")
    client = signed_in(manager)
    for player, sentence in ((manager, "Another manager has to"), (boss, "Only a superuser")):
        enrolled(player)
        address = f"/admin/players/player/{player.pk}/forget-codes/"
        assert sentence in client.post(address, {"reason": "x"}).text
        assert codes.has_codes(player)


@pytest.mark.always
def test_codes_are_forgotten_at_the_command_line(alice: Player) -> None:
    enrolled(alice)
    said = StringIO()
    call_command("forget_codes", "Alice", *by_staff(), stdout=said)
    assert "sets up new codes" in said.getvalue()
    assert not codes.has_codes(alice)
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.subject) == ("player.forget_codes", f"player:{alice.pk}")
    assert entry.origin.startswith("command line:")
    for name, words in (("alice", "no codes"), ("nobody", "No player has the name")):
        with pytest.raises(CommandError, match=words):
            call_command("forget_codes", name, *by_staff())
    with pytest.raises(CommandError):
        call_command("forget_codes", "alice")


# A name that many addresses try


@pytest.fixture
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = {sign_ins.PASSWORDS: 3, sign_ins.CODES: 3}
    monkeypatch.setattr(sign_ins, "TRIES_AN_HOUR", bounds)
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)


def attack(name: str, times: int = 5) -> list[int]:
    """One wrong password from each of many addresses."""
    return [
        sign_in(Client(REMOTE_ADDR=f"192.0.2.{number}"), name, "wrong").status_code
        for number in range(times)
    ]


@pytest.mark.parametrize("name", ["alice", "nobody"])
def test_strangers_all_together_try_a_name_so_often(
    alice: Player, few_tries: None, name: str
) -> None:
    """Whether or not a player has this name."""
    assert attack(name) == [422] * 3 + [429] * 2
    refused = sign_in(Client(REMOTE_ADDR="198.51.100.1"), name)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 3600


def test_an_attack_does_not_lock_out_whoever_is_known(alice: Player, few_tries: None) -> None:
    known_device = come("alice", address="203.0.113.5")
    known_device.post(reverse("sign-out"))
    attack("alice")
    # The device elsewhere; another device on the known line; and no stranger.
    sign_in(known_device, "alice")
    assert name_of(known_device) == "alice"
    on_the_line = Client(REMOTE_ADDR="203.0.113.5")
    assert sign_in(on_the_line, "alice").status_code == 302
    assert sign_in(Client(REMOTE_ADDR="198.51.100.1"), "alice").status_code == 429
    # A device is known to its own player alone.
    Player.objects.create_user("bob", password=PASSWORD)
    attack("bob")
    known_device.post(reverse("sign-out"))
    form = {"username": "bob", "password": PASSWORD}
    stolen = known_device.post(reverse("sign-in"), form, REMOTE_ADDR="198.51.100.1")
    assert stolen.status_code == 429


def test_a_known_device_has_a_bound_too(alice: Player, few_tries: None) -> None:
    device = come("alice")
    device.post(reverse("sign-out"))
    form: dict[str, Any] = {"username": "alice", "password": "wrong"}
    sent = [
        device.post(reverse("sign-in"), form, REMOTE_ADDR=f"192.0.2.{number}").status_code
        for number in range(5)
    ]
    assert sent == [422] * 3 + [429] * 2


def test_a_line_is_forgotten_after_a_month(alice: Player, few_tries: None) -> None:
    come("alice", address="203.0.113.5")
    attack("alice")
    Device.objects.update(seen_at=timezone.now() - timedelta(days=31))
    assert sign_in(Client(REMOTE_ADDR="203.0.113.5"), "alice").status_code == 429


@pytest.mark.always
def test_codes_have_a_narrower_bound(alice: Player, few_tries: None) -> None:
    enrolled(alice)
    sent = []
    for number in range(3):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        sign_in(client, "alice")
        for _twice in range(2):
            answer = client.post(reverse("sign-in-code"), {"code": "not a code"})
            sent.append(answer.status_code)
    assert sent == [422] * 3 + [429] * 3


def test_the_profile_says_when_somebody_signed_in_before(alice: Player) -> None:
    first = come("alice", FIREFOX, "203.0.113.5")
    assert "Signed in before" not in first.get(reverse("profile")).text
    second = come("alice", IPHONE, "203.0.113.9")
    page = second.get(reverse("profile")).text
    assert "Firefox on Linux" in page
    assert "203.0.113.5" in page
