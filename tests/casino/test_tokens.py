"""Programs signing in and out, and how many requests they may send."""

import contextvars
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts import tokens
from casino.accounts.models import AccessToken, Player
from casino.accounts.tasks import forget_tokens
from casino.web import rate_limits
from casino.web.api_requests import Rate
from casino.web.rate_limits import count
from games.live import announcing
from tests.games.house import House
from tests.people import PASSWORD
from tests.valkey import Valkey, valkey
from tests.waiting import PATIENCE_SECONDS
from wallets.storage import batched_writes

WALLET = "/api/v1/wallet/"


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
    # Only a hash of it is kept.
    (row,) = AccessToken.objects.values()
    assert response.json()["token"] not in {str(value) for value in row.values()}


def test_a_wrong_sign_in_is_answered_alike(alice: Player, stranger: Client) -> None:
    Player.objects.create_bot("bot-mei")
    Player.objects.create_user("fred", password=PASSWORD, is_active=False)
    for name, password in (
        ("alice", "wrong"), ("nobody", PASSWORD), ("bot-mei", "any"), ("fred", "wrong"),
    ):  # fmt: skip
        response = sign_in(stranger, name, password)
        assert response.status_code == 401, name
        assert response.json()["code"] == "wrong_sign_in", name
    assert not AccessToken.objects.exists()


@pytest.mark.always
def test_the_owner_of_a_frozen_account_gets_the_reason(stranger: Client) -> None:
    Player.objects.create_user("fred", password=PASSWORD, is_active=False)
    response = sign_in(stranger, "fred", PASSWORD)
    assert (response.status_code, response.json()["code"]) == (409, "account_frozen")
    assert not AccessToken.objects.exists()


def test_unreadable_sign_in_is_refused_with_its_path(alice: Player, stranger: Client) -> None:
    bodies: list[tuple[dict[str, Any], str]] = [
        ({"name": 5}, "$.name"), ({"password": None}, "$.password"), ({"name": ""}, "$.name"),
        ({"name": "a\x00b"}, "$.name"), ({"name": "x" * 101}, "$.name"), ({"more": 1}, "$.more"),
    ]  # fmt: skip
    for body, path in bodies:
        response = sign_in(stranger, **({"name": "alice"} | body))
        assert response.status_code == 400, body
        assert response.json()["path"] == path, body


@pytest.mark.parametrize("address", ["api-sign-in", "api-sign-out"])
def test_signing_in_and_out_are_sent_by_post(alice: Player, stranger: Client, address: str) -> None:
    headers = bearer(token_of(stranger))
    for method in ("GET", "PUT", "PATCH", "DELETE"):
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


def test_a_right_password_forgets_the_wrong_ones_and_an_old_token(
    alice: Player, stranger: Client
) -> None:
    body = {"name": "alice", "password": PASSWORD}
    for _ in range(3):
        for _ in range(3):
            assert sign_in(stranger, "alice", "wrong").status_code == 401
        response = stranger.post(
            reverse("api-sign-in"), body, "application/json", headers=bearer("of last year")
        )
        assert response.status_code == 201


# The end of a token


def test_signing_out_ends_this_token_and_no_other(alice: Player, stranger: Client) -> None:
    token, other = token_of(stranger), token_of(stranger)
    assert stranger.post(reverse("api-sign-out"), headers=bearer(token)).status_code == 204
    assert status_with(token) == (401, "token_refused")
    assert status_with(other) == (200, "")
    assert stranger.post(reverse("api-sign-out"), headers=bearer(token)).status_code == 401
    assert stranger.post(reverse("api-sign-out")).status_code == 401


