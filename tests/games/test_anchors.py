"""Heads of chain and ledger are signed and written outside the database, once, whatever happens."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from games import tasks
from games.models import Anchor, ChainEntry, Table
from games.records import audit_house, closed_days
from games.shoes import anchors, chain
from tests.games.evenings import played_once
from tests.games.house import House
from tests.people import by_staff
from wallets.models import Book
from wallets.storage.signing import is_signed, public_keys
from wallets.values.days import day_of


def play(house: House) -> Table:
    """A hand has been played."""
    table = house.among_bots("chinese_poker", "alice", 3)
    house.until(table, lambda table: table.hands_dealt == 2)
    return table


evening = played_once(play)


def statements() -> list[dict[str, Any]]:
    return [json.loads(line)["statement"] for line in anchors.lines()]


def test_an_anchor_names_the_heads_and_is_signed(house: House, table: Table) -> None:
    anchors.anchor(house.now)
    (line,) = anchors.lines()
    anchor = json.loads(line)
    statement = anchor["statement"]
    assert is_signed("anchor", statement, anchor["signature"], anchor["key"])
    assert anchor["key"] == public_keys()[0]
    last = ChainEntry.objects.latest("position")
    assert statement["chain"] == {"position": last.position, "head": last.head}
    assert statement["books"] == {
        book.name: {"position": book.position, "head": book.head} for book in Book.objects.all()
    }
    assert anchors.latest() == house.now


def test_anchor_holds_the_previous_one_and_the_changed_books(house: House, table: Table) -> None:
    anchors.anchor(house.now)
    house.until(table, lambda table: table.hands_dealt == 4)
    anchors.anchor(house.now)
    first, second = statements()
    (line, _) = anchors.lines()
    assert second["previous"] == anchors.hash_of(line)
    assert (first["number"], second["number"]) == (1, 2)
    assert second["books"].keys() <= {table.reference}
    assert list(audit_house.published()) == []


def test_a_day_that_closes_is_anchored(house: House, table: Table) -> None:
    day = day_of(house.now)
    house.pass_time(24 * 3600)
    closed_days.close_days(house.now)
    closed_days.close_days(house.now)
    (statement,) = statements()
    assert statement["day"] == day.isoformat()


def publish(house: House, count: int) -> None:
    """So many entries more, all of them linked."""
    ChainEntry.objects.bulk_create(
        ChainEntry(kind="result", body={"hand": number}, made_at=house.now)
        for number in range(count)
    )
    while tasks.link_chain():
        pass


def test_every_thousand_entries_are_anchored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert anchors.EVERY == 1_000
    monkeypatch.setattr(anchors, "EVERY", 50)
    for anchored in (0, 1):
        publish(house, 49)
        assert len(statements()) == anchored
        publish(house, 1)
        assert statements()[anchored]["chain"]["position"] == 50 * (anchored + 1) - 1


def test_failed_anchor_is_written_with_the_next_one(
    house: House, table: Table, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "full").write_text("no folder")
    settings.ANCHORS_FILE = tmp_path / "full" / "anchors.jsonl"
    anchors.anchor(house.now)
    assert anchors.latest() is None
    assert list(audit_house.published()) == []
    house.now += timedelta(hours=1)
    assert list(audit_house.published()) == [
        "the anchors: anchor 1 was made, and is not in anchors.jsonl"
    ]
    settings.ANCHORS_FILE = tmp_path / "new" / "anchors.jsonl"
    anchors.anchor(house.now)
    assert [statement["number"] for statement in statements()] == [1, 2]
    assert list(audit_house.published()) == []


def test_a_line_that_was_written_in_part_is_written_whole(house: House, table: Table) -> None:
    anchors.anchor(house.now)
    house.until(table, lambda table: table.hands_dealt == 3)
    row = anchors.anchor(house.now)
    assert row is not None
    whole = anchors.file().read_bytes()
    anchors.file().write_bytes(whole[:-30])
    Anchor.objects.filter(pk=row.pk).update(written=False)
    anchors.write_waiting()
    assert anchors.file().read_text().splitlines()[-1] == row.line
    assert list(audit_house.published()) == []
    # And lines of the file are not written twice.
    Anchor.objects.filter(pk=row.pk).update(written=False)
    before = anchors.file().read_bytes()
    anchors.write_waiting()
    assert anchors.file().read_bytes() == before


@pytest.mark.always
def test_a_line_of_somebody_else_is_no_anchor(house: House, table: Table) -> None:
    anchors.anchor(house.now)
    with anchors.file().open("a") as file:
        file.write("nonsense\n")
        statement = {"number": 2, "chain": {"position": 0, "head": ""}, "books": {}}
        written = {"statement": statement, "signature": "00" * 64, "key": public_keys()[0]}
        file.write(json.dumps(written) + "\n")
    assert list(audit_house.published()) == [
        "the anchors: line 2 of the anchors cannot be read",
        "the anchors: anchor 2 is not signed by this house",
    ]


@pytest.mark.always
def test_everybody_sees_the_anchors_and_takes_them_away(
    house: House, table: Table, client: Client
) -> None:
    assert client.get("/fairness/anchors.jsonl").content == b""
    anchors.anchor(house.now)
    answer = client.get("/fairness/anchors.jsonl")
    written = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert written == anchors.file().read_bytes()
    page = client.get("/fairness/").text
    assert statements()[0]["chain"]["head"] in page
    assert public_keys()[0] in page


def test_a_command_anchors(house: House, table: Table) -> None:
    out = StringIO()
    call_command("anchor", *by_staff(), stdout=out)
    assert out.getvalue() == f"anchor 1 is written to {anchors.file()}\n"
    assert chain.end()[0] == statements()[0]["chain"]["position"]
