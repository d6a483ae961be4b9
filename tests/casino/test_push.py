"""Calling players back: who subscribes, what is sent to whom, and when nothing is sent."""

import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.sessions.models import Session
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone

from casino import environment
from casino.care import erasure, exclusions, limits, own_data
from casino.care.models import Exclusion, PlayerLimit
from casino.metrics import counts
from casino.players import freezing
from casino.players.models import Device
from casino.push import addresses, calling, encryption, keys, sending, tasks
from casino.push.models import Call, Subscription
from casino.push.subscribing import BROWSERS_MAX
from games.live import spectators
from games.models import Table
from games.rules.catalogue import GAMES, against_house, game_type
from tests.casino.browsers import sign_in
from tests.casino.push_service import (
    CURVE,
    Browser,
    PushService,
    bytes_of,
    claims_of,
    push_service,
    text_of,
)
from tests.games.house import House
from tests.people import client_of
from tests.tournaments.events import Event, structure
from wallets.errors import Refused

ADDRESS: Final = "/players/push/"
CONTACT: Final = "mailto:house@club.example"
NOBODY: Final[dict[int, frozenset[int]]] = {}


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch) -> House:
    house = House()
    monkeypatch.setattr(timezone, "now", lambda: house.now)
    return house


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PushService, str]]:
    folder = tmp_path_factory.mktemp("push")
    with push_service(folder) as running:
        yield running, str(folder / "push_service.pem")


@pytest.fixture
def push(settings: Any) -> Any:
    """A house that calls back."""
    settings.PUSH_CONTACT = CONTACT
    settings.PUSH_KEY = text_of(bytes(range(32))) + "="
    return settings


@pytest.fixture
def service(push: Any, server: tuple[PushService, str]) -> Iterator[PushService]:
    running, push.PUSH_TEST_CERTIFICATE = server
    running.status, running.drip = 201, b""
    running.received.clear()
    sending.resting.clear()
    yield running
    # What one test had it hang, it lets go before the next.
    running.released.set()
    running.released.clear()


def subscribed(house: House, name: str, service: PushService) -> tuple[Client, Browser]:
    client, browser = client_of(house.person(name)), service.browser(name)
    assert client.post(ADDRESS, browser.fields).status_code == 204
    return client, browser


class Called:
    """Alice's turn at a table of three, in a browser in which she has asked to be called."""

    def __init__(self, house: House, service: PushService) -> None:
        self.house, self.service = house, service
        self.table = house.dealt_in("doudizhu", "alice", "bob", "carol", grace_seconds=600)
        self.client, self.browser = subscribed(house, "alice", service)
        self.number = house.seat(self.table, "alice").number
        house.until(self.table, lambda table: str(self.number) in table.turns)

    def call(self, watching: dict[int, frozenset[int]] | None = None) -> list[dict[str, str]]:
        """Let the house call, and return all that has come."""
        calling.call_players(NOBODY if watching is None else watching, self.house.now)
        return self.service.read_by(self.browser)

    def play(self) -> None:
        self.house.act(self.table, "alice", self.house.best_action(self.table, "alice"))


@pytest.fixture
def called(house: House, service: PushService) -> Called:
    return Called(house, service)


# What is encrypted and signed


