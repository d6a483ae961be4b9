"""The commands of auditors: the audit of every hand, and records to take away."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games import chain
from games.models import ChainEntry, Hand, Table
from games.rules.record import read_record, replay_record
from tests.games.house import House


@pytest.fixture
def played(house: House) -> Table:
    house.bots(3)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.hands_dealt == 4)
    chain.link()
    return table


def audit(*arguments: str) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("audit", *arguments, stdout=out, no_color=True)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def export(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("export", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_an_honest_house_passes(played: Table) -> None:
    told, code = audit()
    assert told.strip() == "3 hands, 0 of them do not add up"
    assert code == 0


def test_each_difference_is_a_line_and_the_exit_code_says_so(played: Table) -> None:
    hand = Hand.objects.get(table=played, number=2)
    Hand.objects.filter(pk=hand.pk).update(rake=77)
    told, code = audit()
    assert f"hand {hand.pk} {hand.code}: the house's part is stored as 0, rake 77" in told
    assert "3 hands, 1 of them do not add up" in told
    assert code == 1


def test_the_audit_goes_on_behind_a_hand(played: Table) -> None:
    first, second, _third = Hand.objects.filter(status="finished").order_by("pk")
    Hand.objects.filter(pk=first.pk).update(rake=77)
    assert audit("--after", str(first.pk)) == ("\r2 hands, 0 of them do not add up\n", 0)
    assert audit(str(second.pk))[1] == 0
    assert audit(str(first.pk))[1] == 1


def test_the_audit_reads_the_public_chain(played: Table) -> None:
    entry = ChainEntry.objects.filter(kind="lock").first()
    assert entry is not None
    ChainEntry.objects.filter(pk=entry.pk).update(body={})
    told, code = audit()
    assert f"the public chain: entry {entry.pk} does not follow the one before it" in told
    assert code == 1


def test_records_come_as_lines_that_replay_and_verify(
    played: Table, repository: Path, tmp_path: Path
) -> None:
    lines = export()
    assert len(lines) == 3
    for line in lines:
        record = read_record(line)
        game = record.options
        assert game.to_act(replay_record(record)) == frozenset()
        kept = tmp_path / "record.json"
        kept.write_text(line)
        verifier = [sys.executable, str(repository / "docs" / "verify.py"), str(kept)]
        checked = subprocess.run(verifier, capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout


def test_records_are_chosen_by_table_and_day(played: Table) -> None:
    numbers = [json.loads(line)["id"] for line in export("--table", str(played.pk))]
    assert numbers == [f"T{played.pk}-H{number}" for number in (1, 2, 3)]
    assert export("--table", "999") == []
    assert export("--until", "2026-03-01") == []
    assert len(export("--since", "2026-03-01")) == 3
