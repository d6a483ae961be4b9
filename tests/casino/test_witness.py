"""Outside witnesses (`docs/witness.py`), each run as its owner runs it: as a process of its own."""

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client

from casino.office.alarms import condition_checks, delivering
from casino.office.alarms.models import Alarm, Delivery
from games.models import Anchor, WitnessedAnchor
from games.records import audit_anchors, audit_house
from games.shoes import anchors, witnesses
from tests.games.falsified import nothing_guards, sql
from tests.games.house import House
from tests.waiting import until
from wallets.storage.signing import canonical, is_signed, public_keys, sign

SCRIPT = Path(__file__).parents[2] / "docs" / "witness.py"
pytestmark = pytest.mark.django_db


class Process:
    """A witness, with nothing but the standard library at hand."""

    def __init__(self, folder: Path, late: float = 30) -> None:
        self.folder, words = folder, ["serve", str(folder), "--port", "0", "--late", str(late)]
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-E",
                "-s",
                "-S",
                "-B",
                str(SCRIPT),
                *words,
                "--house",
                public_keys()[0],
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout
        said = re.fullmatch(
            r"witness ([0-9a-f]{64}) listens on port (\d+)\n", self.process.stdout.readline()
        )
        assert said
        self.key, self.url = said[1], f"http://127.0.0.1:{said[2]}/"

    @property
    def address(self) -> str:
        return f"{self.url}#{self.key}"

    @property
    def kept(self) -> list[Any]:
        return [json.loads(line) for line in (self.folder / "anchors.jsonl").open()]

    @property
    def alarms(self) -> list[str]:
        file = self.folder / "alarms.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return [json.loads(line)["alarm"] for line in lines]

    def post(self, line: str) -> tuple[int, Any]:
        body = json.dumps({"line": line}).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url, body)) as answer:
                return answer.status, json.load(answer)
        except HTTPError as refusal:
            return refusal.code, json.load(refusal)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


@pytest.fixture
def start(tmp_path: Path, settings: Any) -> Iterator[Callable[..., Process]]:
    running: list[Process] = []
    settings.WITNESSES, settings.WITNESSES_INSIDE = [], True

    def begin(name: str = "one", **options: Any) -> Process:
        running.append(Process(tmp_path / name, **options))
        settings.WITNESSES = [process.address for process in running]
        return running[-1]

    yield begin
    for process in running:
        process.end()


def anchor(house: House) -> Anchor:
    made = anchors.anchor(house.now)
    assert made is not None
    return made


def open_alarms(house: House) -> dict[str, str]:
    condition_checks.look(house.now)
    alarms = Alarm.objects.filter(kind__startswith="witness", cleared_at=None)
    return {
        alarm.kind: str(alarm.figures.get("said", alarm.figures.get("number"))) for alarm in alarms
    }


@pytest.mark.always
def test_a_witness_countersigns_what_follows_and_the_house_shows_it(
    house: House, start: Callable[..., Process], settings: Any
) -> None:
    settings.ANCHOR_MINUTES = 10
    process = start()
    first = anchor(house)
    assert delivering.send_due(house.now) == 1
    assert anchors.when_due(house.now) is None
    house.pass_time(600)
    second = anchors.when_due(house.now)
    assert second is not None
    assert delivering.send_due(house.now) == 1
    row = WitnessedAnchor.objects.get(anchor=second)
    said = json.loads(row.statement)
    assert is_signed("witness", said, row.signature, process.key)
    assert (said["number"], said["place"]) == (2, 2)
    assert said["anchor"] == anchors.hash_of(second.line)
    assert [entry["anchor"] for entry in process.kept] == [first.line, second.line]
    for page in ("/fairness/", "/fairness/witnesses.json"):
        assert row.signature in Client().get(page).content.decode(), page
    assert list(audit_house.published()) == []
    assert open_alarms(house) == {}
    # The same again gets the same answer, and nothing is kept twice.
    assert process.post(first.line)[1]["statement"]["place"] == 1
    assert len(process.kept) == 2


def test_a_witness_that_missed_some_gets_them_first(
    house: House, start: Callable[..., Process]
) -> None:
    process = start()
    anchor(house)
    delivering.send_due(house.now)
    skipped, last = anchor(house), anchor(house)
    Delivery.objects.filter(anchor=skipped).update(next_at=None)
    assert process.post(last.line) == (
        409, {"code": "gap", "have": 1, "sentence": "anchor 2 is missing"},
    )  # fmt: skip
    assert delivering.send_due(house.now) == 1
    assert [row.anchor.number for row in WitnessedAnchor.objects.all()] == [1, 2, 3]
    assert process.alarms == []


def rewritten(made: Anchor, **changed: Any) -> str:
    """Another anchor of this number, as an owner of keys, database and file would make it."""
    statement = json.loads(made.line)["statement"] | changed
    signed = {"statement": statement, "signature": sign(anchors.KIND, statement)}
    return canonical(signed | {"key": public_keys()[0]}).decode()


