"""The lobby, and the shortest way to a seat."""

import pytest
from django.test import Client
from django.utils import timezone

from casino.players.models import Player
from games.models import Seat, Table
from games.rules.catalogue import GAMES
from tests.games.house import House

HTMX = {"HX-Request": "true"}


@pytest.fixture
def now_house(house: House) -> House:
    house.now = timezone.now()
    return house


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def test_the_lobby_lists_what_can_be_played_and_watched(house: House) -> None:
    shown = house.table("baccarat", name="Dragon")
    house.table("doudizhu", name="Yard")
    house.table("baccarat", name="Hidden", private=True)
    house.table("baccarat", name="Shut", status=Table.Status.CLOSED)
    house.sit(house.player("alice"), shown, 1)
    text = Client().get("/lobby/").text
    assert "Dragon" in text
    assert "Yard" in text
    assert "Hidden" not in text
    assert "Shut" not in text
    assert 'title="alice"' in text


def test_my_tables_stand_on_top_and_say_when_they_wait_for_me(now_house: House) -> None:
    table = now_house.dealt_in("baccarat", "alice")
    mine = client_of(now_house.person("alice")).get("/lobby/").text
    assert mine.index("My tables") < mine.index("Play now")
    assert "Your move" in mine
    others = client_of(now_house.player("bob")).get("/lobby/").text
    assert "My tables" not in others
    assert f'id="table-{table.pk}"' in others
    assert f'id="running-{table.pk}"' not in others


def test_the_lobby_is_only_looked_at(house: House) -> None:
    for address in ("/", "/lobby/", "/running/"):
        assert Client().post(address).status_code == 405


def test_a_stranger_signs_up_on_the_way_to_a_seat(house: House) -> None:
    house.table("baccarat")
    for answer in (Client().get("/play/baccarat/"), Client().post("/play/baccarat/")):
        assert answer.status_code == 302
        assert answer["Location"] == "/players/sign-up/?next=/play/baccarat/"
    assert not Seat.objects.exists()


def test_play_now_asks_before_money_moves(house: House) -> None:
    house.table("baccarat")
    client = client_of(house.player("alice"))
    assert client.get("/play/baccarat/").status_code == 200
    assert not Seat.objects.exists()
    assert client.put("/play/baccarat/").status_code == 405
    assert client.get("/play/poker/").status_code == 404
    assert client.post("/play/poker/").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_play_now_leads_to_a_table_where_one_plays_at_once(now_house: House, game: str) -> None:
    house = now_house
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


def test_where_every_seat_is_taken_play_now_says_so(now_house: House) -> None:
    house = now_house
    table = house.table("doudizhu")
    for number, name in enumerate(("bob", "carol", "dave"), 1):
        house.sit(house.player(name), table, number)
    answer = client_of(house.player("alice")).post("/play/doudizhu/")
    assert answer.status_code == 409
    assert "No table of this game has a free seat" in answer.text
    assert client_of(house.person("alice")).post("/play/baccarat/").status_code == 409
    assert Seat.objects.count() == 3


def test_a_bot_gives_its_seat_to_a_person(now_house: House) -> None:
    house = now_house
    house.bots(2)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("bob"), table, 1)
    house.until(table, lambda table: table.seats.count() == 3)
    Table.objects.filter(pk=table.pk).update(phase=Table.Phase.PAUSE, hand=None)
    answer = client_of(house.player("alice")).post("/play/doudizhu/")
    assert answer.status_code == 302
    assert Seat.objects.filter(player__username="alice", left_at__isnull=True).exists()
