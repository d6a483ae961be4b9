"""Who sends a request is remembered for a minute, and forgotten by every process at once."""

import asyncio
import importlib.util
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.accounts import devices, freezing, sign_in_cache
from casino.accounts.models import Player
from casino.accounts.session_store import stored_key
from casino.accounts.staff import appoint
from casino.care import exclusions
from games.views.streams import Streams
from tests.casino.floor_scene import member
from tests.games.house import House
from tests.games.listener import Listener
from tests.games.live_streams import address, hearing, meet
from tests.games.program import Program
from tests.heard import all_heard
from tests.people import client_of
from tests.valkey import Valkey
from tests.waiting import until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("redis"),
    pytest.mark.always,
]


@pytest.fixture
def listening(redis: Valkey) -> Iterator[None]:
    sign_in_cache.start()
    until(sign_in_cache.is_listening)
    yield
    sign_in_cache.stop()


@pytest.fixture
def elsewhere(redis: Valkey) -> Iterator[ModuleType]:
    """The memory of another process: a module of its own, which shares nothing but Redis."""
    assert sign_in_cache.__spec__ is not None
    spec = importlib.util.spec_from_file_location("elsewhere", sign_in_cache.__spec__.origin)
    assert spec is not None
    assert spec.loader is not None
    other = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(other)
    other.start()
    until(other.is_listening)
    yield other
    other.stop()


def tables_read(work: Callable[[], object]) -> list[str]:
    """The tables from which a request reads who sends it."""
    with CaptureQueriesContext(connection) as statements:
        work()
    who = ("players_player", "players_accesstoken", "django_session")
    # What a page reads together on PostgreSQL is about players, and not about the sender.
    alone = [sent["sql"] for sent in statements if "json_agg" not in sent["sql"]]
    tables = [name for sql in alone for name in re.findall(r'FROM "(\w+)"', sql)]
    return [table for table in tables if table in who]


@pytest.mark.usefixtures("listening")
def test_a_second_request_reads_nobody(house: House) -> None:
    client = client_of(house.player("alice"))
    program = Program("alice")
    for request in (lambda: client.get("/rules/"), lambda: program.get("wallet/")):
        request()
        # What the sign-in has announced is forgotten once more when it is heard.
        all_heard()
        request()
        assert tables_read(request) == []


def test_without_redis_nothing_is_remembered(house: House) -> None:
    client = client_of(house.player("alice"))
    client.get("/rules/")
    assert tables_read(lambda: client.get("/rules/")) == ["django_session", "players_player"]


def sign_out(_house: House, _alice: Player, client: Client) -> None:
    client.post(reverse("sign-out"))


def freeze(house: House, alice: Player, _client: Client) -> None:
    freezing.freeze(member(house, "managers"), alice.pk, "A test.")


def exclude(house: House, alice: Player, _client: Client) -> None:
    exclusions.begin(alice, "time_out", 7, house.now)


def change_password(_house: House, alice: Player, _client: Client) -> None:
    alice.set_password("another password for tests")
    alice.save()


def end_everywhere(_house: House, alice: Player, _client: Client) -> None:
    devices.end_everywhere(alice)


ENDS = [sign_out, freeze, exclude, change_password, end_everywhere]


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("end", ENDS)
def test_the_next_request_is_a_strangers(
    house: House, elsewhere: ModuleType, end: Callable[[House, Player, Client], None]
) -> None:
    alice = house.player("alice")
    client, program = client_of(alice), Program("alice")
    assert client.get("/wallet/").status_code == 200
    program.get("wallet/")
    session = stored_key(client.cookies["sessionid"].value)
    elsewhere.remember("session", session, lambda: "a session")
    elsewhere.remember("player", str(alice.pk), lambda: alice)
    kept = client.cookies["sessionid"].value
    end(house, alice, client)
    client.cookies["sessionid"] = kept
    assert client.get("/wallet/").status_code == 302
    if end is not sign_out:
        program.get("wallet/")
        assert program.status == 401
    # Another process is told of the one or the other.
    known = elsewhere.is_cached
    until(lambda: not (known("session", session) and known("player", str(alice.pk))))


@pytest.mark.usefixtures("listening")
def test_a_token_that_is_signed_out_ends_elsewhere_too(house: House, elsewhere: ModuleType) -> None:
    house.player("alice")
    program = Program("alice")
    token = Player.objects.get(username="alice").access_tokens.get()
    elsewhere.remember("token", token.digest, lambda: token)
    program.post("sign-out/")
    until(lambda: not elsewhere.is_cached("token", token.digest))
    program.get("wallet/")
    assert program.status == 401


@pytest.mark.usefixtures("listening")
def test_a_role_counts_at_once(house: House) -> None:
    alice = house.player("alice")
    client = client_of(alice)
    assert client.get("/admin/").status_code == 302
    appoint(alice, "auditor")
    client.force_login(Player.objects.get(pk=alice.pk))
    assert client.get("/admin/").status_code == 200
    alice.groups.remove(*Group.objects.all())
    Player.objects.filter(pk=alice.pk).update(is_staff=False)
    assert client.get("/admin/").status_code == 302


@pytest.mark.usefixtures("listening")
def test_a_request_may_change_its_player_without_changing_the_next(house: House) -> None:
    client = client_of(house.player("alice"))

    def is_remembered() -> bool:
        """What the sign-in has told all processes to forget may arrive after a request."""
        client.get("/rules/")
        number = client.session["_auth_user_id"]
        return sign_in_cache.remember("player", number, lambda: None) is not None

    until(is_remembered)
    request: Any = client.get("/wallet/").wsgi_request
    request.user.language = "zh-hans"
    request = client.get("/wallet/").wsgi_request
    assert request.user.language == ""


def test_what_is_read_before_a_change_is_not_remembered_after_it(
    elsewhere: ModuleType, house: House
) -> None:
    def read_and_be_overtaken() -> str:
        sign_in_cache.forget("token", "any")
        until(lambda: elsewhere.changes() > before)
        return "old"

    before = elsewhere.changes()
    elsewhere.remember("player", "1", read_and_be_overtaken)
    assert not elsewhere.is_cached("player", "1")


@pytest.mark.parametrize("end", [sign_out, freeze, exclude])
def test_a_stream_ends_with_its_session(
    house: House, end: Callable[[House, Player, Client], None]
) -> None:
    alice, bob = house.player("alice"), house.player("bob")
    table = house.table("doudizhu")
    mine, other = client_of(alice), client_of(bob)
    paths = [address(client, table) for client in (mine, other)]

    async def meeting(at: Streams) -> None:
        stream, remains = (Listener(at, path).open() for path in paths)
        for listener in (stream, remains):
            await listener.until("event: version")
        await hearing(at)
        await asyncio.to_thread(end, house, alice, mine)
        await stream.until_ended()
        assert not remains.ended
        await remains.leave()

    meet(meeting)
