"""Cheating over HTTP: odd addresses and forms, other players' data, many requests at once."""

from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from casino.accounts.models import Player
from games.chat.models import ChatLine
from games.lobby import private_tables
from games.models import Hand, Move, Seat, Table
from games.records import sharing
from games.tables import seating
from games.tables.hand_digest import visible_move
from games.urls import urlpatterns
from tests.games.house import House
from tests.games.markup import cards_in
from tests.games.viewers import NAMES
from tests.people import HTMX, client_of


def ended(house: House, game: str, *names: str, **fields: Any) -> Hand:
    table = house.dealt_in(game, *names, **fields)
    first = table.hand_id
    house.until(table, lambda table: table.hand_id != first)
    return Hand.objects.select_related("shoe", "table").get(pk=first)


@pytest.mark.slow
def test_unstorable_characters_cause_no_server_error(house: House) -> None:
    hand = ended(house, "doudizhu", *NAMES[:3])
    client = client_of(house.person("alice"))
    table = hand.table_id
    looked_at = [
        "/shared/a%00b/",
        "/shared/a%00b/record/",
        "/shared/a%00b/step/0/",
        f"/private/{table}/?invitation=%00",
        f"/tables/{table}/?invitation=%00&help=%00",
        "/lobby/?game=%00&currency=%00&sort=%00",
        "/history/?table=%00&code=%00&currency=%00&least=%00&before=%00",
        "/history/profit/?currency=%00&span=%00",
        "/play/doudizhu/?stakes=%00&table=%00",
        "/running/?known=%00",
        f"/history/{hand.pk}/?step=%00",
        f"/history/{10**30}/",
        f"/history/{hand.pk}/step/{10**30}/",
        f"/tables/{10**30}/shoes/",
        f"/private/{10**30}/",
    ]
    for address in looked_at:
        assert client.get(address).status_code < 500, address
    sent = [
        (f"/tables/{table}/chat/mute/", {"name": "a\0b"}),
        (f"/tables/{table}/chat/unmute/", {"name": "a\0b"}),
        (f"/tables/{table}/chat/say/", {"text": "a\0b"}),
        (f"/tables/{table}/chat/say/", {"phrase": "a\0b"}),
        (f"/tables/{table}/mix/", {"mix": f"a\0b {'0' * 64}"}),
        (f"/tables/{table}/mix/", {"mix": f"T1-1 {'0' * 64}"}),
        (f"/tables/{table}/top-up/", {"amount": "1", "key": "a\0b"}),
        (f"/tables/{table}/top-up/", {"amount": "1", "key": "k" * 5000}),
        (f"/tables/{table}/rows/", {"place-\0": "front"}),
        (f"/tables/{table}/reading/", {"cards": "\0"}),
        ("/private/", {"like": "\0", "speed": "usual"}),
        ("/play/doudizhu/", {"stakes": "\0", "table": "\0"}),
    ]
    for address, data in sent:
        assert client.post(address, data, headers=HTMX).status_code < 500, (address, data)


def posts() -> list[str]:
    """Every address of the games that does something when it is posted to."""
    client = Client()
    addresses = []
    for urlpattern in urlpatterns:
        assert isinstance(urlpattern, URLPattern)
        values = {
            "table_id": 1,
            "hand_id": 1,
            "seat_id": 1,
            "number": 0,
            "token": "t",
            "game": "doudizhu",
            "code": "00000000-0000-4000-8000-000000000000",
        }
        arguments = {name: values[name] for name in urlpattern.pattern.converters}
        address = reverse(str(urlpattern.name), kwargs=arguments)
        if client.get(address).status_code == 405 or urlpattern.name in (
            "play-now",
            "private-tables",
            "private-table",
        ):
            addresses.append(address)
    return addresses


@pytest.mark.slow
@pytest.mark.django_db
def test_forms_of_other_sites_are_refused() -> None:
    addresses = posts()
    assert len(addresses) > 20
    client = Client(enforce_csrf_checks=True)
    for address in addresses:
        assert client.post(address).status_code == 403, address


@pytest.mark.always
def test_wrong_invitation_does_not_replace_a_valid_one(house: House) -> None:
    table = house.table("doudizhu", private=True)
    client = Client()
    for address in (f"/tables/{table.pk}/", f"/private/{table.pk}/"):
        assert client.get(address, {"invitation": table.invitation}).status_code == 200
        client.get(address, {"invitation": "x"})
        assert client.get(address).status_code == 200


def test_an_invitation_that_opens_nothing_is_not_kept(house: House) -> None:
    table = house.table("doudizhu", private=True)
    public = house.table("doudizhu")
    client = Client()
    for number in (table.pk, public.pk, 999_999):
        for address in (f"/tables/{number}/", f"/private/{number}/"):
            client.get(address, {"invitation": "x" * 2000})
    assert not client.session.keys()