def test_a_session_is_no_token(alice: Player) -> None:
    client, strict = Client(), Client(enforce_csrf_checks=True)
    for browser in (client, strict):
        browser.force_login(alice)
    assert client.get(WALLET).status_code == 200
    response = client.post(reverse("api-sign-out"))
    assert (response.status_code, response.json()["code"]) == (409, "no_token")
    # To change anything it needs the token of its pages.
    response = strict.post(reverse("api-sign-out"), content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


def test_shutting_a_player_out_or_another_password_ends_the_tokens(
    alice: Player, stranger: Client
) -> None:
    token = token_of(stranger)
    Player.objects.update(is_active=False)
    assert status_with(token) == (401, "token_refused")
    Player.objects.update(is_active=True)
    assert status_with(token) == (200, "")
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


@pytest.mark.always
def test_only_the_newest_tokens_are_kept(alice: Player, stranger: Client) -> None:
    made = [tokens.issue(alice, timezone.now())[0] for _ in range(tokens.TOKENS_MAX + 2)]
    assert [tokens.find(token, timezone.now()) is None for token in made[:3]] == [True, True, False]
    assert alice.access_tokens.count() == tokens.TOKENS_MAX


@pytest.mark.always
def test_malformed_tokens_sign_nobody_in(alice: Player) -> None:
    for token in ("", "x", "x" * 5_000, "é"):
        response = Client().get(WALLET, headers={"Authorization": f"Bearer {token}"})
        assert (response.status_code, response.json()["code"]) == (401, "token_refused"), token
        assert response.headers["WWW-Authenticate"] == "Bearer"


# How many requests


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    limits = {"user": "9/min", "anon": "3/min", "watch": "100/min", "write": "2/min"}
    limits["sign-in"] = "5/min"
    monkeypatch.setattr(Rate, "THROTTLE_RATES", limits)
    monkeypatch.setattr("time.time", lambda: 1_000_000.0)
    return limits


def answers(client: Client, path: str, times: int, **more: Any) -> list[int]:
    return [client.get(path, **more).status_code for _ in range(times)]


@pytest.mark.always
def test_strangers_are_counted_by_their_address(
    stranger: Client, rates: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reverse("api-lobby")
    assert answers(stranger, path, 4) == [200, 200, 200, 429]
    refused = stranger.get(path)
    assert refused.json()["code"] == "too_many_requests"
    assert refused.headers["Retry-After"] == "20"
    # A header that any client can send is no address.
    assert stranger.get(path, headers={"X-Forwarded-For": "203.0.113.1"}).status_code == 429
    assert Client(REMOTE_ADDR="203.0.113.9").get(path).status_code == 200
    # The window ends.
    monkeypatch.setattr("time.time", lambda: 1_000_020.0)
    assert answers(stranger, path, 4) == [200, 200, 200, 429]


def test_strangers_of_one_household_are_counted_together(db: None, rates: dict[str, str]) -> None:
    path = reverse("api-lobby")
    line = [Client(REMOTE_ADDR=f"2001:db8:1:2::{number}") for number in range(1, 5)]
    assert [client.get(path).status_code for client in line] == [200, 200, 200, 429]
    assert Client(REMOTE_ADDR="2001:db8:1:3::1").get(path).status_code == 200


def test_a_club_behind_one_address_watches_a_table(house: House, rates: dict[str, str]) -> None:
    path = reverse("api-table", args=[house.table("doudizhu").pk])
    assert answers(Client(), path, 101) == [200] * 100 + [429]
    # Other requests are counted apart, before and after.
    assert answers(Client(), reverse("api-lobby"), 4) == [200, 200, 200, 429]


def test_requests_are_counted_by_each_process_and_added_up(
    rates: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts of another process come with the next statement to Redis."""
    calls: list[str] = []

    class Redis:
        """A pipeline to a Redis where another process has counted two."""

        def __enter__(self) -> "Redis":
            return self

        def __exit__(self, *_: object) -> None: ...

        def set(self, *_: object, **__: object) -> None: ...

        def incrby(self, name: str, number: int) -> None:
            calls.append(f"{name} {number}")

        def execute(self) -> list[int]:
            return [1, 2 + sum(int(call.split()[1]) for call in calls)]

    client = type("Client", (), {"pipeline": lambda self, transaction: Redis()})()
    monkeypatch.setattr(announcing, "client", lambda: client)
    monkeypatch.setattr(batched_writes, "is_collecting", lambda: True)
    rate_limits.breaker.worked()
    with monkeypatch.context() as collecting:
        collecting.setattr(rate_limits.SHARES, "add", lambda *_: None)
        counted = [rate_limits.count_loosely("club", 60) for _ in range(3)]
        rate_limits.share({"club:16666": 60})
        counted.append(rate_limits.count_loosely("club", 60))
        rate_limits.share({"club:16666": 60})
    assert counted == [1, 2, 3, 6]
    assert [call.split()[1] for call in calls] == ["3", "1"]


def test_players_are_counted_each_for_themselves(
    alice: Player, bob: Player, rates: dict[str, str]
) -> None:
    for player in (alice, bob):
        headers = bearer(tokens.issue(player, timezone.now())[0])
        assert answers(Client(), WALLET, 10, headers=headers) == [200] * 9 + [429]


@pytest.mark.always
def test_writes_have_a_rate_limit_of_their_own(alice: Player, rates: dict[str, str]) -> None:
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
def shared(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Valkey]:
    """A Redis in which all count."""
    with valkey() as server:
        settings.REDIS_URL = server.url
        monkeypatch.setattr(announcing, "ANSWER_SECONDS_MAX", PATIENCE_SECONDS)
        announcing.client.cache_clear()
        monkeypatch.setattr(rate_limits, "breaker", announcing.Breaker())
        yield server
        announcing.client.cache_clear()


# A window that does not end while a test runs, whenever that is.
LONG = 10**10


def test_all_processes_count_together(shared: Valkey) -> None:
    assert [count("one", LONG) for _ in range(3)] == [1, 2, 3]
    key = "card-room:counts:one:0"
    # Another process counts in the same place.
    assert shared.client().incr(key) == 4
    assert count("one", LONG) == 5
    assert count("other", LONG) == 1
    assert 0 < shared.client().ttl(key) <= LONG


def test_without_redis_each_process_counts_for_itself(shared: Valkey) -> None:
    assert [count("one", LONG) for _ in range(3)] == [1, 2, 3]
    shared.stop()
    assert [count("one", LONG) for _ in range(3)] == [1, 2, 3]


def test_many_counted_requests_share_one_connection(db: None, shared: Valkey) -> None:
    """Pages run in threads, each in a context of its own."""
    before = int(shared.client().info("stats")["total_connections_received"])
    with ThreadPoolExecutor(1) as thread:
        for _ in range(30):
            fresh = contextvars.Context()
            assert thread.submit(fresh.run, count, "one", LONG).result() <= 30
    # One for all that is counted, and the one that asks.
    assert int(shared.client().info("stats")["total_connections_received"]) - before <= 2
