"""The felt of baccarat: the last results, the change of shoes, and the time to turn cards."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from games.families.baccarat.road_maps import letter
from games.families.baccarat.roads import LATEST, results_at, results_of, tables_beside
from games.models import Hand, Shoe, Table
from games.rules.baccarat.game import Baccarat
from games.tables.squeeze import SQUEEZE_TIME
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.markup import words
from tests.games.viewers import board_of
from tests.people import HTMX, client_of

MARK = re.compile(r'<li id="result-(\d+)"\s+class="(\w+)( tells)?"><span[^>]*>(\w+)</span>')


def play(house: House, table: Table, *, on: str = "player") -> Hand:
    """Alice bets, and the round is over."""
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    house.act(table, "alice", {"do": "bet", "on": on, "amount": 1_000})
    house.act(table, "alice", {"do": "done"})
    table.refresh_from_db()
    return Hand.objects.filter(table=table).latest("pk")


evening = played_once(lambda house: house.dealt_in("baccarat", "alice"))


def test_the_last_results_stand_in_a_line_the_newest_last(house: House, table: Table) -> None:
    assert 'class="strip"' in board_of(Client(), table)
    assert not MARK.findall(board_of(Client(), table))
    for _ in range(LATEST + 1):
        hand = play(house, table)
    (results,) = results_of([hand.shoe]).values()
    marks = MARK.findall(board_of(client_of(house.person("alice")), table))
    assert [mark[3] for mark in marks] == [letter(result.winner) for result in results[-LATEST:]]
    # The newest waits for its cards, the others lie there.
    assert [bool(waits) for *_, waits, _ in marks] == [False] * (LATEST - 1) + [True]
    assert marks[-1][0] == str(hand.pk)
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    later = MARK.findall(board_of(Client(), table))
    assert [mark[0] for mark in later] == [mark[0] for mark in marks]
    assert not any(waits for *_, waits, _ in later)
    # The last coup lies there until the next is dealt.
    lies = f'id="coup-{hand.pk}"'
    assert lies in board_of(Client(), table)
    play(house, table)
    assert lies not in board_of(Client(), table)


def test_a_change_of_shoes_is_said(house: House, table: Table) -> None:
    new, out, over = "A new shoe", "The cut card is out", "This shoe is over"

    def said() -> list[str]:
        text = words(board_of(Client(), table))
        return [words for words in (new, out, over) if words in text]

    assert said() == [new]
    shoe = play(house, table).shoe
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    assert said() == []
    play(house, table)
    cut = len(Baccarat().composition()) - Baccarat().cut_cards
    Shoe.objects.filter(pk=shoe.pk).update(cards_dealt=cut)
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    assert said() == [out]
    play(house, table)
    assert said() == [over]
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    assert said() == [new]
    assert Hand.objects.filter(table=table).latest("pk").shoe_id != shoe.pk


def test_who_backed_a_side_has_time_to_turn_its_cards(house: House, table: Table) -> None:
    pause = timedelta(seconds=table.pause_seconds)
    hand = play(house, table, on="banker")
    assert table.due_at == house.now + SQUEEZE_TIME + pause
    assert hand.ended_at
    ends = f'id="squeeze" class="squeeze" data-deadline="{hand.ended_at + SQUEEZE_TIME:%Y-%m-%dT%X}'
    # It ends at one moment for all viewers.
    assert ends in board_of(client_of(house.person("alice")), table)
    assert ends in board_of(Client(), table)
    # A bet on neither side leaves nothing to turn.
    play(house, table, on="tie")
    assert table.due_at == house.now + pause


def test_no_road_beside_the_table_tells_a_coup_that_is_still_turned(
    house: House, table: Table
) -> None:
    hand = play(house, table, on="banker")
    assert hand.ended_at == house.now
    assert results_at([table], house.now) == {table.pk: ()}
    (beside,) = tables_beside([table], house.now)
    assert beside.marks == ()
    assert len(results_at([table], house.now + SQUEEZE_TIME)[table.pk]) == 1
    # No player turns the cards of a bet on neither side.
    play(house, table, on="tie")
    assert len(results_at([table], house.now)[table.pk]) == 2


@pytest.mark.always
def test_no_browser_has_a_card_of_the_coup_while_bets_are_placed(
    house: House, table: Table
) -> None:
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 1_000})
    for client in (client_of(house.person("alice")), Client()):
        text = board_of(client, table)
        assert 'id="coup"' not in text
        assert "#card-" not in text
        assert 'id="squeeze"' not in text
    house.act(table, "alice", {"do": "done"})
    assert "#card-" in board_of(Client(), table)


def test_tables_stand_beside_one_another_with_roads_and_bets(house: House, table: Table) -> None:
    hand = play(house, table)
    other = house.table("baccarat_commission", name="The other one")
    house.table("baccarat", name="A hidden one", private=True)
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    client = client_of(house.person("alice"))
    page = client.get("/lobby/baccarat/").text
    assert page.index(f'id="table-{table.pk}"') < page.index(f'id="table-{other.pk}"')
    assert "A hidden one" not in page
    assert "No bets yet." in page
    (results,) = results_of([hand.shoe]).values()
    (mark,) = re.findall(rf'id="result-{table.pk}-1"\s+class="(\w+)"', page)
    assert mark == results[0].winner
    assert 'aria-label="Big road: ' in page
    # A viewer who has it already is sent nothing; the bets of the round are news.
    known = re.search(r'name="known" value="(\w+)"', page)
    assert known
    part = f"/lobby/baccarat/?known={known[1]}"
    assert client.get(part, headers=HTMX).status_code == 204
    for amount in (1_000, 500):
        house.act(table, "alice", {"do": "bet", "on": "tie", "amount": amount})
    assert "Tie 15" in words(client.get(part, headers=HTMX).text)


@pytest.mark.always
def test_many_tables_beside_one_another_cost_no_more_queries(
    house: House, table: Table, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    play(house, table)
    with CaptureQueriesContext(connection) as alone:
        Client().get("/lobby/baccarat/")
    for _ in range(5):
        house.table("baccarat")
    with django_assert_max_num_queries(len(alone)):
        assert Client().get("/lobby/baccarat/").text.count('class="window"') == 6