def test_visible_moves_do_not_reveal_a_declared_natural(house: House) -> None:
    """Also of a voided hand, which never ends."""
    rows = {"front": ["2c"] * 3, "middle": ["3c"] * 5, "back": ["4c"] * 5}
    plain = {"do": "arrange", **rows, "declare": None}
    natural = {"do": "arrange", "front": [], "middle": [], "back": [], "declare": "dragon"}

    def visible_to(action: dict[str, Any], viewer: int) -> object:
        move = Move(number=0, seat=2, action=action, by="player", at=house.now)
        # The reader holds some of the cards; not even their places are visible.
        return visible_move(move, viewer, frozenset(["2c"]), over=False)["action"]

    assert visible_to(plain, 1) == visible_to(natural, 1)
    assert cards_in(str(visible_to(plain, 1))) == set()
    assert (visible_to(plain, 2), visible_to(natural, 2)) == (plain, natural)


def test_shared_hand_does_not_reveal_who_opened_its_table(house: House) -> None:
    house.table("doudizhu")
    alice = house.player("alice")
    table = private_tables.open_table(alice, Table.objects.get().pk, "usual", False, house.now)
    for number, name in enumerate(NAMES[:3], 1):
        player = alice if name == "alice" else house.player(name)
        seating.sit(player, table.pk, number, table.buy_in_min, house.now, table.invitation)
    house.until(table, lambda table: table.hand_id is not None)
    hand = table.hand_id
    assert hand is not None
    house.until(table, lambda table: table.hand_id is None)
    shared = sharing.share(house.person("bob"), hand, house.now, named=True)
    for address in (f"/shared/{shared.token}/", f"/shared/{shared.token}/record/"):
        text = Client().get(address).text
        assert "alice" not in text
        assert table.invitation not in text
        assert "carol" not in text


def test_chat_line_needs_visible_text_and_caps_accents(house: House) -> None:
    table = house.table("doudizhu")
    house.sit(house.player("alice"), table, 1)
    client = client_of(house.person("alice"))
    address = f"/tables/{table.pk}/chat/say/"
    for empty in ("\u200d", "\u200d \u200d", "\u2800", "\u3164\u115f", "\u0301\u0301"):
        answer = client.post(address, {"text": empty}, headers=HTMX)
        assert 'data-code="chat_empty"' in answer.text, ascii(empty)
    client.post(address, {"text": "a" + "\u0301" * 100 + "b"}, headers=HTMX)
    assert ChatLine.objects.get().text == "a" + "\u0301" * 4 + "b"


def test_a_preference_leads_to_no_other_house(house: House) -> None:
    for header in ("Referer", "HX-Current-URL"):
        for slashes in ("//", "/\\", "///"):
            answer = Client().post(
                reverse("look"),
                {"theme": "dark"},
                headers={header: f"http://testserver{slashes}elsewhere.example/x"},
            )
            assert answer["Location"] == "/elsewhere.example/x", (header, slashes)


def test_malformed_amounts_of_any_length_are_refused(house: House) -> None:
    table = house.table("blackjack")
    client = client_of(house.player("alice"))
    long = ("1" + ",000" * 1500, "1" + " 000" * 6, "9" * 5000)
    for amount in (*long, "1e9", "0x10", "-5", "\u00b2"):
        for verb in ("sit", "top-up"):
            data = {"seat": "1", "amount": amount, "key": "k"}
            assert client.post(f"/tables/{table.pk}/{verb}/", data).status_code == 400, amount[:9]
    assert not table.seats.exists()


def test_malformed_requests_cause_no_server_error(house: House) -> None:
    client = client_of(Player.objects.create_superuser("chief"))
    for address in (
        "/api/v1/wallet/%00/",
        "/admin/games/shoe/%00/change/",
        "/admin/games/hand/?status__exact=%00",
        "/admin/games/table/?name=a%00b",
        "/admin/games/table/?name__regex=(",
        "/admin/games/hand/abc/take-back/",
    ):
        assert client.get(address).status_code in (302, 400, 404), address
    session = {"Cookie": r'sessionid="\000aaaaaaaaaa"'}
    assert client.get("/lobby/", headers=session).status_code in (302, 400, 404)
    headers = HTMX | {"HX-Current-URL": "http://["}
    for address in ("/", "/lobby/", "/running/"):
        assert Client().get(address, headers=headers).status_code in (200, 204), address


@pytest.mark.always
def test_form_submissions_are_rate_limited(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.web.rate_limits.FORMS_A_MINUTE", 4)
    monkeypatch.setattr("time.time", lambda: 1_900_000_000.0)
    table = house.table("blackjack")
    alice, bob = (client_of(house.player(name)) for name in ("alice", "bob"))

    def sent(client: Client, verb: str) -> int:
        data = {"seat": "1", "amount": "500"}
        return client.post(f"/tables/{table.pk}/{verb}/", data, headers=HTMX).status_code

    assert [sent(alice, verb) for verb in ("sit", "leave") * 3] == [200] * 4 + [429] * 2
    assert Seat.objects.count() == 2
    assert sent(bob, "sit") == 200
    assert alice.get(f"/tables/{table.pk}/").status_code == 200