def test_a_message_is_encrypted_as_in_the_example_of_the_standard() -> None:
    """RFC 8291, section 5 and appendix A."""
    own = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    key = ec.derive_private_key(int.from_bytes(bytes_of(own)), CURVE)
    browser = (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    secret, salt = bytes_of("BTBZMqHH6r4Tts7J_aSIgg"), bytes_of("DGv6ra1nlYgDCS1FRnbzlw")
    text = b"When I grow up, I want to be a watermelon"
    sealed = encryption.sealed(text, bytes_of(browser), secret, key, salt)
    assert text_of(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
        "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
        "lcy4a-fN"
    )


def test_every_message_is_equally_long_and_sealed_with_a_key_of_its_own() -> None:
    browser = Browser("https://push.example/1")
    short, long = b"{}", b'{"words":"' + b"a" * 900 + b'"}'
    sealed = [
        encryption.encrypt(text, browser.point, browser.secret) for text in (short, short, long)
    ]
    assert len({len(one) for one in sealed}) == 1
    assert len(set(sealed)) == 3
    assert [browser.read(one).rstrip() for one in sealed] == [short, short, long]


@pytest.mark.parametrize("key", [bytes(32), b"\xff" * 32, bytes(range(32))])
def test_any_32_bytes_are_a_key_of_the_house(push: Any, key: bytes) -> None:
    push.PUSH_KEY = text_of(key) + "="
    assert len(bytes_of(keys.public_key())) == 65


# Subscribing


def test_a_player_switches_it_on_and_off(house: House, service: PushService) -> None:
    house.player("alice")
    client, browser = client_of(house.person("alice")), service.browser("alice")
    page = client.get("/").text
    assert f'data-push="{keys.public_key()}" hidden' in page
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


@pytest.mark.parametrize(
    "off",
    [{"PUSH": False}, {"PUSH_CONTACT": ""}, {"PUSH_KEY": ""}],
    ids=lambda one: next(iter(one)),
)
def test_a_house_that_has_it_off_offers_and_sends_nothing(
    called: Called, push: Any, off: dict[str, object]
) -> None:
    for name, value in off.items():
        setattr(push, name, value)
    assert "data-push" not in called.client.get("/").text
    assert called.client.post(ADDRESS, called.browser.fields).status_code == 404
    tasks.call_players()
    assert not called.service.received


GOOD: Final = Browser("https://push.example/send/1").fields
LONG: Final = "https://push.example/" + "a" * 1_100


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            {"endpoint": endpoint}
            for endpoint in (
                "", "http://push.example/1", "https://localhost/1", "https://push.localhost2/1",
                "https://127.0.0.1/1", "https://2130706433/1", "https://0x7f.1/1", "https://[::1]/1",
                "https://[::ffff:10.0.0.1]/1", "https://10.1.2.3/1", "https://192.168.0.1/1",
                "https://169.254.169.254/latest/meta-data/", "https://intranet/1",
                "https://push.example:8443/1", "https://user:secret@push.example/1",
                "https://push.example/1#part", "https://push.example/a b", "https://push.example/é",
                "https://[broken/1", "ftp://push.example/1", LONG,
            )
        ),
        *({"p256dh": key} for key in ("", "x", text_of(bytes(65)), "A" * 101)),
        *({"auth": secret} for secret in ("", text_of(bytes(15)), text_of(bytes(17)), "%%")),
    ],
    ids=lambda one: "=".join(next(iter(one.items())))[:50],
)  # fmt: skip
def test_what_no_browser_gives_is_refused(house: House, push: Any, wrong: dict[str, str]) -> None:
    client = client_of(house.player("alice"))
    answer = client.post(ADDRESS, GOOD | wrong)
    assert (answer.status_code, answer.json()["code"]) == (409, "bad_subscription")
    assert not Subscription.objects.exists()


def test_a_good_one_is_stored(house: House, push: Any) -> None:
    assert client_of(house.player("alice")).post(ADDRESS, GOOD).status_code == 204


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
    for forget in erasure.forgetting:
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


# A turn


def test_a_turn_calls_its_player_once(called: Called) -> None:
    counts.waiting.clear()
    table = called.table
    assert called.call() == [
        {"words": f"It is your turn at {table.title}", "page": f"/tables/{table.pk}/"}
    ]
    _path, headers, _body = called.service.received[0]
    assert headers["Content-Encoding"] == "aes128gcm"
    claims = claims_of(headers["Authorization"])
    assert claims["aud"] == called.service.address
    assert (claims["sub"], claims["key"]) == (CONTACT, keys.public_key())
    expires = int(str(claims["exp"])) - called.house.now.timestamp()
    assert 0 < expires <= 24 * 3600
    assert table.deadline is not None
    left = (table.deadline - called.house.now).total_seconds()
    assert 0 < int(headers["TTL"]) <= left
    assert len(called.call()) == 1
    assert counts.waiting["pushes|sent|"] == 1


def test_a_player_is_called_once_a_minute_at_most(called: Called) -> None:
    Table.objects.filter(pk=called.table.pk).update(decision_seconds=600)
    called.call()
    called.play()
    called.house.idle = {"alice"}
    mine = str(called.number)
    called.house.until(called.table, lambda table: mine in table.turns)
    assert len(called.call()) == 1
    called.house.pass_time(60)
    assert len(called.call()) == 2


def test_a_player_is_called_in_their_language(called: Called) -> None:
    Table.objects.filter(pk=called.table.pk).update(name="Pagoda")
    called.client.post("/players/language/", {"language": "zh-hans"})
    (message,) = called.call()
    assert "宝塔" in message["words"]


