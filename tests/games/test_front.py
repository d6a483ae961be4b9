"""The front page, and what is in sight on every page: my tables, and the jackpots."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.lobby.listing import rows
from games.lobby.tiles import tiles
from games.models import Seat, Table
from games.rules.catalogue import GAMES
from games.tables import seating
from tests.games.house import House
from tests.games.markup import Page
from tests.people import HTMX, client_of
from wallets.money import jackpots


def known(text: str) -> str:
    """What a page says it shows, as it would ask with it."""
    match = re.search(r'name="known" value="(\w+)"', text)
    assert match
    return match[1]


def strip_address(text: str) -> str:
    match = re.search(r'hx-get="(/running/\?known=\w+)"', text)
    assert match
    return match[1]


def test_a_stranger_finds_every_game_and_how_to_check_a_deal(house: House) -> None:
    house.table("baccarat", name="Dragon", buy_in_min=20_000)
    house.table("baccarat", name="Cheap", buy_in_min=5_000)
    text = Client().get("/").text
    for game in GAMES:
        assert f'value="{game}"' in text
    assert 'href="/fairness/"' in text
    assert 'href="/lobby/"' in text
    assert "from 50 PLAY" in text
    assert "no table just now" in text


def test_the_front_page_says_how_many_play_but_at_private_tables(house: House) -> None:
    tables = [house.table("baccarat"), house.table("doudizhu")]
    hidden = house.table("baccarat", private=True)
    house.sit(house.player("alice"), tables[0], 1)
    house.sit(house.player("bob"), tables[1], 1)
    assert "<b>2</b> at" in Client().get("/").text
    seating.sit(house.player("carol"), hidden.pk, 1, 50_000, house.now, hidden.invitation)
    assert "<b>2</b> at" in Client().get("/").text


def picture_of(game: str) -> tuple[str, ...]:
    return GAMES[game].picture or GAMES[game].group.picture


def test_each_picture_opens_its_game_in_one_press(house: House) -> None:
    """A picture is that of no other group, and a press seats a guest and a player."""
    games = {house.table(game).pk: game for game in GAMES}
    alice = house.player("alice")
    for pk, game in games.items():
        liveliest = Table.objects.get(pk=pk)
        house.sit(alice, liveliest, 1)
        shown = {tile.key: tile for tile in tiles(rows(AnonymousUser(), house.now), "baccarat")}
        assert set(shown) == {game.group.key for game in GAMES.values()}
        tile = shown[GAMES[game].group.key]
        assert tile.first == game
        assert "".join(card.text for card in tile.cards) == "".join(picture_of(game))
        alike = {GAMES[key].group for key in GAMES if picture_of(key) == picture_of(game)}
        assert alike == {GAMES[game].group}
        # As many guests as one address may have.
        visitor = Client() if pk % 2 else client_of(house.player(f"bob {pk}"))
        front, lobby = (
            Page(visitor.get(address).text).forms[f"play-{tile.key}"]
            for address in ("/", "/lobby/")
        )
        assert (front.address, front.fields[1:]) == (lobby.address, lobby.fields[1:])
        assert visitor.post(lobby.address, lobby.sent())["Location"] == f"/tables/{pk}/"
        for seated in Seat.objects.filter(table=pk, left_at__isnull=True):
            house.leave(seated.player, liveliest)


def test_the_part_that_changes_is_sent_only_when_it_has_changed(house: House) -> None:
    table = house.table("baccarat")
    client = Client()
    mark = known(client.get("/").text)
    same = client.get("/", {"known": mark}, headers=HTMX)
    assert (same.status_code, same.content) == (204, b"")
    house.sit(house.player("alice"), table, 1)
    changed = client.get("/", {"known": mark}, headers=HTMX)
    assert changed.status_code == 200
    assert "<html" not in changed.text
    assert "<b>1</b> at the tables now" in changed.text


def test_a_player_sees_jackpots_everywhere_without_their_reserve(house: House) -> None:
    jackpots.create(
        "Lotus", "progressive", house.currency, actor="test", seed=123_400, reserve=1_000_000
    )
    shut = jackpots.create("Closed off", "progressive", house.currency, actor="test", seed=700)
    shut.active = False
    shut.save()
    house.dealt_in("baccarat", "alice")
    reader = client_of(house.person("alice"))
    for address in ("/lobby/", "/fairness/", "/nothing/"):
        text = reader.get(address).text
        assert "Lotus" in text
        assert "1,234" in text
        assert "Closed off" not in text


@pytest.mark.always
def test_my_seats_are_in_sight_and_say_when_they_wait_for_me(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", name="Dragon")
    alice, bob = client_of(house.person("alice")), client_of(house.player("bob"))
    text = alice.get("/wallet/").text
    strip = text[text.index('id="running"') : text.index("</header>")]
    assert f'href="/tables/{table.pk}/"' in strip
    assert "Dragon" in strip
    assert "500" in strip
    assert "Your move" in strip
    # At the table itself the board says so, and says it at once.
    here = alice.get(f"/tables/{table.pk}/").text
    strip = here[here.index('id="running"') : here.index("</header>")]
    assert "Dragon" in strip
    assert "Your move" not in strip
    assert "calls" not in strip
    assert "Dragon" not in bob.get("/wallet/").text
    assert 'id="running"' not in Client().get("/fairness/").text


def test_the_strip_asks_more_often_while_one_plays_elsewhere(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    alice = client_of(house.person("alice"))
    assert 'hx-trigger="every 5000ms' in alice.get("/wallet/").text
    # Here the table itself says what happens.
    assert 'hx-trigger="every 30000ms' in alice.get(f"/tables/{table.pk}/").text


def test_the_strip_is_sent_only_when_it_has_changed(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    alice = client_of(house.person("alice"))
    address = strip_address(alice.get("/wallet/").text)
    assert alice.get(address, headers=HTMX).status_code == 204
    house.until(table, lambda table: table.hands_dealt > 1)
    changed = alice.get("/running/?known=nonsense", headers=HTMX)
    assert changed.status_code == 200
    assert "<html" not in changed.text
    assert Client().get(address, headers=HTMX).status_code == 200


def test_the_strip_says_that_a_spectator_is_watching(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    address = f"/tables/{table.pk}/"
    assert "You are watching" in Client().get(address).text
    assert "You are watching" in client_of(house.player("bob")).get(address).text
    assert "You are watching" not in client_of(house.person("alice")).get(address).text
    here = HTMX | {"HX-Current-URL": f"http://testserver{address}"}
    assert "You are watching" in Client().get("/running/", headers=here).text
    assert "You are watching" not in Client().get("/running/", headers=HTMX).text
    broken = HTMX | {"HX-Current-URL": "http://[/tables/1/"}
    assert Client().get("/running/", headers=broken).status_code == 200


def test_names_are_text_wherever_they_stand(house: House) -> None:
    jackpots.create("<b>pot</b>", "progressive", house.currency, actor="test", seed=100)
    table = house.table("baccarat", name="<b>x</b>")
    alice = house.player("alice")
    house.sit(alice, table, 1)
    for address in ("/", "/lobby/", "/play/baccarat/", "/private/"):
        text = client_of(alice).get(address).text
        assert "&lt;b&gt;x&lt;/b&gt;" in text
        assert "&lt;b&gt;pot" in text
        assert "<b>x</b>" not in text
        assert "<b>pot" not in text


def test_many_tables_cost_as_many_queries_as_one(house: House) -> None:
    client = client_of(house.player("alice"))

    def queries() -> dict[str, int]:
        counts = {}
        for address in ("/", "/lobby/", "/running/", "/play/baccarat/"):
            client.get(address)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts[address] = len(queries)
        return counts

    house.table("baccarat")
    few = queries()
    for number in range(6):
        table = house.table("baccarat")
        house.sit(house.player(f"player {number}"), table, 1)
    assert queries() == few


def test_a_seat_is_found_among_many_tables_with_as_many_questions(house: House) -> None:
    def queries(name: str) -> int:
        client = client_of(house.player(name))
        client.get("/")
        with CaptureQueriesContext(connection) as queries:
            client.post("/play/doudizhu/")
        assert Seat.objects.filter(player__username=name).exists()
        return len(queries)

    table = house.table("doudizhu", name="A")
    house.sit(house.player("carol"), table, 1)
    few = queries("alice")
    for number in range(6):
        house.table("doudizhu", buy_in_min=20_000 + number)
    assert queries("bob") <= few
