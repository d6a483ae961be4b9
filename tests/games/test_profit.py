"""What a player has won over time and by game: the figures, and the charts drawn of them."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from games.models import HandSeat
from games.records.closed_days import close_days
from games.records.day_index import profit
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.people import client_of


def play(house: House) -> None:
    """Alice has played two games, ten days apart."""
    alice = house.player("alice")
    for game in ("baccarat", "blackjack"):
        table = house.table(game)
        house.sit(alice, table, 1)
        house.until(table, lambda table: table.hands_dealt == 4 and table.hand_id is None)
        house.leave(alice, table)
        house.pass_time(10 * 24 * 3600)


evening = played_once(play)


@pytest.fixture
def alice(house: House, tonight: Evening[None]) -> Client:
    return client_of(house.person("alice"))


def test_the_figures_are_those_of_the_hands(house: House, alice: Client) -> None:
    player = house.person("alice")
    rows = HandSeat.objects.filter(player=player)
    before = profit(player.pk, house.currency, None, house.now)
    assert before.whole == (rows.count(), sum(row.net for row in rows), 0)
    assert {game for game, _sums in before.games} == {"baccarat", "blackjack"}
    assert before.running[-1][1] == before.whole.net
    assert sum(sums.net for _day, sums in before.days) == before.whole.net
    # Closed days say the same, and hands that end after them are counted too.
    close_days(house.now - timedelta(days=12))
    assert profit(player.pk, house.currency, None, house.now) == before
    close_days(house.now)
    assert profit(player.pk, house.currency, None, house.now) == before
    recent = profit(player.pk, house.currency, 15, house.now)
    assert [game for game, _sums in recent.games] == ["blackjack"]
    assert len(recent.days) == 15


def test_charts_have_names_and_a_table_of_their_figures(alice: Client) -> None:
    page = alice.get("/history/profit/?span=all").text
    assert page.count('class="plot"') == 2
    assert page.count("aria-labelledby=") >= 2
    assert page.count("The same figures as a table") == 2
    assert not re.search(r"\sstyle=", page)
    year = alice.get("/history/profit/?span=365").context["result"]
    assert all(re.fullmatch(r"\d{4}-\d\d", month) for month, _sums in year.periods)


@pytest.mark.always
def test_profit_page_without_hands_or_for_unknown_values(house: House, alice: Client) -> None:
    house.player("eve")
    eve = client_of(house.person("eve"))
    assert "No hand here yet." in eve.get("/history/profit/").text
    assert eve.get("/history/profit/?currency=PLAY").status_code == 404
    for address in ("?currency=GOLD", "?span=forever"):
        assert alice.get(f"/history/profit/{address}").status_code == 404
    assert alice.post("/history/profit/").status_code == 405
    assert "/players/sign-in/" in Client().get("/history/profit/")["Location"]
    house.pass_time(40 * 24 * 3600)
    assert (
        "No hand was played in this time."
        in client_of(house.person("alice")).get("/history/profit/").text
    )


def test_one_hand_makes_a_line(house: House) -> None:
    alice, table = house.player("alice"), house.table("baccarat")
    house.sit(alice, table, 1)
    house.until(table, lambda table: table.hands_dealt == 1 and table.hand_id is None)
    page = client_of(house.person("alice")).get("/history/profit/?span=all").text
    points = re.search(r'<polyline[^>]*points="([^"]*)"', page)
    assert points
    assert len(points[1].split()) == 2
    assert "The same figures as a table" in page