def test_whoever_has_the_table_open_is_not_called(called: Called) -> None:
    alice, bob = (called.house.person(name).pk for name in ("alice", "bob"))
    assert called.call({called.table.pk: frozenset({alice})}) == []
    # Another's page, or another table's, shows nothing to Alice.
    other = {called.table.pk: frozenset({bob}), called.table.pk + 1: frozenset({alice})}
    assert len(called.call(other)) == 1


def _offline(called: Called) -> None:
    called.table.seats.update(seen_at=called.house.now - timedelta(seconds=601))


UNSEEN: Final[dict[str, Callable[[Called], object]]] = {
    "it is another's turn": lambda called: called.play(),
    "the house plays for the seat": lambda called: called.table.seats.update(auto_play=True),
    "the player is offline for too long": _offline,
    "the time is nearly up": lambda called: called.house.pass_time(18),
}


@pytest.mark.parametrize("why", UNSEEN)
def test_nobody_is_called_where(called: Called, why: str) -> None:
    UNSEEN[why](called)
    assert called.call() == []


@pytest.mark.parametrize("why", UNSEEN)
def test_a_message_that_has_not_left_yet_stays_where(called: Called, why: str) -> None:
    called.service.status = 503
    called.call()
    called.service.received.clear()
    UNSEEN[why](called)
    Call.objects.update(next_at=called.house.now)
    assert called.call() == []
    assert not Call.objects.filter(next_at__isnull=False).exists()


def test_whoever_is_on_a_break_is_not_called(called: Called) -> None:
    """Also where a session has outlived the beginning of the break."""
    now = called.house.now
    Exclusion.objects.create(
        player=called.house.person("alice"),
        kind=Exclusion.Kind.TIME_OUT,
        begins_at=now,
        until=now + timedelta(days=1),
    )
    assert called.call() == []