def test_what_contradicts_an_anchor_is_an_alarm_on_both_sides(
    house: House, start: Callable[..., Process]
) -> None:
    """The house has shown one thing to one witness, and goes on with another."""
    process, two = start("one"), start("two")
    first = anchor(house)
    assert process.post(rewritten(first, at="2026-01-01T00:00:00+00:00"))[0] == 200
    assert delivering.send_due(house.now) == 1
    assert (process.alarms, two.alarms) == (["the house has signed two different anchors 1"], [])
    alarms = open_alarms(house)
    assert "two different anchors 1" in alarms["witness_disagrees"]
    names = [str(process.folder / "anchors.jsonl"), str(two.folder / "anchors.jsonl")]
    for files, status in ((names, 1), ([names[1], str(anchors.file())], 0)):
        done = subprocess.run([sys.executable, str(SCRIPT), "compare", *files], check=False)
        assert done.returncode == status


def test_a_witness_signs_nothing_else(house: House, start: Callable[..., Process]) -> None:
    process = start()
    first = anchor(house)
    assert process.post(first.line)[0] == 200
    second = anchor(house)
    chain = json.loads(second.line)["statement"]["chain"]
    forged = json.loads(second.line) | {"signature": "00" * 64}
    stranger = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    refused = {
        "{": "unreadable",
        "[]": "unreadable",
        canonical(forged).decode(): "unsigned",
        canonical(json.loads(second.line) | {"key": stranger}).decode(): "unsigned",
        f" {second.line}": "unsigned",
        rewritten(second, previous="11" * 32): "conflict",
        rewritten(second, chain=chain | {"position": -7}): "conflict",
        rewritten(second, chain=chain | {"head": "22" * 32}): "conflict",
    }
    for line, code in refused.items():
        status, said = process.post(line)
        assert (status, said["code"]) == (409, code), line
    assert len(process.kept) == 1
    assert len(process.alarms) == 3
    assert process.post(second.line)[0] == 200


def test_a_late_anchor_and_a_late_witness_are_alarms(
    house: House, start: Callable[..., Process]
) -> None:
    process = start(late=0.0005)
    until(lambda: any("no anchor since" in said for said in process.alarms))
    process.end()
    anchor(house)
    assert delivering.send_due(house.now) == 0
    assert open_alarms(house) == {}
    house.pass_time(301)
    assert open_alarms(house) == {"witness_late": "1"}
    house.pass_time(audit_anchors.SIGNED_LATE.total_seconds())
    assert f"witness {process.key[:8]} has not signed anchor 1" in str(
        list(audit_house.published())
    )


EDITS = {
    "a signature deleted": "DELETE FROM games_witnessedanchor WHERE place = 1",
    "the last deleted": "DELETE FROM games_witnessedanchor WHERE place = 3",
    "a signature changed": "UPDATE games_witnessedanchor SET signature = '00' WHERE place = 2",
    "a statement changed": "UPDATE games_witnessedanchor SET statement = '{}' WHERE place = 2",
    "a place changed": "UPDATE games_witnessedanchor SET place = 9 WHERE place = 2",
    "another witness": "UPDATE games_witnessedanchor SET witness = '00' WHERE place = 2",
    "another anchor": """UPDATE games_witnessedanchor SET anchor_id =
        (SELECT id FROM games_anchor WHERE number = 4) WHERE place = 2""",
}


def test_the_audit_notices_every_edit_of_signatures(
    house: House, start: Callable[..., Process]
) -> None:
    start()
    for _ in range(3):
        anchor(house)
        delivering.send_due(house.now)
    settled = list(WitnessedAnchor.objects.values())
    Anchor.objects.create(number=4, made_at=house.now, position=0, line="{}", written=False)
    house.pass_time(audit_anchors.SIGNED_LATE.total_seconds() + 1)
    hashes = {row.number: anchors.hash_of(row.line) for row in Anchor.objects.all()}
    Anchor.objects.filter(number=4).update(made_at=house.now)
    assert list(audit_anchors.findings(hashes)) == []
    for what, statement in EDITS.items():
        with nothing_guards():
            sql(statement)
        assert list(audit_anchors.findings(hashes)), what
        WitnessedAnchor.objects.all().delete()
        WitnessedAnchor.objects.bulk_create(WitnessedAnchor(**row) for row in settled)
    assert list(audit_anchors.findings(hashes)) == []


def test_a_witness_goes_on_where_it_stopped(house: House, start: Callable[..., Process]) -> None:
    """Also after its machine stopped in the middle of a line."""
    process = start()
    assert process.post(anchor(house).line)[0] == 200
    process.end()
    with (process.folder / "anchors.jsonl").open("a") as file:
        file.write('{"anchor":"torn')
    again = start()
    assert again.key == process.key
    status, said = again.post(anchor(house).line)
    assert (status, said["statement"]["place"], len(again.kept)) == (200, 2, 2)


@pytest.mark.parametrize(
    "url", ["http://witness.example/", "https://127.0.0.1/", "https://[::1]:8790/", "file:///etc"]
)
def test_a_witness_inside_the_house_is_none_unless_it_may_be(
    house: House, settings: Any, url: str
) -> None:
    settings.WITNESSES, settings.WITNESSES_INSIDE = [f"{url}#{'0' * 64}"], False
    anchor(house)
    assert delivering.send_due(house.now) == 0
    assert "ValueError" in Delivery.objects.get().last_error
    assert witnesses.latest() == []
