"""Packages of evidence: what is in them, who gets them, and that no change goes unnoticed."""

import contextlib
import io
import json
import runpy
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from casino.office.evidence import packing
from casino.office.evidence.packing import ZipStream
from casino.office.evidence.scope import Wanted, scope_of
from games.models import Hand, Shoe, Table
from games.records import reversals
from games.rules.cards import composition
from games.rules.shoe import ShoeProtocol
from games.shoes import anchors
from games.shoes.custody import secret_of
from tests.games.evenings import played_once
from tests.games.house import START, House
from tests.people import by_staff, client_of
from tests.rules.verdicts import OF_PACKAGES, PROVED, run
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.storage.signing import canonical, public_keys
from wallets.values.days import day_of
from wallets.values.errors import Refused

# An evening is played before the first of them.
pytestmark = pytest.mark.slow

SIGNATURES = Path(__file__).parents[2] / "docs" / "verify_signature.py"
CHECKS = ["files", "records", "chain", "ledger", "journal", "anchors", "complete"]
FILES = {
    "records.jsonl", "chain.jsonl", "ledger.jsonl", "journal.jsonl", "anchors.jsonl",
    "verify.py", "verify_package.py", "verify_shoe.py", "verify_signature.py",
    "MANIFEST.json", "MANIFEST.sig",
}  # fmt: skip


def play(house: House) -> list[Table]:
    """Baccarat from a shoe that lasts and Dou Dizhu: hands that ended, and one live at each.

    At least one hand of each moved money; all players of a Dou Dizhu hand may pass.
    """

    def reached(table: Table) -> bool:
        played = table.hands_dealt >= 3 and table.hand_id is not None
        return played and any(hand.posting for hand in finished(table))

    house.bots(2)
    tables = []
    for game, names in (("baccarat", ("alice",)), ("doudizhu", ("bob", "carol", "dave"))):
        table = house.dealt_in(game, *names)
        house.until(table, reached)
        tables.append(table)
    return tables


evening = played_once(play)


def package(house: House, kind: str, name: str, **days: Any) -> bytes:
    scope = scope_of(Wanted(kind, name, **days), house.now)
    made = packing.note(packing.PACKED, scope, journal.HOUSE, "a test", house.now)
    return b"".join(packing.packed(scope, made))