def test_the_task_asks_who_looks_and_calls_the_others(
    called: Called, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = {called.table.pk: frozenset({called.house.person("alice").pk})}
    monkeypatch.setattr(spectators, "players_watching", lambda: looks)
    tasks.call_players()
    assert called.service.received == []
    looks.clear()
    tasks.call_players()
    assert len(called.service.received) == 1


def test_without_redis_nobody_knows_who_looks_and_nobody_is_called(called: Called) -> None:
    tasks.call_players()
    assert not called.service.received


@pytest.mark.parametrize("game", GAMES)
def test_a_message_says_nothing_of_the_hand(
    house: House, service: PushService, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """Every turn of a whole hand: the words are the same whatever is dealt, bet and played."""
    monkeypatch.setattr(calling, "BETWEEN_CALLS", timedelta())
    table = house.table(game, decision_seconds=60, grace_seconds=600)
    names = ("alice", "bob", "carol", "dora")[: game_type(game).seats[0]]
    for number, name in enumerate(names, 1):
        house.sit(house.player(name), table, number)
    browsers = [subscribed(house, name, service)[1] for name in names]
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    bets = len(service.received)

    def over(table: Table) -> bool:
        calling.call_players(NOBODY, house.now)
        return table.hand_id is None

    if against_house(game):
        # The betting is open: that is no turn to be called back for.
        calling.call_players(NOBODY, house.now)
        assert len(service.received) == bets == 0
    house.until(table, over)
    found = [message for browser in browsers for message in service.read_by(browser)]
    said = {"words": f"It is your turn at {table.title}", "page": f"/tables/{table.pk}/"}
    # At baccarat there is nothing to decide after the bets.
    assert bool(found) != game.startswith("baccarat")
    assert all(message == said for message in found)


# The start of a tournament


@pytest.fixture
def event(house: House) -> Event:
    return Event(house)


def begin(event: Event, service: PushService) -> Browser:
    player, *_others = event.open(structure(), 4)
    _client, browser = subscribed(event.house, player.username, service)
    event.until(lambda: event.row.started_at is not None)
    return browser


def test_a_tournament_that_starts_calls_its_players(event: Event, service: PushService) -> None:
    browser = begin(event, service)
    calling.call_players(NOBODY, event.house.now)
    (message,) = service.read_by(browser)
    assert message["words"] == f"Your tournament starts: {event.row.title}"
    assert message["page"] == f"/tournaments/{event.number}/"
    event.house.pass_time(61)
    Call.objects.all().delete()
    calling.call_players(NOBODY, event.house.now)
    assert len(service.read_by(browser)) == 1


def limit_time(house: House, name: str) -> None:
    kind, period = PlayerLimit.Kind.SESSION, PlayerLimit.Period.DAY
    limits.ask(house.person(name), limits.Wanted(kind, period, None, 60), house.now)


def test_whoever_limits_their_time_is_called_for_a_turn_and_reminded_of_nothing(
    called: Called, event: Event
) -> None:
    limit_time(called.house, "alice")
    assert len(called.call()) == 1
    browser = begin(event, called.service)
    name = event.row.all_entries.earliest("number").player.username
    limit_time(event.house, name)
    calling.call_players(NOBODY, event.house.now)
    assert called.service.read_by(browser) == []


# What a service answers


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(called: Called, status: int) -> None:
    called.service.status = status
    called.call()
    assert not Subscription.objects.exists()


def test_a_service_that_fails_is_asked_again_while_the_turn_lasts(called: Called) -> None:
    called.service.status = 503
    called.call()
    assert len(called.service.received) == 1
    called.house.pass_time(4)
    called.call()
    assert len(called.service.received) == 1
    called.house.pass_time(3)
    called.service.status = 201
    called.call()
    assert len(called.service.received) == 2
    assert Subscription.objects.get().succeeded_at


def test_it_is_not_asked_again_beyond_the_turn(called: Called) -> None:
    called.service.status = 503
    for _ in range(21):
        called.call()
        called.house.pass_time(1)
    assert len(called.service.received) == 2
    assert Subscription.objects.exists()
    assert not Call.objects.filter(next_at__isnull=False).exists()


@pytest.mark.parametrize("status", [302, 400, 403, 413])
def test_what_a_service_refuses_is_not_repeated(called: Called, status: int) -> None:
    called.service.status = status
    called.call()
    called.house.pass_time(10)
    called.call()
    # Nor is it sent to where a redirect leads.
    assert [path for path, _headers, _body in called.service.received] == ["/alice"]
    assert Subscription.objects.exists()


@pytest.mark.parametrize("drip", [b"", b"X: 1\r\n"])
def test_a_service_that_hangs_is_left_alone_for_a_while(
    called: Called, monkeypatch: pytest.MonkeyPatch, drip: bytes
) -> None:
    monkeypatch.setattr(sending, "SECONDS_MAX", 0.3)
    called.service.status, called.service.drip = None, drip
    called.call()
    called.house.pass_time(10)
    called.call()
    assert len(called.service.received) == 1
    assert Subscription.objects.get().succeeded_at is None


def test_what_is_claimed_is_not_sent_twice(called: Called) -> None:
    called.service.status = 503
    called.call()
    call = Call.objects.select_related("subscription__device__player").get()
    called.service.status = 201
    assert calling.attempt(call, NOBODY, called.house.now)
    assert not calling.attempt(call, NOBODY, called.house.now)
    assert len(called.service.received) == 2


def test_what_players_were_called_for_is_forgotten(called: Called) -> None:
    called.call()
    tasks.forget_calls()
    assert Call.objects.exists()
    called.house.pass_time(3_601)
    tasks.forget_calls()
    assert not Call.objects.exists()


# Where a name leads


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("64:ff9b::808:808", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:192.168.0.1", False),
        ("2002:0a00:0001::1", False),
        ("64:ff9b::a00:1", False),
    ],
)
def test_an_address_is_of_the_internet_or_not(address: str, public: bool) -> None:
    assert addresses.is_public(address) is public


def test_a_name_that_leads_inside_is_not_connected_to(
    called: Called, push: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    push.PUSH_TEST_CERTIFICATE = ""
    inside = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in ("8.8.8.8", "::1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: inside)
    connected = []
    monkeypatch.setattr(socket, "create_connection", lambda *where: connected.append(where))
    Subscription.objects.update(endpoint="https://push.example/1")
    assert called.call() == []
    assert connected == []


# What the operator sets


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("", ""),
        ("house@club.example", CONTACT),
        (CONTACT, CONTACT),
        ("https://club.example/contact", "https://club.example/contact"),
    ],
)
def test_a_contact_is_an_address_that_somebody_reads(
    monkeypatch: pytest.MonkeyPatch, given: str, read: str
) -> None:
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
        addresses.check("", "", "")
