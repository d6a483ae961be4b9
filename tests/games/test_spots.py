"""The board of a baccarat table: its spots, whose chips lie there, and how they came out."""

import re

import pytest
from django.test import Client
from django.utils.translation import override

from games.families.baccarat.tags import SpotsView, spots_view
from games.models import Table
from games.rules.baccarat.game import BaccaratView
from games.tables.hand_state import game_of
from tests.games.house import House
from tests.people import client_of


def bet(house: House, table: Table, name: str, on: str, amount: int) -> None:
    house.act(table, name, {"do": "bet", "on": on, "amount": amount})


def spots_for(house: House, table: Table, seat: int | None) -> SpotsView:
    hand, state = house.state(table)
    view = game_of(hand).view(state, seat)
    assert isinstance(view, BaccaratView)
    with override("en"):
        return spots_view(hand, view, house.currency)


@pytest.fixture
def table(house: House) -> Table:
    return house.dealt_in("baccarat", "alice", "bob")


def test_spots_say_what_they_pay_and_their_limits(house: House, table: Table) -> None:
    spots = {spot.key: spot for spot in spots_for(house, table, 1).spots}
    assert spots["player"].pays == "1:1"
    assert spots["banker"].pays == "1:1, 1:2 with 6"
    assert spots["tie"].pays == "8:1"
    assert spots["player_pair"].pays == spots["banker_pair"].pays == "11:1"
    assert spots["tie"].limits == "1–1,000"


@pytest.mark.always
def test_a_table_with_commission_says_so(house: House) -> None:
    table = house.dealt_in("baccarat_commission", "alice", options={"max_tie": 5_000})
    spots = {spot.key: spot for spot in spots_for(house, table, 1).spots}
    assert spots["banker"].pays == "1:1 less 5%"
    assert spots["tie"].limits == "1–50"


@pytest.mark.always
def test_chips_of_all_lie_on_the_spots_under_their_names(house: House, table: Table) -> None:
    bet(house, table, "alice", "banker", 1_000)
    bet(house, table, "bob", "banker", 2_500)
    bet(house, table, "bob", "tie", 500)
    banker = next(spot for spot in spots_for(house, table, 1).spots if spot.key == "banker")
    assert (banker.mine, banker.total, banker.several) == (1_000, 3_500, True)
    for client in (client_of(house.person("alice")), Client()):
        text = client.get(f"/tables/{table.pk}/").text
        assert re.search(r"<b>bob</b> 25<", text)
        assert "35 in all" in text
    assert spots_for(house, table, 1).backed == "banker"
    assert spots_for(house, table, 2).backed == "banker"
    assert spots_for(house, table, None).backed == ""


def test_every_spot_with_chips_states_its_result_in_words(house: House, table: Table) -> None:
    bet(house, table, "alice", "banker", 1_000)
    bet(house, table, "alice", "player", 1_000)
    house.act(table, "alice", {"do": "done"})
    text = client_of(house.person("alice")).get(f"/tables/{table.pk}/").text
    assert re.search(r"(Player|Banker) wins|<b>Tie</b>", text)
    ends = re.findall(r'class="place-of (?:player|banker) (\w+)"', text)
    assert sorted(ends) in (["lost", "won"], ["back", "back"])
    # The maps hold the round at once.
    assert text.count('class="map bead-plate"') == 1
    assert "1 round" in text


def test_a_looker_on_has_no_chips_and_no_form(house: House, table: Table) -> None:
    text = Client().get(f"/tables/{table.pk}/").text
    assert 'class="place-of banker' in text
    assert 'id="betting"' not in text
    assert 'form="act-bet"' not in text
