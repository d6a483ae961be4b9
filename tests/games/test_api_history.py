"""Finished hands by the API: for those who played them, and for auditors."""

import json
from pathlib import Path

import jsonschema
import pytest

from games.models import Hand, Table
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.games.program import Program
from wallets.models.staff_models import JournalEntry


def play(house: House) -> Table:
    """A table where alice has played three hands."""
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.hands_dealt == 4)
    return table


evening = played_once(play)


@pytest.fixture
def played(tonight: Evening[Table]) -> Table:
    return tonight.made


@pytest.fixture
def alice(played: Table) -> Program:
    return Program("alice")


def test_hands_come_in_pages(alice: Program, played: Table) -> None:
    first = alice.get("hands/", limit=2)
    assert [hand["number"] for hand in first["hands"]] == [3, 2]
    rest = alice.get("hands/", limit=2, before=first["next"])
    assert [hand["number"] for hand in rest["hands"]] == [1]
    assert rest["next"] is None
    for query, count in (
        ({"game": "baccarat"}, 3),
        ({"game": "doudizhu"}, 0),
        ({"table": played.pk}, 3),
        ({"table": played.pk + 1}, 0),
        ({"code": f"T{played.pk}-H2"}, 1),
        ({"code": "nothing"}, 0),
    ):
        assert len(alice.get("hands/", **query)["hands"]) == count, query
    for query in ({"limit": 0}, {"limit": 201}, {"before": "x"}, {"before": 2**70}, {"page": 2}):
        alice.get("hands/", **query)
        assert alice.status == 400, query


def test_a_hand_comes_with_its_lines_and_its_record(alice: Program, played: Table) -> None:
    hand = alice.get("hands/")["hands"][0]
    shown = alice.get(f"hands/{hand['id']}/")
    assert shown["seats"][0]["player"] == "alice"
    assert all(line["sentence"] for line in shown["lines"])
    record = alice.get(f"hands/{hand['id']}/record/")
    schema = json.loads(Path("docs/hand-record.schema.json").read_text())
    jsonschema.validate(record, schema)
    assert record["shoe"]["openings"]


@pytest.mark.always
def test_the_hand_that_runs_is_not_among_them(alice: Program, played: Table) -> None:
    for path in (f"hands/{played.hand_id}/", f"hands/{played.hand_id}/record/"):
        assert alice.refused(alice.get(path)) == (404, "no_such_hand")


@pytest.mark.always
def test_anothers_hand_is_as_if_it_were_not_there(
    alice: Program, bob: Program, played: Table
) -> None:
    hand = Hand.objects.filter(status=Hand.Status.FINISHED).latest("pk")
    assert bob.get("hands/")["hands"] == []
    for path in (f"hands/{hand.pk}/", f"hands/{hand.pk}/record/"):
        assert bob.refused(bob.get(path)) == (404, "no_such_hand")


def test_an_auditor_sees_every_card_and_that_is_noted(
    house: House, alice: Program, bob: Program
) -> None:
    from casino.accounts.staff import AUDITORS, appoint

    table = house.dealt_in("doudizhu", "dora", "emil", "fred")
    house.until(table, lambda table: table.hand_id is None)
    appoint(house.person("bob"), AUDITORS)
    (hand,) = bob.get("hands/", game="doudizhu")["hands"]
    record = bob.get(f"hands/{hand['id']}/record/")
    assert None not in record["cards"]
    assert JournalEntry.objects.get(verb="hand.open_cards").actor_name == "bob"
