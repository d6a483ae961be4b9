"""The pages of tournaments: lists, one event, what a player does there, and what a table shows."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.lobby.listing import ROOM
from games.rules.event_shoe import EventProtocol
from tests.people import HTMX, client_of
from tests.tournaments.events import Event, lasting, plain, resumed, sit_and_go, structure
from tournaments.event import mixing
from tournaments.event.ranked import entries_ranked
from tournaments.models import Entry, EventTable, Tournament
from tournaments.overview.terms import stages
from tournaments.running import control

pytestmark = pytest.mark.django_db


def page(client: Client, event: Event) -> str:
    answer = client.get(f"/tournaments/{event.number}/")
    assert answer.status_code == 200
    return str(answer.text)


def part(text: str, name: str) -> str:
    """One section of the page, without its markup."""
    match = re.search(rf'<(section|header) id="{name}".*?</\1>', text, re.DOTALL)
    assert match, name
    return plain(match[0])


# Lists.


def test_lobby_and_list_name_what_is_open(event: Event) -> None:
    event.announce(structure(name="Evening cup", guarantee=50_000))
    for address in ("/lobby/", "/tournaments/"):
        text = Client().get(address).text
        assert "Evening cup" in text
        assert f'href="/tournaments/{event.number}/"' in text
        assert "500 guaranteed" in text


@pytest.mark.always
def test_events_that_differ_in_their_game_alone_are_one_line_of_the_lobby(event: Event) -> None:
    games = {"chinese_poker": "Chinese poker", "thirteen_fujian": "Fujian"}
    numbers = [event.announce(sit_and_go(game, 4, name=game)).pk for game in games]
    dearer = event.announce(sit_and_go(seats=4, name="Dearer", stake=70_000)).pk
    text = Client().get("/lobby/").text
    line = text.split(f'id="tournament-{numbers[0]}"')[1].split(f'id="tournament-{dearer}"')[0]
    for number, name in zip(numbers, games.values(), strict=True):
        assert re.search(rf'href="/tournaments/{number}/">(<span.*?</span>)?{name}', line, re.S)
    assert "Dearer" not in line
    assert f'id="tournament-{numbers[1]}"' not in text
    # The list of all tournaments has a row for each.
    assert f'id="tournament-{numbers[1]}"' in Client().get("/tournaments/").text


@pytest.mark.always
def test_a_browser_that_shows_the_newest_gets_nothing(event: Event) -> None:
    event.announce(structure())
    for address in ("/lobby/", "/tournaments/", f"/tournaments/{event.number}/part/"):
        first = Client().get(address, headers=HTMX).text
        mark = re.search(r'name="known" value="([0-9a-f]+)"', first)
        assert mark
        assert Client().get(address, {"known": mark[1]}, headers=HTMX).status_code == 204
    event.enter(event.people(1))
    for address in ("/lobby/", "/tournaments/"):
        mark = re.search(r'name="known" value="([0-9a-f]+)"', first)
        assert mark
        assert Client().get(address, {"known": mark[1]}, headers=HTMX).status_code == 200


def test_the_lobby_looks_different_when_somebody_enters(event: Event) -> None:
    event.announce(structure())
    before = ROOM.number()
    assert ROOM.number() == before
    event.enter(event.people(1))
    assert ROOM.number() > before


@pytest.mark.always
@pytest.mark.parametrize(
    "address", ["/tournaments/999999/", "/tournaments/999999/part/", "/tournaments/99/shoe.json"]
)
def test_what_does_not_exist_is_not_found(event: Event, address: str) -> None:
    assert Client().get(address).status_code == 404


# One event, before its start.


@pytest.mark.always
def test_the_page_says_what_it_costs_and_when_it_starts(event: Event) -> None:
    event.announce(structure(late_registration_level=2))
    text = page(Client(), event)
    hero = part(text, "hero")
    assert "1:00:00" in hero
    assert "Entry 11 10 + 1 fee" in hero
    assert "Sign in to join" in part(text, "my-part")
    assert "until level 2 ends" in text
    assert "sealed as" in part(text, "event-shoe")


@pytest.mark.always
@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-hans", ("报名", "进行中", "奖励")), ("zh-hant", ("報名", "進行中", "獎勵"))],
)
def test_the_stages_of_an_event_have_their_own_words_in_chinese(
    event: Event, language: str, words: tuple[str, ...]
) -> None:
    event.announce(structure())
    with translation.override(language):
        names = [stage.name for stage in stages(Tournament.objects.get(), None, paid=3)]
    assert [name for name in names if name in words] == list(words)


@pytest.mark.always
def test_a_player_joins_and_leaves_again(event: Event) -> None:
    event.announce(structure())
    player = event.house.player("alice")
    client = client_of(player)
    assert "Join for 11 PLAY" in part(page(client, event), "my-part")
    answer = client.post(f"/tournaments/{event.number}/register/")
    assert answer.status_code == 302
    text = page(client, event)
    assert "You are in." in part(text, "my-part")
    assert "alice" in part(text, "places")
    assert "Join for" not in part(text, "my-part")
    answer = client.post(f"/tournaments/{event.number}/unregister/", headers=HTMX)
    assert answer.status_code == 200
    assert answer["HX-Trigger"]
    assert "Join for" in part(answer.text, "my-part")
    assert event.house.wallet(player).balance == 10_000_000


@pytest.mark.parametrize(
    ("verb", "code"),
    [
        ("unregister", "not_entered"),
        ("enter-again", "not_entered"),
        ("add-on", "not_entered"),
    ],
)
def test_a_refusal_stands_on_the_page_with_its_code(event: Event, verb: str, code: str) -> None:
    event.announce(structure())
    client = client_of(event.house.player("alice"))
    answer = client.post(f"/tournaments/{event.number}/{verb}/", headers=HTMX)
    assert answer.status_code == 409
    assert f'data-code="{code}"' in answer.text


@override_settings(PLAY_MONEY_REFILL=0)
def test_who_has_no_money_reads_so(event: Event) -> None:
    event.announce(structure())
    alice = event.house.player("alice", money=1_050)
    answer = client_of(alice).post(f"/tournaments/{event.number}/register/", headers=HTMX)
    assert answer.status_code == 409
    assert 'data-code="overdrawn"' in answer.text
    assert not Entry.objects.exists()


def test_strangers_are_sent_to_sign_in(event: Event) -> None:
    event.announce(structure())
    for verb in ("register", "commit"):
        answer = Client().post(f"/tournaments/{event.number}/{verb}/")
        assert answer.status_code == 302
        assert "sign-in" in answer["Location"]
    assert Client().get("/tournaments/mine/").status_code == 302


# While it is played.


@pytest.fixture(scope="module")
def six(django_db_setup: None, django_db_blocker: Any) -> Iterator[Event]:
    """Six play at two tables."""
    with lasting(django_db_blocker, __name__) as event:
        event.open(structure(), 6)
        event.until(event.is_running)
        yield event


@pytest.fixture
def running(six: Event, monkeypatch: pytest.MonkeyPatch) -> Event:
    return resumed(six, monkeypatch)


@pytest.mark.always
def test_the_page_shows_levels_places_tables_and_my_part(running: Event) -> None:
    text = page(client_of(running.house.person("player 1")), running)
    assert "My chips 1,000" in part(text, "my-part")
    assert "To my table" in part(text, "my-part")
    assert "Level 1" in part(text, "clock")
    assert "10:00" in part(text, "clock")
    assert part(text, "places").count("table") >= 6
    assert text.count('href="/tables/') >= 2
    assert "4 more out, then all are paid" in part(text, "prizes")
    stranger = page(Client(), running)
    assert "My chips" not in stranger
    assert "seated" not in part(stranger, "my-part")
    operator = running.house.player("operator")
    operator.is_superuser = operator.is_staff = True
    operator.save()
    control.pause(operator, running.number, "the hall is dark", running.house.now)
    assert "Paused by the house" in part(page(Client(), running), "clock")


@pytest.mark.always
def test_the_page_says_who_has_gained_places_since_the_level_began(event: Event) -> None:
    levels = [{"point": 10, "hands": 1}, {"point": 20, "hands": 9}, {"point": 500}]
    event.open(structure(levels=levels), 4)
    event.until(lambda: event.row.level == 2)
    ranked = list(entries_ranked(event.row))
    assert [entry.place_before for entry in ranked] == [1, 2, 3, 4]
    text = page(Client(), event)
    assert "▲" not in text
    assert "▼" not in text
    for entry in (ranked[0], ranked[3]):
        Entry.objects.filter(pk=entry.pk).update(place_before=3)
    text = page(Client(), event)
    assert 'aria-label="2 places gained">▲2<' in text
    assert 'aria-label="1 place lost">▼1<' in text
    places = Client().get(f"/api/v1/tournaments/{event.number}/places/").json()["places"]
    assert [place["gained"] for place in places] == [2, 0, 0, -1]


def test_a_large_field_makes_no_larger_page(event: Event) -> None:
    """An entrant in the middle of it sees the top and themselves, and a link to everybody."""
    shares = [{"share": 171 + 20 * (24 - place)} for place in range(2, 25)]
    first = {"share": 10_000 - sum(share["share"] for share in shares)}
    levels = [{"point": 10 * number, "seconds": 600} for number in range(1, 16)]
    played = structure(
        table_size=3,
        field_max=60,
        levels=levels,
        payouts={"by": "percentage", "shares": [first, *shares]},
    )
    queries = []
    for count in (6, 36):
        players = event.open(played, count)
        event.until(event.is_running)
        mine = next(player for player in players if event.entry(player).drawn == count * 3 // 4)
        client = client_of(mine)
        page(client, event)
        with CaptureQueriesContext(connection) as captured:
            text = page(client, event)
        queries.append(len(captured))
    assert queries[1] <= queries[0], queries
    assert len(text.encode()) < 30_000
    assert f"{mine.username} you" in part(text, "places")
    numbers = re.findall(r'class="no">(\d+)<', text[text.index('id="places"') :])
    assert [int(number) for number in numbers] == [*range(1, 7), *range(25, 30)]
    whole = client.get(f"/tournaments/{event.number}/?places=1").text
    numbers = re.findall(r'class="no">(\d+)<', whole[whole.index('id="places"') :])
    assert [int(number) for number in numbers] == [*range(1, 21)]


def test_the_end_says_places_prizes_and_hands(event: Event) -> None:
    event.open(structure(levels=[{"point": 1_000, "seconds": 3_600}, {"point": 2_000}]), 4)
    out = Entry.objects.filter(state=Entry.State.OUT).order_by("out_sequence")
    event.until(out.exists)
    first_out, table = out[0], EventTable.objects.filter(tournament=event.number)[0]
    text = plain(heading(client_of(first_out.player), table.table_id))
    assert "You are out: place 4 of" in text
    event.play()
    first, third = (Entry.objects.get(tournament=event.number, place=place) for place in (1, 3))
    client = client_of(first.player)
    text = page(client, event)
    assert "You have won." in part(text, "my-part")
    # The net, and one tap away what it is made of.
    assert "+17 PLAY prize 28 · stake −10 · fee −1" in part(text, "my-part")
    assert "Ended at level 1 1,000 " in part(text, "clock")
    Tournament.objects.filter(pk=event.number).update(level=2)
    assert "Ended at level 2 2,000 " in part(page(client, event), "clock")
    assert "You are out: place 3." in part(page(client_of(third.player), event), "my-part")
    for place, net in ((1, "+17 PLAY prize 28"), (2, "+1 PLAY prize 12"), (3, "−11 PLAY no prize")):
        player = Entry.objects.get(tournament=event.number, place=place).player
        mine = plain(client_of(player).get("/tournaments/mine/").text)
        assert f"place {place} of 4" in mine
        assert net in mine
    hands = f"/tournaments/{event.number}/hands/"
    assert 'href="/history/' in client.get(hands).text
    text = client_of(event.house.player("stranger")).get(hands).text
    assert "You have played no hand here yet." in text
    assert 'href="/history/' not in text.split("<main")[1]


# At the table.


def heading(client: Client, table_id: int) -> str:
    text = client.get(f"/tables/{table_id}/board/", headers=HTMX).text
    match = re.search(r'<aside id="event-heading".*?</aside>', text, re.DOTALL)
    assert match
    return match[0]


@pytest.mark.always
def test_a_table_shows_level_places_and_my_place(running: Event) -> None:
    entry = running.entry(running.house.person("player 1"))
    assert entry.seat
    own = client_of(entry.player)
    text = heading(own, entry.seat.table_id)
    assert 'data-sits="yes"' in text
    assert "Level 1" in plain(text)
    assert "My place" in plain(text)
    other = EventTable.objects.exclude(table=entry.seat.table_id).get(tournament=running.number)
    assert f'data-goes-to="/tables/{entry.seat.table_id}/"' in heading(own, other.table_id)
    stranger = heading(Client(), entry.seat.table_id)
    assert 'data-sits=""' in stranger
    assert "data-goes-to" not in stranger
    apart = "/tournaments/tables/{}/heading/"
    assert Client().get(apart.format(other.table_id)).status_code == 200
    cash = running.house.table("baccarat")
    assert "event-heading" not in Client().get(f"/tables/{cash.pk}/").text
    assert Client().get(apart.format(cash.pk)).status_code == 404


# The shoe.


@pytest.mark.always
def test_an_entrant_takes_part_in_mixing(event: Event) -> None:
    event.announce(structure())
    players = event.people(3)
    event.enter(players)
    client = client_of(players[1])
    entry = event.entry(players[1])
    shoe = entry.tournament.shoe
    octets = bytes(range(32))
    protocol = EventProtocol(shoe.code)
    commit = protocol.commitment(entry.number, octets).hex()
    assert 'data-wants="commit"' in page(client, event)
    address = f"/tournaments/{event.number}"
    assert client.post(f"{address}/commit/", {"commit": commit}).json() == {"commit": commit}
    assert 'data-wants=""' in page(client, event)
    refused = client.post(f"{address}/reveal/", {"reveal": octets.hex()})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_reveal_due")
    assert client.get(f"{address}/shoe.json").json()["entrants"] == []
    event.until(lambda: event.row.state == Tournament.State.SEATING)
    assert 'data-wants="reveal"' in page(client, event)
    shown = client.get(f"{address}/shoe.json").json()
    commits = {
        entrant["entrant"]: bytes.fromhex(entrant["commit"]) for entrant in shown["entrants"]
    }
    assert commits[entry.number].hex() == commit
    assert protocol.lock(bytes.fromhex(shown["seal"]), commits).hex() == shown["lock"]
    assert {entrant["reveal"] for entrant in shown["entrants"]} == {""}
    receipt = client.post(f"{address}/reveal/", {"reveal": octets.hex()}).json()["receipt"]
    assert receipt["statement"]["entrant"] == entry.number
    event.until(event.is_running)
    shown = client.get(f"{address}/shoe.json").json()
    reveals = {
        entrant["entrant"]: bytes.fromhex(entrant["reveal"]) for entrant in shown["entrants"]
    }
    assert reveals[entry.number] == octets
    assert protocol.mix(bytes.fromhex(shown["lock"]), reveals).hex() == shown["mix"]
    (draw,) = shown["draws"]
    order = protocol.order(
        bytes.fromhex(shown["mix"]), bytes.fromhex(draw["x_m"]), draw["label"], len(draw["things"])
    )
    assert list(order) == draw["order"]


def test_what_is_withheld_is_published_as_the_houses(event: Event) -> None:
    players = event.open(structure(), 3)
    entry = event.entry(players[0])
    commit = EventProtocol(entry.tournament.shoe.code).commitment(entry.number, bytes(32)).hex()
    mixing.commit(players[0], event.number, commit)
    event.until(event.is_running)
    published = Client().get(f"/tournaments/{event.number}/shoe.json").json()
    own = next(entrant for entrant in published["entrants"] if entrant["entrant"] == entry.number)
    assert own["commit"] == commit
    assert own["who"] == "house"
    assert own["reveal"] != bytes(32).hex()


def test_two_events_at_once_are_refused_with_the_reason(event: Event) -> None:
    event.announce(structure(name="First"))
    alice = event.house.player("alice")
    event.enter([alice])
    event.announce(structure(name="Second"), starts_at=event.house.now + timedelta(hours=1))
    text = part(page(client_of(alice), event), "my-part")
    assert "You have entered First" in text
    assert "Join for" not in text
