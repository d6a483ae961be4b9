"""The evidence of a tournament: its hands, its money and what staff did, once it is over."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from casino.evidence import packing
from casino.evidence.scope import Wanted, scope_of
from tests.rules.verdicts import run
from tests.tournaments.events import Event, sit_and_go
from wallets import journal
from wallets.errors import Refused


def test_an_event_is_packed_when_it_is_over(event: Event, tmp_path: Path) -> None:
    event.open(sit_and_go(), 2)
    event.until(event.is_running)
    with pytest.raises(Refused, match="not over yet"):
        scope_of(Wanted("event", str(event.number)), event.house.now)
    event.until(event.is_over)
    scope = scope_of(Wanted("event", event.row.reference), event.house.now)
    made = packing.note(packing.PACKED, scope, journal.HOUSE, "a test", event.house.now)
    path = tmp_path / "event.zip"
    path.write_bytes(b"".join(packing.packed(scope, made)))
    status, said = run("", str(path))
    assert status == 0, said
    with zipfile.ZipFile(path) as archive:
        postings = [
            json.loads(line) for line in io.BytesIO(archive.read("ledger.jsonl")).readlines()
        ]
        hands = archive.read("records.jsonl").splitlines()
    assert len(hands) == scope.hands.count() > 0
    assert {"hand", "tournament_prize", "tournament_entry"} <= {one["kind"] for one in postings}