def contents(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def lines(package: bytes, name: str) -> list[Any]:
    return [json.loads(line) for line in contents(package)[f"{name}.jsonl"].splitlines()]


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def verdict(folder: Path, package: bytes) -> tuple[int, list[str]]:
    """What the verifier says of it, with nothing but the standard library at hand."""
    path = folder / "package.zip"
    path.write_bytes(package)
    return run("", str(path), script=OF_PACKAGES)


with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(OF_PACKAGES.parent)
    VERIFIER: Any = runpy.run_path(str(OF_PACKAGES))


def verdict_here(package: bytes) -> tuple[int, list[str]]:
    """The same in this process, for many packages."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            status: int = VERIFIER["check_package"](io.BytesIO(package))
        except Exception as fault:  # as a process it would end with "FAILED"
            return 1, [str(fault)]
    return status, said.getvalue().splitlines()


def signature(folder: Path, package: bytes, key: str) -> tuple[int, str]:
    path = folder / "signed.zip"
    path.write_bytes(package)
    command = [sys.executable, str(SIGNATURES), str(path), key]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip()


def finished(table: Table) -> list[Hand]:
    return list(table.hands.filter(status=Hand.Status.FINISHED).order_by("number"))


def test_a_hand_is_proved_with_python_alone(
    house: House, tables: list[Table], tmp_path: Path
) -> None:
    anchors.anchor(house.now)
    for table in tables:
        hand = finished(table)[0]
        made = package(house, "hand", hand.code)
        status, said = verdict(tmp_path, made)
        assert status == 0, said
        assert [line.split(":")[0] for line in said[: len(CHECKS)]] == CHECKS
        assert "records: OK, 1" in said
        assert f"Evidence of hand {hand.code}, made at {house.now.isoformat()}" in said
        assert "Anchored: 1 of 1 hands" in said
        assert contents(made).keys() == FILES
        (posting,) = [line for line in lines(made, "ledger") if line["kind"] == "hand"] or [None]
        assert (posting is None) == (hand.posting is None)
        record = lines(made, "records")[0]["record"]
        assert record["id"] == hand.code
        assert None not in record["cards"]
        scope = scope_of(Wanted("hand", hand.code), house.now)
        assert packing.file_name(scope) == f"evidence-{hand.code}.zip"
        alone = tmp_path / "records.jsonl"
        alone.write_bytes(contents(made)["records.jsonl"])
        status, said = run("", str(alone))
        assert (status, said[0], said[-1]) == (PROVED, f"Hand {hand.code}", "PROVED")


def test_a_reversed_hand_is_proved_with_its_reversal(house: House, tables: list[Table]) -> None:
    house.until(tables[1], lambda table: table.hand_id is None)
    hand = next(hand for hand in finished(tables[1]) if hand.posting)
    boss = Player.objects.create_superuser("boss")
    reversals.void(boss, hand.pk, "the dealing stopped", house.now)
    made = package(house, "hand", hand.code)
    status, said = verdict_here(made)
    assert status == 0, said
    assert {line["kind"] for line in lines(made, "ledger")} == {"hand", "hand_void"}
    assert "taken_back" in lines(made, "records")[0]["entry"]


@pytest.mark.always
def test_a_player_a_day_and_their_hands(house: House, tables: list[Table]) -> None:
    of_alice = package(house, "player", "Alice")
    status, said = verdict_here(of_alice)
    assert status == 0, said
    codes = {line["record"]["id"] for line in lines(of_alice, "records")}
    assert codes == {hand.code for hand in finished(tables[0])}
    kinds = {line["kind"] for line in lines(of_alice, "ledger")}
    assert {"grant", "buy_in"} <= kinds
    later = package(house, "player", "alice", first=day_of(house.now) + timedelta(days=3))
    assert lines(later, "records") == []
    house.pass_time(24 * 3600)
    day = package(house, "day", day_of(START).isoformat())
    status, said = verdict_here(day)
    assert status == 0, said
    codes = {line["record"]["id"] for line in lines(day, "records")}
    assert codes == {hand.code for table in tables for hand in finished(table)}


REFUSED = [
    ("hand", "T1-H999", "no_such_hand"),
    ("hand", "T1", "no_such_hand"),
    ("hand", "", "no_such_hand"),
    ("player", "nobody", "no_such_player"),
    ("player", "", "no_such_player"),
    ("day", "2026-03-01", "day_not_over"),
    ("day", "today", "day_not_over"),
    ("day", "some day", "not_a_day"),
    ("day", "0001-01-01", "not_a_day"),
    ("event", "7", "no_such_tournament"),
    ("event", "9" * 40, "no_such_tournament"),
    ("event", "Evening knock-out", "no_such_tournament"),
    ("chair", "7", "no_such_subject"),
]


@pytest.mark.always
def test_what_is_not_there_or_not_over_is_refused(house: House) -> None:
    for kind, name, code in REFUSED:
        with pytest.raises(Refused) as refused:
            scope_of(Wanted(kind, name), house.now)
        assert refused.value.code == code, name


def test_a_live_hand_is_in_no_package(house: House, tables: list[Table]) -> None:
    live = list(Hand.objects.filter(status=Hand.Status.LIVE))
    assert len(live) == 2
    for hand in live:
        with pytest.raises(Refused):
            scope_of(Wanted("hand", hand.code), house.now)
    house.pass_time(24 * 3600)
    for made in (package(house, "day", "2026-03-01"), package(house, "player", "bob")):
        codes = {line["record"]["id"] for line in lines(made, "records")}
        assert not codes & {hand.code for hand in live}


def secrets_of_live_shoes() -> set[str]:
    """What only the house knows of the shoes from which it still deals."""
    secrets = set()
    for shoe in Shoe.objects.filter(hands__status=Hand.Status.LIVE):
        secret, cards = secret_of(shoe), composition(shoe.decks, shoe.jokers)
        sealed = ShoeProtocol(shoe.code).seal(secret, cards)
        dealt = shoe.hands.filter(status=Hand.Status.FINISHED)
        places = {
            k for hand in dealt for k in range(hand.first_card, hand.first_card + hand.cards_dealt)
        }
        order = ShoeProtocol(shoe.code).cut(bytes.fromhex(shoe.mix), len(cards))
        rounds = {hand.round_number for hand in dealt}
        secrets |= {secret.hex(), shoe.secret}
        secrets |= {
            x.hex() for at, x in enumerate(sealed.hidden.draws) if at > max(rounds, default=0)
        }
        secrets |= {sealed.open(order, k).salt for k in range(len(cards)) if k not in places}
    return secrets


def test_nothing_secret_is_inside(house: House, tables: list[Table]) -> None:
    hidden = secrets_of_live_shoes()
    assert len(hidden) > 100
    hidden |= set(Player.objects.exclude(password="").values_list("password", flat=True))
    hidden |= set(Shoe.objects.values_list("secret", flat=True))
    house.pass_time(24 * 3600)
    subjects = [("day", "2026-03-01"), ("player", "bob"), ("hand", finished(tables[0])[0].code)]
    for kind, name in subjects:
        text = b"".join(contents(package(house, kind, name)).values()).decode()
        assert [secret for secret in hidden if secret in text] == [], kind
        assert "pbkdf2" not in text.replace(SIGNATURES.read_text(), "")


# No change goes unnoticed


def one_byte(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def test_no_file_is_changed_removed_or_added_unnoticed(
    honest: dict[str, bytes], tmp_path: Path
) -> None:
    (key, *_) = public_keys()
    assert verdict_here(zipped(honest))[0] == 0
    assert signature(tmp_path, zipped(honest), key) == (0, "signature: OK")
    assert signature(tmp_path, zipped(honest), "11" * 32)[0] == 1
    assert honest.keys() == FILES
    for name, content in honest.items():
        without = {other: octets for other, octets in honest.items() if other != name}
        assert verdict_here(zipped(without))[0] == 1, name
        changed = [one_byte(content, at) for at in {0, len(content) // 2, len(content) - 1}]
        for other in (*changed, content + b" ", content[:-1]):
            altered = zipped({**honest, name: other})
            noticed = verdict_here(altered)[0] or signature(tmp_path, altered, key)[0]
            assert noticed == 1, name
    assert verdict_here(zipped({**honest, "more.txt": b"x"}))[0] == 1


def forged(files: dict[str, bytes]) -> bytes:
    """A package whose manifest is made to fit the files, without the key of the house."""
    manifest = json.loads(files["MANIFEST.json"])
    for file in manifest["files"]:
        content = files[file["name"]]
        file |= {"size": len(content), "sha256": sha256(content).hexdigest()}
        if file["name"] in manifest["lines"]:
            manifest["lines"][file["name"]] = len(content.splitlines())
    written = canonical(manifest)
    given = json.loads(files["MANIFEST.sig"]) | {"manifest": sha256(written).hexdigest()}
    return zipped({**files, "MANIFEST.json": written, "MANIFEST.sig": canonical(given)})


Change = Callable[[list[Any]], object]
FORGERIES: dict[str, tuple[str, Change, str]] = {
    "an amount": ("ledger", lambda rows: rows[0]["entries"][0].update(amount=7), "ledger"),
    "two amounts that balance": (
        "ledger",
        lambda rows: [
            rows[0]["entries"][at].update(amount=rows[0]["entries"][at]["amount"] + more)
            for at, more in ((0, 5), (1, -5))
        ],
        "ledger",
    ),
    "a holder": ("ledger", lambda rows: rows[0]["entries"][0].update(holder="x y PLAY"), "ledger"),
    "a posting's time": ("ledger", lambda rows: rows[0].update(time="2020-01-01T00:00:00+00:00"),
                         "ledger"),
    "a posting's reason": ("ledger", lambda rows: rows[0].update(reason="other"), "ledger"),
    "no posting": ("ledger", lambda rows: rows.clear(), "ledger"),
    "a posting twice": ("ledger", lambda rows: rows.append(rows[0]), "ledger"),
    "a card": ("records", lambda rows: rows[0]["record"]["cards"].reverse(), "records"),
    "a result": (
        "records", lambda rows: rows[0]["record"]["settlement"]["net"].update({"1": 1}), "records",
    ),
    "who moved": ("records", lambda rows: rows[0]["record"]["moves"][0].update(by="x"), "records"),
    "no entry of the chain": ("records", lambda rows: rows[0].update(entry=None), "records"),
    "a link of the chain": ("chain", lambda rows: rows[0].update(head="0" * 64), "chain"),
    "no end in the chain": (
        "chain", lambda rows: rows.remove(next(r for r in rows if r["entry"]["kind"] == "hand")),
        "chain",
    ),
    "a journal entry": ("journal", lambda rows: rows[0].update(reason="other"), "journal"),
    "an anchor": (
        "anchors", lambda rows: rows[-1]["statement"]["chain"].update(head="0" * 64), "anchors",
    ),
}  # fmt: skip


@pytest.fixture
def honest(house: House, tables: list[Table]) -> dict[str, bytes]:
    anchors.anchor(house.now)
    return contents(package(house, "hand", next(h for h in finished(tables[1]) if h.posting).code))


def test_a_forger_who_has_no_key_is_found_out(honest: dict[str, bytes], tmp_path: Path) -> None:
    """The parts of a package contradict what was changed, even where the manifest fits it."""
    (key, *_) = public_keys()
    assert verdict_here(forged(honest))[0] == 0
    for what, (name, change, check) in FORGERIES.items():
        rows = [json.loads(line) for line in honest[f"{name}.jsonl"].splitlines()]
        change(rows)
        written = b"".join(canonical(row) + b"\n" for row in rows)
        altered = forged({**honest, f"{name}.jsonl": written})
        status, said = verdict_here(altered)
        assert status == 1, what
        assert any(line.startswith(f"{check}: FAILED") for line in said), (what, said)
    assert signature(tmp_path, altered, key)[0] == 1


@pytest.mark.always
def test_a_hand_that_cannot_be_read_is_named(house: House, tables: list[Table]) -> None:
    hand = finished(tables[1])[0]
    Shoe.objects.filter(pk=hand.shoe_id).update(secret="broken")
    status, said = verdict_here(package(house, "hand", hand.code))
    assert status == 1
    assert any(f"the house could not read hand {hand.code}" in line for line in said)


def test_a_long_package_takes_no_more_memory_than_a_short_one() -> None:
    def content() -> Any:
        for number in range(20_000):
            yield f"{number} ".encode() * 200

    tracemalloc.start()
    with ZipStream(START) as stream:
        size = sum(len(piece) for piece in stream.file("a", content())) + len(stream.end())
        (_now, peak) = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stream.files[0]["size"] > 20_000_000
    assert size > 60_000
    assert peak < 4_000_000


def test_a_longer_list_of_hands_asks_no_more_for_each_chunk(
    house: House, tables: list[Table], django_assert_max_num_queries: Any
) -> None:
    scope = scope_of(Wanted("player", "alice"), house.now)
    from casino.office.evidence import contents as written

    with django_assert_max_num_queries(8):
        assert list(written.ledger(scope))
    evening = scope_of(Wanted("day", "", day_of(house.now)), house.now + timedelta(days=1))
    with django_assert_max_num_queries(9):
        assert len(list(written.records(evening))) >= 4


# Who gets one


def fields(**given: str) -> dict[str, str]:
    return {"kind": "player", "name": "alice", "reason": "a complaint"} | given


@pytest.mark.always
def test_auditors_alone_pack_evidence(house: House) -> None:
    house.player("alice")
    for group in PERMISSIONS:
        member = house.player(f"one-{group}", 0)
        appoint(member, group)
        browser = client_of(Player.objects.get(pk=member.pk))
        allowed = 200 if group == "auditors" else 403
        assert browser.get("/admin/evidence/").status_code == allowed, group
        assert browser.post("/admin/evidence/", fields()).status_code == allowed, group
    (entry,) = JournalEntry.objects.filter(verb="evidence.pack")
    assert entry.actor_name == "one-auditors"


def test_strangers_and_players_do_not(house: House) -> None:
    for browser in (Client(), client_of(house.player("alice"))):
        assert browser.post("/admin/evidence/", fields()).status_code == 302
    assert not JournalEntry.objects.exists()


@pytest.fixture
def auditor(house: House) -> Client:
    member = house.player("ada", 0)
    appoint(member, "auditors")
    return client_of(Player.objects.get(pk=member.pk))


def test_the_page_sends_a_package_and_notes_why(house: House, auditor: Client) -> None:
    house.player("alice")
    command = f"verify_signature.py package.zip {public_keys()[0]}"
    assert command in auditor.get("/admin/evidence/").text
    answer: Any = auditor.post("/admin/evidence/", fields())
    assert answer["Content-Type"] == "application/zip"
    assert "evidence-player-" in answer["Content-Disposition"]
    made = b"".join(answer.streaming_content)
    status, said = verdict_here(made)
    assert status == 0, said
    entry = JournalEntry.objects.get(verb="evidence.pack")
    alice = house.person("alice")
    assert (entry.actor_name, entry.subject, entry.reason) == (
        "ada", f"player:{alice.pk}", "a complaint",
    )  # fmt: skip
    manifest = json.loads(contents(made)["MANIFEST.json"])
    assert manifest["made_by"]["name"] == "ada"
    assert manifest["journal"] == entry.position
    assert manifest["subject"]["kind"] == "player"


WRONG = [
    ({"reason": ""}, "This field is required."),
    ({"name": "nobody"}, "No player has this name."),
    ({"kind": "hand", "name": "T9-H9"}, "There is no finished hand with this code."),
    ({"kind": "day", "first": "2026-03-01"}, "This day is not over yet."),
    ({"kind": "chair"}, "Select a valid choice."),
    ({"first": "2026-03-02", "last": "2026-03-01"}, "The last day is before the first."),
]


def test_a_wrong_form_packs_nothing(house: House, auditor: Client) -> None:
    house.player("alice")
    for given, said in WRONG:
        assert said in auditor.post("/admin/evidence/", fields(**given)).text, said
    assert not JournalEntry.objects.exists()


def test_the_command_writes_a_file_once(house: House, tables: list[Table], tmp_path: Path) -> None:
    code, out = finished(tables[0])[0].code, tmp_path / "hand.zip"
    call_command("evidence", "hand", code, "--out", str(out), *by_staff(), stdout=io.StringIO())
    assert verdict_here(out.read_bytes())[0] == 0
    assert JournalEntry.objects.get().verb == "command:evidence"
    for words, options in (
        ("exists already", ["hand", code]),
        ("No player has this name", ["player", "nobody"]),
    ):
        path = out if words == "exists already" else tmp_path / "other.zip"
        with pytest.raises(CommandError, match=words):
            call_command("evidence", *options, "--out", str(path), *by_staff())
    assert JournalEntry.objects.count() == 1
