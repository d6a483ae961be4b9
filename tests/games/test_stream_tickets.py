"""Tickets of streams: one viewer, one table, one minute; and streams end with their sign-in."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client, RequestFactory
from django.utils import timezone

from casino.accounts import devices, freezing
from casino.accounts.models import AccessToken, Player
from casino.accounts.session_store import values_of
from casino.care import exclusions
from games.live import announcing, tickets
from games.live import hub as live_hub
from games.models import Table
from games.views.streams import Streams
from tests.games.house import House
from tests.games.listener import SIGN_INS, Listener, ticket_of
from tests.games.live_streams import address, cookie, hearing, meet
from tests.games.program import Program
from tests.games.stream_contents import Carried, carried_now
from tests.people import PASSWORD, client_of
from tests.valkey import Valkey

pytestmark = pytest.mark.django_db(transaction=True)

TRIO = ("alice", "bob", "carol")
AS_JSON = "&as=json"


@pytest.fixture
def table(house: House) -> Table:
    return house.dealt_in("doudizhu", *TRIO)


def listen(at: Streams, path: str, **headers: str) -> Listener:
    return Listener(at, path, **headers).open()


async def refused(at: Streams, path: str, **headers: str) -> int:
    listener = listen(at, path + AS_JSON, **headers)
    await listener.until_ended()
    assert "data:" not in listener.text
    return listener.status


@pytest.mark.always
def test_a_ticket_opens_its_own_table_for_its_own_viewer(house: House, table: Table) -> None:
    other = house.table("doudizhu")
    path = address(client_of(house.person("alice")), table)

    async def meeting(at: Streams) -> None:
        (mine,) = await carried_now(at, table, listen(at, path + AS_JSON))
        assert b'"number":1' in mine.own["mine"]
        elsewhere = path.replace(f"/tables/{table.pk}/", f"/tables/{other.pk}/")
        assert await refused(at, elsewhere) == 403
        # Names of a viewer or a table beside the ticket are not read.
        named = f"{path}&player=2&table={other.pk}&sign_in=s1&invitation=x"
        (same,) = await carried_now(at, table, listen(at, named + AS_JSON))
        assert same.table == mine.table

    meet(meeting)


@pytest.mark.always
def test_a_ticket_opens_nothing_without_the_sign_in_it_was_given_to(
    house: House, table: Table
) -> None:
    """Neither another player's browser, another one of the same player, nor a token of hers."""
    alice, program = house.person("alice"), Program("alice")
    mine, seen = address(client_of(alice), table), program.get(f"tables/{table.pk}/")["stream"]
    token = program.headers["Authorization"]
    others = [client_of(house.person("bob")), client_of(alice)]
    sent = [{"cookie": cookie(client)} for client in others]
    sent += [{"cookie": ""}, {"cookie": "", "authorization": token}, {"cookie": "sessionid="}]

    async def meeting(at: Streams) -> None:
        for headers in sent:
            assert await refused(at, mine, **headers) == 403, headers
        for headers in ({"authorization": ""}, {"authorization": f"{token}x"}, sent[0]):
            assert await refused(at, seen, **{"authorization": ""} | headers) == 403, headers

    meet(meeting)


@pytest.mark.always
def test_a_ticket_of_another_player_s_sign_in_has_no_viewer(
    house: House, rf: RequestFactory
) -> None:
    alice, bob = house.player("alice"), house.player("bob")
    request = rf.get("/")
    request.user, request.session = alice, client_of(alice).session
    sign_in = tickets.session_of(request)
    of = (alice.pk, bob.pk, None)
    viewers = [tickets.viewer_of(tickets.Ticket(1, player, sign_in)) for player in of]
    assert viewers == [alice, None, None]


def test_a_forged_ticket_opens_nothing(house: House, table: Table) -> None:
    path = address(client_of(house.person("alice")), table)
    said, _colon, signature = ticket_of(path).partition(":")
    bob = house.person("bob")
    forged = [
        "",
        "x",
        said,
        f"{said}:{signature[:-1]}",
        f"{said[:-1]}{'A' if said[-1] != 'A' else 'B'}:{signature}",
        signing.dumps([table.pk, bob.pk, "", "en", ""], key="guessed", salt=tickets.SALT),
        # Signed here, for something else.
        signing.dumps([table.pk, bob.pk, "", "en", ""], salt="elsewhere"),
        signing.dumps("nothing", salt=tickets.SALT),
        signing.dumps([table.pk, bob.pk, "", "en", "", "more"], salt=tickets.SALT),
    ]

    async def meeting(at: Streams) -> None:
        for ticket in forged[1:]:
            assert await refused(at, announcing.stream_path(table.pk, ticket)) == 403, ticket
        # An empty one is none: a stranger sees what strangers see.
        (seen,) = await carried_now(at, table, listen(at, f"{path.partition('?')[0]}?as=json"))
        assert not seen.own

    meet(meeting)


