"""Programs signing in and out, and how many requests they may send."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.api import throttling
from casino.api.throttling import Rate, count
from casino.players import tokens
from casino.players.models import AccessToken, Player
from casino.players.tasks import forget_tokens
from tests.people import PASSWORD
from tests.valkey import Valkey, valkey

WALLET = "/api/v1/wallet/"


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    caches["default"].clear()


def sign_in(client: Client, name: Any = "alice", password: Any = PASSWORD, **more: Any) -> Any:
    body = {"name": name, "password": password} | more
    return client.post(reverse("api-sign-in"), body, "application/json")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def token_of(client: Client, name: str = "alice", password: str = PASSWORD) -> str:
    response = sign_in(client, name, password)
    assert response.status_code == 201, response.content
    token: str = response.json()["token"]
    return token


def status_with(token: str, path: str = WALLET) -> tuple[int, str]:
    response = Client().get(path, headers=bearer(token))
    return response.status_code, response.json().get("code", "")


# Signing in


@pytest.mark.parametrize("name", ["alice", "ALICE", "ａｌｉｃｅ"])
def test_a_program_signs_in_and_is_its_player(alice: Player, stranger: Client, name: str) -> None:
    response = sign_in(stranger, name)
    assert response.status_code == 201
    assert response.headers["Cache-Control"] == "private, no-store"
    assert not response.cookies
    assert status_with(response.json()["token"]) == (200, "")
    alice.refresh_from_db()
    assert alice.last_login is not None


def test_only_a_hash_is_kept(alice: Player, stranger: Client) -> None:
    token = token_of(stranger)
    (row,) = AccessToken.objects.values()
    assert token not in {str(value) for value in row.values()}


@pytest.mark.parametrize(("name", "password"), [("alice", "wrong"), ("nobody", PASSWORD)])
def test_a_wrong_sign_in_is_answered_alike(
    alice: Player, stranger: Client, name: str, password: str
) -> None:
    response = sign_in(stranger, name, password)
    assert response.status_code == 401
    assert response.json()["code"] == "wrong_sign_in"
    assert not AccessToken.objects.exists()


def test_neither_bots_nor_who_is_shut_out_sign_in(alice: Player, stranger: Client) -> None:
    Player.objects.create_bot("bot-mei")
    assert sign_in(stranger, "bot-mei", "any").status_code == 401
    alice.is_active = False
    alice.save()
    assert sign_in(stranger).status_code == 401


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"name": 5}, "$.name"),
        ({"password": None}, "$.password"),
        ({"name": ""}, "$.name"),
        ({"name": "a\x00b"}, "$.name"),
        ({"name": "x" * 101}, "$.name"),
        ({"more": 1}, "$.more"),
    ],
)
def test_what_cannot_be_read_is_refused(
    alice: Player, stranger: Client, body: dict[str, Any], path: str
) -> None:
    response = sign_in(stranger, **({"name": "alice"} | body))
    assert response.status_code == 400
    assert response.json()["path"] == path


@pytest.mark.parametrize("address", ["api-sign-in", "api-sign-out"])
@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
def test_signing_in_and_out_are_sent_by_post(
    alice: Player, stranger: Client, address: str, method: str
) -> None:
    headers = bearer(token_of(stranger))
    assert stranger.generic(method, reverse(address), headers=headers).status_code == 405


def test_a_name_is_locked_after_five_wrong_passwords_here_and_on_the_page(
    alice: Player, stranger: Client
) -> None:
    for _ in range(4):
        assert sign_in(stranger, "Alice", "wrong").status_code == 401
    assert sign_in(stranger, "alice", "wrong").status_code == 429
    response = sign_in(stranger)
    assert response.status_code == 429
    assert response.json()["code"] == "locked_out"
    assert int(response.headers["Retry-After"]) > 0
    page = stranger.post(reverse("sign-in"), {"username": "alice", "password": PASSWORD})
    assert page.status_code == 429
    assert not AccessToken.objects.exists()
    # From elsewhere the player comes in, and others come in from here.
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert sign_in(elsewhere).status_code == 201


def test_a_right_password_forgets_the_wrong_ones(alice: Player, stranger: Client) -> None:
    for _ in range(3):
        for _ in range(3):
            assert sign_in(stranger, "alice", "wrong").status_code == 401
        assert sign_in(stranger).status_code == 201


def test_an_old_token_does_not_keep_anybody_from_signing_in(
    alice: Player, stranger: Client
) -> None:
    body = {"name": "alice", "password": PASSWORD}
    response = stranger.post(
        reverse("api-sign-in"), body, "application/json", headers=bearer("of last year")
    )
    assert response.status_code == 201


# The end of a token


def test_signing_out_ends_this_token_and_no_other(alice: Player, stranger: Client) -> None:
    one, other = token_of(stranger), token_of(stranger)
    assert stranger.post(reverse("api-sign-out"), headers=bearer(one)).status_code == 204
    assert status_with(one) == (401, "token_refused")
    assert status_with(other) == (200, "")
    assert stranger.post(reverse("api-sign-out"), headers=bearer(one)).status_code == 401
    assert stranger.post(reverse("api-sign-out")).status_code == 401


def test_a_session_is_no_token(alice: Player) -> None:
    client = Client()
    client.force_login(alice)
    assert client.get(WALLET).status_code == 200
    response = client.post(reverse("api-sign-out"))
    assert (response.status_code, response.json()["code"]) == (409, "no_token")


def test_a_session_needs_the_token_of_its_pages_to_change_anything(alice: Player) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = client.post(reverse("api-sign-out"), content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


def test_shutting_a_player_out_ends_their_tokens(alice: Player, stranger: Client) -> None:
    token = token_of(stranger)
    Player.objects.update(is_active=False)
    assert status_with(token) == (401, "token_refused")


def test_another_password_ends_the_tokens(alice: Player, stranger: Client) -> None:
    token = token_of(stranger)
    alice.set_password("another way to the river")
    alice.save()
    assert status_with(token) == (401, "token_refused")


def test_a_token_ends_after_its_time_and_is_forgotten(
    alice: Player, stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, now = token_of(stranger), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + tokens.AGE_MAX - timedelta(minutes=1))
    assert status_with(token) == (200, "")
    assert forget_tokens() == 0
    monkeypatch.setattr(timezone, "now", lambda: now + tokens.AGE_MAX + timedelta(minutes=1))
    assert status_with(token) == (401, "token_refused")
    assert forget_tokens() == 1


def test_of_many_tokens_the_newest_are_kept(alice: Player, stranger: Client) -> None:
    made = [tokens.issue(alice, timezone.now())[0] for _ in range(tokens.TOKENS_MAX + 2)]
    assert [tokens.find(told, timezone.now()) is None for told in made[:3]] == [True, True, False]
    assert alice.access_tokens.count() == tokens.TOKENS_MAX


@pytest.mark.parametrize("told", ["", "x", "x" * 5_000, "é"])
def test_what_is_no_token_signs_nobody_in(alice: Player, told: str) -> None:
    response = Client().get(WALLET, headers={"Authorization": f"Bearer {told}"})
    assert (response.status_code, response.json()["code"]) == (401, "token_refused")
    assert response.headers["WWW-Authenticate"] == "Bearer"


# How many requests


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    told = {"user": "9/min", "anon": "3/min", "write": "2/min", "sign-in": "5/min"}
    monkeypatch.setattr(Rate, "THROTTLE_RATES", told)
    monkeypatch.setattr(throttling.time, "time", lambda: 1_000_000.0)
    return told


def answers(client: Client, path: str, times: int, **more: Any) -> list[int]:
    return [client.get(path, **more).status_code for _ in range(times)]


def test_strangers_are_counted_by_their_address(
    db: None, stranger: Client, rates: dict[str, str]
) -> None:
    path = reverse("api-lobby")
    assert answers(stranger, path, 4) == [200, 200, 200, 429]
    refused = stranger.get(path)
    assert refused.json()["code"] == "too_many_requests"
    assert refused.headers["Retry-After"] == "20"
    # A header that anybody can send is no address.
    assert stranger.get(path, headers={"X-Forwarded-For": "203.0.113.1"}).status_code == 429
    assert Client(REMOTE_ADDR="203.0.113.9").get(path).status_code == 200


def test_a_window_ends(
    db: None, stranger: Client, rates: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reverse("api-lobby")
    assert answers(stranger, path, 4)[-1] == 429
    monkeypatch.setattr(throttling.time, "time", lambda: 1_000_020.0)
    assert answers(stranger, path, 4) == [200, 200, 200, 429]


def test_players_are_counted_each_for_themselves(
    alice: Player, bob: Player, rates: dict[str, str]
) -> None:
    for player in (alice, bob):
        headers = bearer(tokens.issue(player, timezone.now())[0])
        assert answers(Client(), WALLET, 10, headers=headers) == [200] * 9 + [429]


def test_what_changes_something_is_counted_besides(alice: Player, rates: dict[str, str]) -> None:
    headers = bearer(tokens.issue(alice, timezone.now())[0])
    path = reverse("api-leave", args=[1])
    sent = [
        Client().post(path, content_type="application/json", headers=headers).status_code
        for _ in range(3)
    ]
    assert sent == [400, 400, 429]
    assert answers(Client(), WALLET, 1, headers=headers) == [200]


def test_sign_ins_are_counted_whoever_is_named(
    alice: Player, stranger: Client, rates: dict[str, str]
) -> None:
    rates |= {"anon": "99/min", "write": "99/min"}
    sent = [sign_in(stranger, f"nobody {number}").status_code for number in range(6)]
    assert sent == [401] * 5 + [429]
    assert sign_in(stranger).json()["code"] == "too_many_requests"


@pytest.fixture
def server() -> Iterator[Valkey]:
    with valkey() as started:
        yield started


@pytest.fixture
def shared(server: Valkey, monkeypatch: pytest.MonkeyPatch) -> Valkey:
    """Counts as the house keeps them, each time as a process of its own would find them."""
    options = settings.CACHES[throttling.SHARED]["OPTIONS"]

    class Processes:
        def __getitem__(self, alias: str) -> Any:
            if alias == throttling.SHARED:
                return RedisCache(server.url, {"OPTIONS": options})
            return caches[alias]

    monkeypatch.setattr(throttling, "caches", Processes())
    monkeypatch.setattr(throttling, "breaker", throttling.Breaker())
    return server


def test_all_processes_count_together(shared: Valkey) -> None:
    assert [count("one", 60) for _ in range(3)] == [1, 2, 3]
    assert count("other", 60) == 1


def test_without_redis_each_process_counts_for_itself(shared: Valkey) -> None:
    assert [count("one", 60) for _ in range(3)] == [1, 2, 3]
    shared.stop()
    assert [count("one", 60) for _ in range(3)] == [1, 2, 3]
