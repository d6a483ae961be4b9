"""Dou Dizhu's own event: a knock-out in step, then rounds that are drawn or ranked."""

from typing import Any

import pytest
from django.test import Client

from tests.people import client_of
from tests.tournaments.events import Event, plain, structure
from tournaments.mathematics.structure import Structure
from tournaments.models import Bye, Elimination, Entry, HandEnded, Tournament

pytestmark = pytest.mark.django_db


def knock_out(manner: str = "swiss", **given: Any) -> Structure:
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


QUICK: dict[str, Any] = {"game": "chinese_poker", "table_size": 2, "field_min": 5}
FIELDS = {
    "chinese_poker": (knock_out(**QUICK, knock_out={"line_points": 9, "until": 4}), 5),
    "doudizhu": (knock_out(), 8),
    "doudizhu, fixed": (knock_out("fixed"), 8),
}


@pytest.mark.parametrize(
    "name",
    [
        "chinese_poker",
        pytest.param("doudizhu", marks=pytest.mark.release),
        pytest.param("doudizhu, fixed", marks=pytest.mark.release),
    ],
)
def test_all_tables_play_in_step_until_rounds_rank_those_who_are_left(
    event: Event, name: str
) -> None:
    played, count = FIELDS[name]
    assert played.knock_out
    left = played.knock_out.until
    event.open(played, count)
    event.until(event.is_running)
    while event.row.stage == 1:
        byes = Entry.objects.filter(state__in=Entry.LEFT).values_list("byes", flat=True)
        assert max(byes) - min(byes) <= 1
        rows = event.row.tables.filter(broken_at=None).select_related("table")
        dealt = [row.table.hands_dealt - (row.hands_allowed or 0) for row in rows]
        assert all(behind <= 0 for behind in dealt), dealt
        event.step()
        event.check()
    assert Bye.objects.filter(round=0).count() > 1
    event.until(lambda: event.row.round == 1)
    text = plain(Client().get(f"/tournaments/{event.number}/").text)
    assert "Round 1 of 2" in text
    assert "by score, after each hand" in text
    assert "Average" not in text
    event.play_closely()
    row = event.row
    assert (row.state, row.stage, row.round) == (Tournament.State.FINISHED, 2, 2)
    assert Elimination.objects.filter(why="line").count() == count - left
    for number in (1, 2):
        hands = HandEnded.objects.filter(round=number)
        tables = {hand.table_id for hand in hands}
        assert [hands.filter(table=table).count() for table in tables] == [2] * len(tables)
        assert {hand.hand.options["point"] for hand in hands.select_related("hand")} == {10}


@pytest.mark.always
def test_players_read_the_line_and_the_terms(event: Event) -> None:
    """Until how many, what is carried over, the rounds, and how far one is above the line."""
    event.open(knock_out(), 7)
    event.until(event.is_running)
    seated, resting = (
        client_of(Entry.objects.filter(seat__isnull=without)[0].player).get(
            f"/tournaments/{event.number}/"
        )
        for without in (False, True)
    )
    assert "You wait for a seat" in resting.text
    text = plain(seated.text)
    # The point is 10, the line 9 points, and everybody has 1,000 chips.
    assert "I am above the line by +910 at the next level +100" in text
    assert "out, until 6 are left" in text
    assert "Score = chips ÷ 10, at most 500, rounded down" in text
    assert "2 rounds of 2 hands each, at 10 chips a point" in text
    assert "1 to go until the knock-out ends" in text
    assert "6 points, if the others stay where they are: won: 1,060, place 1" in text


def test_the_best_of_those_below_the_line_stay_until_enough_are_left(event: Event) -> None:
    # The line rises above all chips before the first hand has ended.
    levels = [{"point": 1, "seconds": 1}, {"point": 10}]
    cup = {"line_points": 900, "until": 4}
    event.open(knock_out(**QUICK, levels=levels, knock_out=cup), 7)
    event.until(lambda: event.row.stage == 2)
    # All are below the line and began the hand alike, those with a bye too: the draw decides.
    out = Elimination.objects.order_by("sequence").values_list("entry__drawn", "why")
    assert list(out) == [(7, "line"), (6, "line"), (5, "line")]
    assert event.row.players_left == 4
