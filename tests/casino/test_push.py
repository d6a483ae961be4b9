"""Calling players back: what is sent to whom, and when nothing is sent."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from casino.care import limits
from casino.care.models import Exclusion, PlayerLimit
from casino.community.push import calling, sending, tasks
from casino.community.push.models import Call, Subscription
from casino.ops.metrics import counting
from games.live import spectators
from games.models import Table
from games.rules.catalogue import GAMES, against_house, game_type
from tests.casino.push_scene import CONTACT, NOBODY, Called, subscribed
from tests.casino.push_service import (
    CURVE,
    Browser,
    PushService,
    bytes_of,
    claims_of,
    text_of,
)
from tests.casino.test_languages import LIKE_ANOTHER
from tests.games.house import House
from tests.tournaments.events import Event, structure

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
    sealed = sending.sealed(text, bytes_of(browser), secret, key, salt)
    assert text_of(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
        "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
        "lcy4a-fN"
    )


def test_every_message_is_equally_long_and_sealed_with_a_key_of_its_own() -> None:
    browser = Browser("https://push.example/1")
    short, long = b"{}", b'{"words":"' + b"a" * 900 + b'"}'
    sealed = [sending.encrypt(text, browser.point, browser.secret) for text in (short, short, long)]
    assert len({len(message) for message in sealed}) == 1
    assert len(set(sealed)) == 3
    assert [browser.read(message).rstrip() for message in sealed] == [short, short, long]


@pytest.mark.parametrize("key", [bytes(32), b"\xff" * 32, bytes(range(32))])
def test_any_32_bytes_are_a_key_of_the_house(push: Any, key: bytes) -> None:
    push.PUSH_KEY = text_of(key) + "="
    assert len(bytes_of(sending.public_key())) == 65


# A turn


def test_a_turn_calls_its_player_once(called: Called) -> None:
    counting.waiting.clear()
    table = called.table
    assert called.call() == [
        {"words": f"It is your turn at {table.title}", "page": f"/tables/{table.pk}/"}
    ]
    _path, headers, _body = called.service.received[0]
    assert headers["Content-Encoding"] == "aes128gcm"
    claims = claims_of(headers["Authorization"])
    assert claims["aud"] == called.service.address
    assert (claims["sub"], claims["key"]) == (CONTACT, sending.public_key())
    expires = int(str(claims["exp"])) - called.house.now.timestamp()
    assert 0 < expires <= 24 * 3600
    assert table.deadline is not None
    left = (table.deadline - called.house.now).total_seconds()
    assert 0 < int(headers["TTL"]) <= left
    assert len(called.call()) == 1
    assert counting.waiting["pushes|sent|"] == 1


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


@pytest.mark.always
def test_whoever_has_the_table_open_is_not_called(called: Called) -> None:
    alice, bob = (called.house.person(name).pk for name in ("alice", "bob"))
    assert called.call({called.table.pk: frozenset({alice})}) == []
    # Another's page, or another table's, shows nothing to Alice.
    other = {called.table.pk: frozenset({bob}), called.table.pk + 1: frozenset({alice})}
    assert len(called.call(other)) == 1


def _offline(called: Called) -> None:
    called.table.seats.update(seen_at=called.house.now - timedelta(seconds=601))


def _others_play(called: Called) -> None:
    """Who calls three is to lead, so one move may not be enough."""
    while str(called.number) in called.table.turns:
        called.play()
        called.table.refresh_from_db()


UNSEEN: Final[dict[str, Callable[[Called], object]]] = {
    "it is another's turn": _others_play,
    "the house plays for the seat": lambda called: called.table.seats.update(auto_play=True),
    "the player is offline for too long": _offline,
    "the time is nearly up": lambda called: called.house.pass_time(18),
}


@pytest.mark.parametrize("waits", [False, True], ids=["at first", "when it has waited"])
@pytest.mark.parametrize("why", UNSEEN)
def test_nobody_is_called_where(called: Called, why: str, waits: bool) -> None:
    if waits:
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


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[pytest.mark.release] if game in LIKE_ANOTHER else [])
        for game in GAMES
    ],
)
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
    messages = [message for browser in browsers for message in service.read_by(browser)]
    said = {"words": f"It is your turn at {table.title}", "page": f"/tables/{table.pk}/"}
    # At baccarat there is nothing to decide after the bets.
    assert bool(messages) != game.startswith("baccarat")
    assert all(message == said for message in messages)


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


def test_a_service_that_fails_is_tried_again_while_the_turn_lasts(called: Called) -> None:
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


def test_it_is_not_tried_again_beyond_the_turn(called: Called) -> None:
    called.service.status = 503
    # No attempt is due just when the clock is looked at.
    for _ in range(14):
        called.call()
        called.house.pass_time(1.5)
    assert len(called.service.received) == 3
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