def test_a_ticket_of_another_player_s_session_opens_nothing(house: House, table: Table) -> None:
    path = address(client_of(house.person("alice")), table)
    said = tickets.read(signing_part(path))
    assert said is not None
    swapped = tickets.address_for(house.person("bob"), said.sign_in, table.pk)

    async def meeting(at: Streams) -> None:
        assert await refused(at, swapped, **SIGN_INS[ticket_of(path)]) == 404

    meet(meeting)


def signing_part(path: str) -> str:
    return ticket_of(path).replace("%3A", ":")


def test_a_ticket_is_too_old_after_a_minute(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = address(client_of(house.person("alice")), table)
    # The tests have given signing a clock of its own.
    clock = vars(signing)["time"]
    real = clock.time
    late = [0.0]
    monkeypatch.setattr(clock, "time", lambda: real() + late[0])

    async def meeting(at: Streams) -> None:
        (mine,) = await carried_now(at, table, listen(at, path + AS_JSON))
        assert mine.own
        late[0] = tickets.SECONDS_MAX + 1
        assert await refused(at, path) == 403
        # With the number of the last event, it is no younger.
        again = listen(at, path + AS_JSON, last_event_id=str(mine.version))
        await again.until_ended()
        assert again.status == 403

    meet(meeting)


def test_a_session_alone_opens_no_own_part(house: House, table: Table) -> None:
    alice = cookie(client_of(house.person("alice")))

    async def meeting(at: Streams) -> None:
        path = announcing.stream_path(table.pk)
        (seen,) = await carried_now(at, table, listen(at, f"{path}?as=json", cookie=alice))
        assert not seen.own

    meet(meeting)


def test_a_program_gets_a_ticket_with_each_look(house: House, table: Table) -> None:
    alice, nobody = Program("alice"), Program()
    paths = [program.get(f"tables/{table.pk}/")["stream"] for program in (alice, nobody)]

    async def meeting(at: Streams) -> None:
        mine, public = await carried_now(at, table, *[listen(at, path + AS_JSON) for path in paths])
        assert mine.own
        assert not public.own

    meet(meeting)


def test_a_stream_speaks_the_language_of_the_page(house: House, table: Table) -> None:
    house.person("alice")
    alice = client_of(house.person("alice"), headers={"Accept-Language": "zh-hant"})
    path = address(alice, table)

    async def meeting(at: Streams) -> None:
        stream = listen(at, path + AS_JSON, accept_language="en")
        (mine,) = await carried_now(at, table, stream)
        assert mine.table["game_name"].decode() == '"鬥地主"'

    meet(meeting)


def test_the_address_of_a_stream_is_given_to_whom_the_table_is_shown(house: House) -> None:
    table = house.table("doudizhu", private=True)
    path = f"/tables/{table.pk}/stream/"
    assert Client().get(path).status_code == 404
    assert client_of(house.player("alice")).get(path).status_code == 404
    assert Client().post(path).status_code == 405
    invited = Client().get(path, {"invitation": Table.objects.get(pk=table.pk).invitation})
    assert invited.status_code == 200
    assert "no-store" in invited["Cache-Control"]


# What ends a sign-in, given alice, her browser and her token.
End = Callable[[House, Player, Client], object]


def boss(house: House) -> Player:
    return Player.objects.create_superuser("boss", password=PASSWORD)


def signs_out(_house: House, _player: Player, browser: Client) -> None:
    assert browser.post("/players/sign-out/").status_code in (200, 302)


def is_signed_out_elsewhere(_house: House, player: Player, _browser: Client) -> None:
    devices.end_everywhere(player)


def changes_password(_house: House, player: Player, _browser: Client) -> None:
    player.set_password("another way to the river")
    player.save()


def is_frozen(house: House, player: Player, _browser: Client) -> None:
    freezing.freeze(boss(house), player.pk, "a test")


def excludes_themself(_house: House, player: Player, _browser: Client) -> None:
    exclusions.begin(player, exclusions.Kind.TIME_OUT, 1, timezone.now())


def gets_a_role(_house: House, player: Player, _browser: Client) -> None:
    player.groups.add(Group.objects.create(name="a test"))


ENDS: dict[str, End] = {
    end.__name__: end
    for end in (
        signs_out,
        is_signed_out_elsewhere,
        changes_password,
        is_frozen,
        excludes_themself,
        gets_a_role,
    )
}


@pytest.mark.always
@pytest.mark.parametrize("how", ENDS)
def test_a_stream_ends_at_once_in_each_process(
    redis: Valkey, house: House, table: Table, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """No look at the database helps here: only the message does."""
    monkeypatch.setattr(live_hub, "LOOK_SECONDS", 86_400)
    alice = house.person("alice")
    browser = client_of(alice)
    path = address(browser, table)
    others = address(client_of(house.person("bob")), table)

    async def meeting(at: Streams) -> None:
        hers, his = listen(at, path + AS_JSON), listen(at, others + AS_JSON)
        nobody = listen(at, announcing.stream_path(table.pk))
        await carried_now(at, table, hers, his)
        await hearing(at)
        announcing.breaker.worked()
        await at.hub.ask_database(lambda: ENDS[how](house, alice, browser))
        await hers.until_ended()
        assert hers.ended
        assert not his.ended
        assert not nobody.ended

    meet(meeting)


def test_a_token_s_streams_end_with_the_token(redis: Valkey, house: House, table: Table) -> None:
    program, other = Program("alice"), Program("alice")
    paths = [client.get(f"tables/{table.pk}/")["stream"] for client in (program, other)]

    async def meeting(at: Streams) -> None:
        listener, two = [listen(at, path + AS_JSON) for path in paths]
        await carried_now(at, table, listener, two)
        await hearing(at)
        announcing.breaker.worked()
        await at.hub.ask_database(lambda: program.post("sign-out/"))
        await listener.until_ended()
        assert not two.ended
        assert await refused(at, paths[0]) == 404

    meet(meeting)


def test_no_other_change_of_a_player_ends_a_stream(
    redis: Valkey, house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_hub, "LOOK_SECONDS", 86_400)
    alice = house.person("alice")
    by_page = address(client_of(alice), table)
    by_token = Program("alice").get(f"tables/{table.pk}/")["stream"]
    others = address(client_of(house.person("bob")), table)

    def change() -> None:
        alice.language, alice.face, alice.last_login = "zh-hant", 7, timezone.now()
        alice.save()
        for token in AccessToken.objects.filter(player=alice):
            token.seen_at = timezone.now()
            token.save()
        # The messages are read in order: his stream ends after hers were checked.
        freezing.freeze(boss(house), house.person("bob").pk, "a test")

    async def meeting(at: Streams) -> None:
        streams = [listen(at, link + AS_JSON) for link in (by_page, by_token, others)]
        await carried_now(at, table, *streams)
        await hearing(at)
        announcing.breaker.worked()
        await at.hub.ask_database(change)
        await streams[2].until_ended()
        assert [stream.ended for stream in streams] == [False, False, True]

    meet(meeting)


def forgets_session(player: Player) -> None:
    for row in Session.objects.all():
        if values_of(row).get("_auth_user_id") == str(player.pk):
            Session.objects.filter(pk=row.pk).delete()


def hidden_from_signals(**changed: Any) -> Callable[[Player], object]:
    return lambda player: Player.objects.filter(pk=player.pk).update(**changed)


@pytest.mark.parametrize(
    "change",
    [
        forgets_session,
        hidden_from_signals(is_active=False),
        hidden_from_signals(password="!"),
        hidden_from_signals(is_staff=True),
    ],
    ids=["session", "frozen", "password", "rights"],
)
def test_without_a_message_the_look_ends_the_stream(
    house: House, table: Table, change: Callable[[Player], object]
) -> None:
    alice = house.person("alice")
    path = address(client_of(alice), table)
    others = address(client_of(house.person("bob")), table)
    token = Program("carol").get(f"tables/{table.pk}/")["stream"]

    async def meeting(at: Streams) -> None:
        hers, his, carols = [listen(at, link + AS_JSON) for link in (path, others, token)]
        await carried_now(at, table, hers, his, carols)
        await at.hub.look()
        assert not hers.ended
        await at.hub.ask_database(lambda: change(alice))
        await at.hub.look()
        await hers.until_ended()
        assert not his.ended
        await at.hub.ask_database(AccessToken.objects.all().delete)
        await at.hub.look()
        await carols.until_ended()
        assert not his.ended

    meet(meeting)


def test_a_sign_out_while_the_stream_opens_is_not_missed(house: House, table: Table) -> None:
    path = address(client_of(house.person("alice")), table)
    said = tickets.read(signing_part(path))
    assert said is not None

    async def meeting(at: Streams) -> None:
        hers = Listener(at, path + AS_JSON)
        hers.takes.clear()
        hers.open()
        while not len(at.hub):
            await asyncio.sleep(0)
        at.hub.changed(said.sign_in.encode())
        hers.takes.set()
        await hers.until_ended()
        assert not Carried(hers).events

    meet(meeting)


def test_a_ticket_of_an_ended_session_opens_nothing(house: House, table: Table) -> None:
    browser = client_of(house.person("alice"))
    path = address(browser, table)
    browser.post("/players/sign-out/")

    async def meeting(at: Streams) -> None:
        assert await refused(at, path) == 404

    meet(meeting)


def test_malformed_ends_are_ignored(redis: Valkey, house: House, table: Table) -> None:
    path = address(client_of(house.person("alice")), table)

    async def meeting(at: Streams) -> None:
        hers = listen(at, path + AS_JSON)
        await carried_now(at, table, hers)
        await hearing(at)
        for payload in (b"", b"player:", b"player:None", b"session:", b"saved:1", b"\xff:"):
            announcing.client().publish(announcing.FORGET, payload)
        announcing.breaker.worked()
        announcing.announce_chat(table.pk, 7)
        await hers.until("event: chat\ndata: 7\n")
        assert not hers.ended

    meet(meeting)
