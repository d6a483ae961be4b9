"""The lobby, and the shortest way to a seat."""

import json
import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from games.models import Hand, Seat, Table
from games.rules.catalogue import GAMES
from games.tables import admission
from tests.casino.browsers import NEW
from tests.games.house import House
from tests.people import HTMX, client_of
from wallets.models import Currency
from wallets.values.errors import Refused


def test_the_lobby_lists_what_can_be_played_and_watched(house: House) -> None:
    shown = house.table("baccarat", name="Dragon")
    house.table("doudizhu", name="Yard")
    house.table("baccarat", name="Hidden", private=True)
    house.table("baccarat", name="Closed off", status=Table.Status.CLOSED)
    house.sit(house.player("alice"), shown, 1)
    text = Client().get("/lobby/").text
    assert "Dragon" in text
    assert "Yard" in text
    assert "Hidden" not in text
    assert "Closed off" not in text
    assert 'title="alice"' in text


def test_my_tables_stand_on_top_and_say_when_they_wait_for_me(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    mine = client_of(house.person("alice")).get("/lobby/").text
    assert mine.index(f'id="mine-{table.pk}"') < mine.index("Play now")
    assert "Your move" in mine
    others = client_of(house.player("bob")).get("/lobby/").text
    assert "mine-" not in others
    assert f'id="table-{table.pk}"' in others
    assert f'id="running-{table.pk}"' not in others


def test_a_line_and_a_tile_are_made_for_each_kind_of_reader(
    house: House, request: pytest.FixtureRequest
) -> None:
    table = house.table("baccarat", name="Dragon")
    alice, bob, carol = map(house.player, ("alice", "bob", "carol"))
    house.sit(alice, table, 1)
    refused = Refused("not_you", "Not you.")
    admission.RULES.add("carol", lambda given: refused if given.player == carol else None)
    request.addfinalizer(lambda: admission.RULES.remove("carol"))

    def seen_by(player: Player, language: str = "en") -> tuple[bool, ...]:
        text = client_of(player).get("/lobby/", headers={"accept-language": language}).text
        to_seat, to_game = f'name="table" value="{table.pk}"', 'formaction="/play/baccarat/"'
        return tuple(words in text for words in ("you are in", to_seat, to_game, "Play now"))

    for _look in range(2):
        assert seen_by(alice) == (True, False, True, True)
        assert seen_by(bob) == (False, True, True, True)
        assert seen_by(carol) == (False, False, False, True)
        assert seen_by(bob, "zh-hans") == (False, True, True, False)


def test_the_lobby_is_only_looked_at(house: House) -> None:
    for address in ("/", "/lobby/", "/running/"):
        assert Client().post(address).status_code == 405


def test_a_stranger_signs_up_on_the_way_to_a_seat_and_then_sits_at_once(house: House) -> None:
    table, other = house.table("baccarat"), house.table("baccarat", buy_in_min=5_000)
    stranger = Client()
    answer = stranger.post("/play/baccarat/", {"table": table.pk})
    address = f"/play/baccarat/?table={table.pk}"
    assert answer["Location"] == f"/players/sign-up/?next={quote(address, safe='/')}"
    assert not Seat.objects.exists()
    answer = stranger.post("/players/sign-up/", NEW | {"next": address}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/tables/{table.pk}/"
    assert Seat.objects.get().table == table
    # It was asked for once: other addresses, and a later visit, only show what they offer.
    assert stranger.get(f"/play/baccarat/?table={other.pk}").status_code == 200
    assert stranger.get(address).status_code == 200
    assert Seat.objects.count() == 1


def test_an_address_alone_gives_nobody_a_seat(house: House) -> None:
    table = house.table("baccarat")
    stranger = Client()
    address = f"/play/baccarat/?table={table.pk}"
    stranger.get(address)
    assert (
        stranger.post("/players/sign-up/", NEW | {"next": address}, follow=True).status_code == 200
    )
    assert not Seat.objects.exists()


def test_play_now_brings_a_player_back_who_sits_out(house: House) -> None:
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    alice = client_of(house.person("alice"))
    alice.post(reverse("table-sit-out", args=[table.pk]))
    assert "you sit out" in alice.get("/lobby/").text
    assert "You sit out" in alice.get(f"/tables/{table.pk}/").text
    assert alice.post("/play/baccarat/")["Location"] == f"/tables/{table.pk}/"
    assert not Seat.objects.get().sits_out
    assert "you sit out" not in alice.get("/lobby/").text


def test_play_now_asks_before_money_moves(house: House) -> None:
    house.table("baccarat")
    client = client_of(house.player("alice"))
    assert client.get("/play/baccarat/").status_code == 200
    assert not Seat.objects.exists()
    assert client.put("/play/baccarat/").status_code == 405
    assert client.get("/play/poker/").status_code == 404
    assert client.post("/play/poker/").status_code == 404


@pytest.mark.parametrize("game", ["baccarat", "blackjack", "chinese_poker", "doudizhu"])
def test_play_now_finds_a_table_with_immediate_play(house: House, game: str) -> None:
    house.bots(4)
    house.table(game, name="Lonely", buy_in_min=5_000, bots_max=0)
    house.table(game, name="Dear", buy_in_min=50_000, bots_max=3)
    right = house.table(game, name="Right", bots_max=3)
    alice = house.player("alice", 0)
    client = client_of(alice)
    answer = client.post(f"/play/{game}/")
    if GAMES[game].family in ("thirteen", "doudizhu"):
        assert answer["Location"] == f"/tables/{right.pk}/"
    seat = Seat.objects.get(player=alice)
    assert seat.stack.balance == seat.table.buy_in_min
    # Once more leads back to the same seat.
    assert client.post(f"/play/{game}/")["Location"] == answer["Location"]
    assert Seat.objects.filter(player=alice).count() == 1
    house.until(seat.table, lambda table: table.phase == Table.Phase.PLAY)
    assert client.get(answer["Location"]).status_code == 200


def test_those_who_sit_out_are_no_company_for_a_stranger(house: House) -> None:
    house.bots(2)
    left = house.table("doudizhu", name="Left", buy_in_min=5_000, bots_max=2)
    right = house.table("doudizhu", name="Right", buy_in_min=10_000, bots_max=2)
    for number, name in enumerate(("bob", "carol"), 1):
        house.sit(house.player(name), left, number)
        house.change(left, name, sits_out=True)
    assert "waits for players" not in tile(Client().get("/").text, "all-doudizhu")
    client = client_of(house.player("alice"))
    assert client.post("/play/doudizhu/")["Location"] == f"/tables/{right.pk}/"


def test_a_newcomer_is_given_play_money_once(house: House) -> None:
    house.table("baccarat")
    alice = house.player("alice", 0)
    client = client_of(alice)
    client.post("/play/baccarat/")
    given = house.wallet(alice).balance + Seat.objects.get(player=alice).stack.balance
    assert given == 1_000_000
    house.leave(alice, Table.objects.get())
    client.post("/play/baccarat/")
    assert house.wallet(alice).balance + Seat.objects.latest("pk").stack.balance == given
    assert house.total() == 0


def test_play_now_says_when_every_seat_is_taken(house: House) -> None:
    table = house.table("doudizhu")
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        house.sit(house.player(name), table, number)
    answer = client_of(house.player("alice")).post("/play/doudizhu/")
    assert answer.status_code == 409
    assert "No table of this game has a free seat" in answer.text
    assert client_of(house.person("alice")).post("/play/baccarat/").status_code == 409
    assert Seat.objects.count() == 3


def test_a_bot_gives_its_seat_to_a_person(house: House) -> None:
    table = house.among_bots("doudizhu", "bob")
    house.until(table, lambda table: table.seats.count() == 3)
    Table.objects.filter(pk=table.pk).update(phase=Table.Phase.PAUSE, hand=None)
    answer = client_of(house.player("alice")).post("/play/doudizhu/")
    assert answer.status_code == 302
    assert Seat.objects.filter(player__username="alice", left_at__isnull=True).exists()


# Filters and order


def names_in(text: str) -> list[str]:
    return re.findall(r'id="table-\d+">\s*<span class="what"><a[^>]*><b>([^<]*)</b>', text)


@pytest.fixture
def many(house: House) -> House:
    euro = Currency.objects.create(code="EUR", name="Euro")
    cheap = house.table("baccarat", name="Cheap", buy_in_min=1_000, decision_seconds=40)
    house.table("doudizhu", name="Fair", buy_in_min=10_000, decision_seconds=10)
    house.table("baccarat_commission", name="Dear", buy_in_min=90_000, decision_seconds=30)
    house.table("baccarat", name="Foreign", buy_in_min=50_000, currency=euro, decision_seconds=20)
    full = house.table("doudizhu", name="Full", buy_in_min=10_000, decision_seconds=50)
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        house.sit(house.player(name), full, number)
    house.bots(1)
    bot = Player.objects.get(is_bot=True)
    house.give(bot, 50_000)
    house.sit(bot, cheap, 1)
    return house


FILTERS = [
    ("", {"Cheap", "Fair", "Dear", "Foreign", "Full"}),
    ("game=nonsense&stakes=nonsense&sort=nonsense", {"Cheap", "Fair", "Dear", "Foreign", "Full"}),
    ("game=baccarat", {"Cheap", "Foreign"}),
    ("game=all-baccarat", {"Cheap", "Dear", "Foreign"}),
    ("game=all-thirteen", set()),
    ("currency=EUR", {"Foreign"}),
    ("currency=GONE", set()),
    ("stakes=low", {"Cheap", "Foreign"}),
    ("stakes=middle", {"Fair", "Full"}),
    ("stakes=high", {"Dear"}),
    ("free=1", {"Cheap", "Fair", "Dear", "Foreign"}),
    ("people=1", {"Full"}),
    ("open=1", {"Cheap", "Fair", "Dear", "Foreign"}),
    ("game=doudizhu&open=1&stakes=middle", {"Fair"}),
]


ORDERED = [
    ("stakes", ("Cheap", "Full"), ("Foreign", "Fair", "Dear")),
    ("people", ("Full", "Cheap"), ("Foreign", "Dear", "Fair")),
    ("speed", ("Cheap", "Full"), ("Fair", "Foreign", "Dear")),
]


@pytest.mark.always
def test_the_lobby_shows_and_sorts_what_its_address_asks_for(many: House) -> None:
    for query, names in FILTERS:
        page = Client().get(f"/lobby/?{query}").text
        part = Client().get(f"/lobby/?{query}", headers=HTMX).text
        assert "<html" not in part
        assert set(names_in(page)) == set(names_in(part)) == names, query
        assert ("No table matches these filters." in page) == (not names)
    # Empty tables come after the others, in the same order.
    for order, living, empty in ORDERED:
        assert names_in(Client().get(f"/lobby/?sort={order}").text) == [*living, *empty]


@pytest.mark.always
def test_filters_chosen_on_the_page_appear_in_its_address(many: House) -> None:
    here = HTMX | {"HX-Current-URL": "http://testserver/lobby/"}
    filters = {"game": "doudizhu", "currency": "", "stakes": "", "sort": "", "open": "1"}
    answer = Client().get("/lobby/", filters, headers=here)
    assert answer["HX-Replace-Url"] == "/lobby/?game=doudizhu&open=1"
    there = HTMX | {"HX-Current-URL": "http://testserver/lobby/?game=doudizhu&open=1"}
    assert "HX-Replace-Url" not in Client().get("/lobby/", filters, headers=there)
    page = Client().get("/lobby/?game=doudizhu&open=1").text
    assert '<option value="doudizhu" selected>' in page
    assert 'name="open" value="1" checked' in page


def test_the_lobby_is_sent_only_when_it_has_changed_for_its_reader(house: House) -> None:
    table = house.table("baccarat")
    client = client_of(house.player("alice"))
    match = re.search(r'name="known" value="(\w+)"', client.get("/lobby/").text)
    assert match
    same = client.get("/lobby/", {"known": match[1]}, headers=HTMX)
    assert (same.status_code, json.loads(same["HX-Trigger"])) == (204, {"room": {}})
    # Another language is another page.
    other = HTMX | {"Accept-Language": "zh-hans"}
    assert Client().get("/lobby/", {"known": match[1]}, headers=other).status_code == 200
    house.sit(house.player("bob"), table, 1)
    changed = client.get("/lobby/", {"known": match[1]}, headers=HTMX)
    assert changed.status_code == 200
    assert 'title="bob"' in changed.text


@pytest.mark.always
def test_a_row_says_how_many_hands_an_hour_are_played(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    house.until(table, lambda table: table.hands_dealt == 3)
    cache.clear()
    pace = 'class="pace">20<'
    assert pace in Client().get("/lobby/").text
    Hand.objects.update(ended_at=timezone.now() - timedelta(hours=2))
    assert pace in Client().get("/lobby/").text, "it is counted once a minute"
    cache.clear()
    assert 'class="pace"></span>' in Client().get("/lobby/?game=baccarat").text


def test_a_table_says_that_it_closes(house: House) -> None:
    house.dealt_in("baccarat", "alice", name="Runs")
    house.table("baccarat", name="Closes", status=Table.Status.CLOSING)
    text = Client().get("/lobby/").text
    for name, closes in (("Runs", False), ("Closes", True)):
        row = text[text.index(f"<b>{name}</b>") :].split("</li>")[0]
        assert ('class="state closing"' in row) == closes


# A chosen table


def test_one_sits_at_a_chosen_table_in_one_press(house: House) -> None:
    house.table("baccarat", name="Cheap", buy_in_min=1_000)
    chosen = house.table("baccarat", name="Chosen", buy_in_min=20_000)
    client = client_of(house.player("alice"))
    address = f"/play/baccarat/?table={chosen.pk}"
    assert f'name="table" value="{chosen.pk}"' in client.get("/lobby/").text
    assert f'href="/tables/{chosen.pk}/"' in client.get("/lobby/").text
    assert "Chosen" in client.get(address).text
    answer = client.post("/play/baccarat/", {"table": chosen.pk})
    assert answer["Location"] == f"/tables/{chosen.pk}/"
    assert Seat.objects.get().stack.balance == 20_000
    # At one's own table one goes on.
    row = client.get("/lobby/").text.split(f'id="table-{chosen.pk}"')[1].split("</li>")[0]
    assert "Go back" in row
    assert "Sit" not in row


def test_a_table_that_closed_meanwhile_says_so(house: House) -> None:
    client = client_of(house.player("alice"))
    for status in (Table.Status.CLOSED, Table.Status.CLOSING):
        table = house.table("baccarat", status=status)
        for answer in (
            client.get(f"/play/baccarat/?table={table.pk}"),
            client.post("/play/baccarat/", {"table": table.pk}),
        ):
            assert answer.status_code == 409
            assert f'data-code="table_{status}"' in answer.text
    assert not Seat.objects.exists()


@pytest.mark.always
def test_a_full_table_says_so(house: House) -> None:
    table = house.table("doudizhu")
    house.table("doudizhu", name="Free")
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        house.sit(house.player(name), table, number)
    alice = client_of(house.player("alice"))
    row = alice.get("/lobby/").text.split(f'id="table-{table.pk}"')[1].split("</li>")[0]
    assert "full" in row
    assert 'name="table"' not in row
    answer = alice.post("/play/doudizhu/", {"table": table.pk})
    assert answer.status_code == 409
    assert 'data-code="table_full"' in answer.text


@pytest.mark.always
def test_a_private_table_looks_like_no_table(house: House) -> None:
    house.table("baccarat")
    client = client_of(house.player("alice"))
    for number in ("999999", "-1", "x", "9" * 30):
        assert client.get("/play/baccarat/", {"table": number}).status_code == 404
        assert client.post("/play/baccarat/", {"table": number}).status_code == 404
    for status in (Table.Status.OPEN, Table.Status.CLOSED):
        table = house.table("baccarat", private=True, status=status)
        assert client.get("/play/baccarat/", {"table": table.pk}).status_code == 404


def test_stakes_are_chosen_where_there_are_several(house: House) -> None:
    house.table("doudizhu", name="Cheap", buy_in_min=1_000)
    client = client_of(house.player("alice"))
    assert 'name="stakes"' not in client.get("/play/doudizhu/").text
    dear = house.table("doudizhu", name="Dear", buy_in_min=90_000)
    page = client.get("/play/doudizhu/").text
    assert 'name="stakes" value="PLAY-1000" checked' in page
    assert 'name="stakes" value="PLAY-90000">' in page
    assert client.post("/play/doudizhu/", {"stakes": "PLAY-5"}).status_code == 409
    answer = client.post("/play/doudizhu/", {"stakes": "PLAY-90000"})
    assert answer["Location"] == f"/tables/{dear.pk}/"


def test_known_bots_have_names_in_the_language_of_the_reader(house: House) -> None:
    table = house.table("doudizhu")
    person = house.player("Mei")
    house.sit(person, table, 1)
    house.sit(house.player("Lao Zhang"), table, 2)
    Player.objects.filter(username="Lao Zhang").update(is_bot=True, password="!")
    client = client_of(person)
    client.cookies["django_language"] = "zh-hans"
    pages = client.get("/lobby/").text, client.get(f"/tables/{table.pk}/").text
    assert all("老张" in page and "Lao Zhang" not in page for page in pages)
    # A person who has the name of a bot keeps it.
    assert all("阿美" not in page for page in pages)


# Tiles


def tile(text: str, family: str) -> str:
    return text.split(f'id="tile-{family}"')[1].split('<li class="tile ', maxsplit=1)[0]


def test_a_tile_says_how_play_begins_and_leads_to_the_liveliest_game(house: House) -> None:
    house.table("doudizhu", bots_max=2)
    house.table("chinese_poker", bots_max=0)
    lively = house.table("thirteen_taiwan", bots_max=0)
    house.table("baccarat")
    house.sit(house.player("bob"), lively, 1)
    for address in ("/", "/lobby/"):
        text = Client().get(address).text
        assert "bots join now" in tile(text, "all-doudizhu")
        assert "starts now" in tile(text, "all-baccarat")
        assert "no table just now" in tile(text, "all-poker")
        thirteen = tile(text, "all-thirteen")
        assert 'name="game" value="thirteen_taiwan"' in thirteen
        assert "1 playing" in thirteen
        # A family of one game has no choice, and of several each is a press away.
        assert "kinds" not in tile(text, "all-doudizhu")
        for game in ("chinese_poker", "thirteen_hongkong", "thirteen_fujian"):
            assert f'value="{game}"' in thirteen


def test_that_nobody_plays_is_said_once(house: House) -> None:
    tables = house.table("baccarat"), house.table("blackjack")
    empty = Client().get("/lobby/").text
    assert empty.count("All tables are open and empty.") == 1
    for number, table in enumerate(tables):
        assert "open and empty." in Client().get("/lobby/").text
        house.sit(house.player(("alice", "bob")[number]), table, 1)
    assert "open and empty." not in Client().get("/lobby/").text
