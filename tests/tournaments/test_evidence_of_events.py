"""The evidence of a tournament: its hands, its money and what staff did, once it is over."""

import json
import zipfile
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from casino.office.evidence import packing
from casino.office.evidence.scope import Wanted, scope_of
from tests.rules.verdicts import NOT_PROVED, OF_PACKAGES, OF_SHOES, PROVED, WRONG, run, written
from tests.tournaments.events import Event, sit_and_go, structure
from wallets.staff import journal
from wallets.storage.signing import canonical
from wallets.values.errors import Refused


def packed(event: Event, path: Path) -> None:
    """A package of evidence about an event."""
    scope = scope_of(Wanted("event", event.row.reference), event.house.now)
    made = packing.note(packing.PACKED, scope, journal.HOUSE, "a test", event.house.now)
    path.write_bytes(b"".join(packing.packed(scope, made)))


def rows_of(path: Path) -> list[dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("tournament.jsonl").splitlines()
    return [json.loads(line) for line in lines]


def repacked(path: Path, rows: list[dict[str, Any]], forged: Path) -> None:
    """The same package with other rows of the tournament, counted and hashed again."""
    content = b"".join(canonical(row) + b"\n" for row in rows)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(forged, "w") as new:
        for name in old.namelist():
            if not name.startswith("MANIFEST"):
                new.writestr(name, content if name == "tournament.jsonl" else old.read(name))
        manifest = json.loads(old.read("MANIFEST.json"))
        (listed,) = [file for file in manifest["files"] if file["name"] == "tournament.jsonl"]
        listed |= {"size": len(content), "sha256": sha256(content).hexdigest()}
        signature = json.loads(old.read("MANIFEST.sig"))
        signature["manifest"] = sha256(canonical(manifest)).hexdigest()
        new.writestr("MANIFEST.json", canonical(manifest))
        new.writestr("MANIFEST.sig", canonical(signature))


def changed(
    rows: list[dict[str, Any]], row: str, change: Callable[[dict[str, Any]], object]
) -> Any:
    """The rows with the first of its kind changed."""
    other = deepcopy(rows)
    change(next(entry for entry in other if entry["row"] == row))
    return other


def exchange(order: list[Any]) -> None:
    order[0], order[1] = order[1], order[0]


@pytest.mark.slow
def test_an_event_is_packed_when_it_is_over_and_what_is_forged_is_found(
    event: Event, tmp_path: Path
) -> None:
    event.open(sit_and_go(seats=4, levels=[{"point": 1_000}]), 4)
    event.until(event.is_running)
    with pytest.raises(Refused, match="not over yet"):
        scope_of(Wanted("event", str(event.number)), event.house.now)
    event.play()
    path, forged = tmp_path / "event.zip", tmp_path / "forged.zip"
    packed(event, path)
    status, said = run("", str(path), script=OF_PACKAGES)
    assert status == 0, said
    assert any(line.startswith("tournament: OK") for line in said)
    with zipfile.ZipFile(path) as archive:
        postings = [json.loads(line) for line in archive.read("ledger.jsonl").splitlines()]
        hands = archive.read("records.jsonl").splitlines()
    assert len(hands) == event.hands() > 0
    assert {"hand", "tournament_prize", "tournament_entry"} <= {
        posting["kind"] for posting in postings
    }
    rows = rows_of(path)
    assert {row["row"] for row in rows} == {"shoe", "entry", "move", "out", "payout"}
    forgeries = {
        "fails at draw": changed(rows, "shoe", lambda shoe: exchange(shoe["draws"][0]["order"])),
        "fails at seats": changed(rows, "shoe", lambda shoe: exchange(shoe["seats"])),
        "fails at lock": changed(rows, "shoe", lambda shoe: exchange(shoe["entrants"])),
        "a first seat differs from the draw": changed(
            rows, "move", lambda move: move.update(to=[2, 2])
        ),
        "is not in it": changed(rows, "payout", lambda row: row.update(amount=1)),
        "has a gap": [row for row in rows if row["row"] != "out" or row["sequence"] != 2],
    }
    for sentence, other in forgeries.items():
        repacked(path, other, forged)
        status, said = run("", str(forged), script=OF_PACKAGES)
        assert status, sentence
        assert sentence in "\n".join(said), said


def test_what_is_published_of_a_shoe_is_checked_by_the_verifier(
    event: Event, tmp_path: Path
) -> None:
    event.open(structure(), 5)
    event.until(event.is_running)
    shown = Client().get(f"/tournaments/{event.number}/shoe.json").json()
    status, lines = run("", *written(tmp_path, shown), script=OF_SHOES)
    assert status == PROVED, lines
    steps = ("seal", "lock", "commit", "mix", "draw-chain", "draw", "seats")
    assert lines[:-2] == [f"{step}: OK" for step in steps]
    for name, value in (("leaves", shown["leaves"][::-1]), ("sizes", [2, 2]), ("x_0", "00" * 32)):
        altered = written(tmp_path, {**shown, name: value})
        assert run("", *altered, script=OF_SHOES)[0] == WRONG, name
    sealed = written(tmp_path, {**shown, "lock": "", "mix": "", "draws": [], "seats": []})
    status, lines = run("", *sealed, script=OF_SHOES)
    assert (status, lines[-1]) == (NOT_PROVED, "NOT PROVED: the mix has not been published")
