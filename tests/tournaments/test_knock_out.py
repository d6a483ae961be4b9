"""Dou Dizhu's own event: a knock-out in step, then rounds that are drawn or ranked."""

import re

import pytest
from django.test import Client

from tests.people import client_of
from tests.tournaments.events import Event, structure
from tournaments.models import Bye, Elimination, Entry, HandEnded, Tournament
from tournaments.structure import Structure

pytestmark = pytest.mark.django_db(transaction=True)


def knock_out(manner: str = "swiss", **given: object) -> Structure:
    return structure(
        **{
            "kind": "knock_out",
            "game": "doudizhu",
            "table_size": 3,
            "field_min": 7,
            "levels": [{"point": 10, "seconds": 10}, {"point": 100}],
            "knock_out": {"line_points": 9, "until": 6},
            "rounds": {
                "manner": manner,
                "count": 2,
                "hands": 2,
                "point": 10,
                "chips": 2_000,
                "carry": {"divide_by": 10, "most": 500},
            },
            **given,
        }
    )


@pytest.mark.parametrize("manner", ["fixed", "swiss"])
def test_it_comes_down_to_rounds_and_a_ranking(event: Event, manner: str) -> None:
    event.open(knock_out(manner), 8)
    event.until(event.is_running)
    steps = 0
    while not event.is_over():
        event.step()
        steps += 1
        if steps % 4 == 0:
            event.check()
    event.check()
    row = event.row
    assert (row.state, row.stage, row.round) == (Tournament.State.FINISHED, 2, 2)
    lines = Elimination.objects.filter(why="line")
    assert lines.count() == 2
    for number in (1, 2):
        hands = HandEnded.objects.filter(round=number)
        tables = {one.table_id for one in hands}
        assert [hands.filter(table=table).count() for table in tables] == [2] * len(tables)
        assert {one.hand.options["point"] for one in hands.select_related("hand")} == {10}


def test_all_tables_of_a_knock_out_play_in_step(event: Event) -> None:
    event.open(knock_out(), 7)
    event.until(event.is_running)
    while event.row.stage == 1 and not event.is_over():
        event.step()
        byes = Entry.objects.filter(state__in=Entry.LEFT).values_list("byes", flat=True)
        assert max(byes) - min(byes) <= 1
        rows = event.row.tables.filter(broken_at=None).select_related("table")
        dealt = [row.table.hands_dealt - (row.hands_allowed or 0) for row in rows]
        assert all(behind <= 0 for behind in dealt), dealt
    assert Bye.objects.filter(round=0).count() > 2
    event.play()
    event.check()


def test_the_best_of_those_below_the_line_stay_until_enough_are_left(event: Event) -> None:
    # The line rises above all chips before the first hand has ended.
    levels = [{"point": 1, "seconds": 1}, {"point": 10}]
    event.open(knock_out(levels=levels, knock_out={"line_points": 900, "until": 6}), 8)
    event.until(lambda: event.row.stage == 2)
    # All are below the line and began the hand alike, those with a bye too: the draw decides.
    out = Elimination.objects.order_by("sequence").values_list("entry__drawn", "why")
    assert list(out) == [(8, "line"), (7, "line")]
    assert event.row.players_left == 6


def test_players_read_the_line_and_the_terms(event: Event) -> None:
    """Until how many, what is carried over, the rounds, and how far one is above the line."""
    players = event.open(knock_out(), 7)
    event.until(event.is_running)
    client = client_of(players[0])
    seat = event.entry(players[0]).seat
    other = next(one for one in players if event.entry(one).seat)
    text = plain(client_of(other).get(f"/tournaments/{event.number}/").text)
    # The point is 10, the line 9 points, and everybody has 1,000 chips.
    assert "I am above the line by +910 at the next level +100" in text
    assert "out, until 6 are left" in text
    assert "Score = chips ÷ 10, at most 500, rounded down" in text
    assert "2 rounds of 2 hands each, at 10 chips a point" in text
    assert "1 to go until the knock-out ends" in text
    assert "6 points, if the others stay where they are: won: 1,060, place 1" in text
    assert (seat is None) is (
        "You wait for a seat" in client.get(f"/tournaments/{event.number}/").text
    )
    event.until(lambda: event.row.round == 1)
    text = plain(Client().get(f"/tournaments/{event.number}/").text)
    assert "Round 1 of 2" in text
    assert "by score, after each hand" in text
    assert "Average" not in text


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))
