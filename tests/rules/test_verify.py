"""`docs/verify.py` on honest and on altered records, in this process and as its readers run it."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.cards import DECK, Card
from games.rules.shoe import ShoeProof, ShoeProtocol
from games.rules.verifying import verify
from tests.rules.cases import each, every
from tests.rules.falsified import GOOD, TAKEN_BACK
from tests.rules.proved import AUDITOR, Record, chain_entry, kept_note, record
from tests.rules.verdicts import NOT_PROVED, PROVED, WRONG, answer, run, written
from wallets.storage.signing import canonical

STEPS = ["seal", "commit", "lock", "mix", "draw-chain", "draw", "opening", "cards", "context"]


# A record, its entry and a note, written when commits were to bytes for one shoe.
FIRST_VERSION = Path(__file__).with_name("first_version.json")
UNBOUND = "not proved: no chain entry was given"


@every(name=GOOD)
def test_an_honest_record_holds_in_every_step(name: str) -> None:
    honest = GOOD[name]
    openings = len(honest["shoe"].get("openings", []))
    status, lines = answer(json.dumps(honest))
    steps = [*STEPS, "digest"] if "digest" in honest else STEPS
    assert lines[:-1] == [
        *(f"{step}: OK" for step in steps),
        f"Cards: proved, {openings} of 12",
        f"Moves: {UNBOUND}",
        f"Result: {UNBOUND}",
    ]
    assert lines[-1].startswith("NOT PROVED: no chain entry was given")
    assert status == NOT_PROVED


@pytest.mark.parametrize("name", GOOD)
def test_with_the_chain_entry_moves_and_result_are_proved(tmp_path: Path, name: str) -> None:
    honest = GOOD[name]
    entry = chain_entry(honest)
    status, lines = answer("", *written(tmp_path, entry, honest))
    closed = [leaf for leaf in honest.get("digest", {}).get("leaves", {}) if "player" not in leaf]
    closed += ["cards"] if None in honest["cards"] else []
    missing = [] if "digest" in honest else ["the record has no digest"]
    missing += [f"closed to this reader: {', '.join(sorted(closed))}"] if closed else []
    assert "chain: OK" in lines
    undigested = "not proved: the record has no digest"
    assert f"Moves: {'proved, all 5' if 'digest' in honest else undigested}" in lines
    assert "Result: proved" in lines
    assert lines[-2] == f"Look for head 40 where the house publishes it: {entry['head']}"
    assert lines[-1] == (f"NOT PROVED: {'; '.join(missing)}" if missing else "PROVED")
    assert status == (NOT_PROVED if missing else PROVED)


def test_a_record_that_was_kept_of_the_first_version_is_proved(tmp_path: Path) -> None:
    kept = json.loads(FIRST_VERSION.read_text())
    status, lines = answer("", *written(tmp_path, kept["record"], kept["entry"], kept["note"]))
    assert (lines[-1], status) == ("PROVED", PROVED)
    assert verify(msgspec.convert(kept["record"]["shoe"], ShoeProof)) == ()
    kept["record"]["shoe"]["version"] = 2
    status, lines = answer("", *written(tmp_path, kept["record"], kept["entry"]))
    assert (next(line for line in lines if "FAILED" in line), status) == ("commit: FAILED", WRONG)


@pytest.mark.processes
def test_the_records_of_a_package_are_checked_one_by_one(tmp_path: Path) -> None:
    honest = record(hidden=(), reader=AUDITOR)
    lines = [canonical({"record": honest, "entry": chain_entry(honest)}).decode()]
    for more, status in (
        ("", PROVED),
        ('{"entry":null,"record":{"id":"x","unreadable":"y"}}', WRONG),
    ):
        path = tmp_path / "records.jsonl"
        path.write_text("\n".join([*lines, more]))
        ended, said = run("", str(path))
        assert (ended, said[0], said.count("PROVED")) == (status, f"Hand {honest['id']}", 1)


def test_a_hand_that_was_taken_back_is_proved_with_both_its_entries(tmp_path: Path) -> None:
    status, lines = answer("", *written(tmp_path, TAKEN_BACK, chain_entry(TAKEN_BACK)))
    assert (status != WRONG, "Result: proved" in lines) == (True, True)


def test_a_kept_note_is_held_against_the_record(tmp_path: Path) -> None:
    honest = GOOD["a viewer"]
    status, lines = answer(
        "", *written(tmp_path, honest, chain_entry(honest), kept_note(honest, 3))
    )
    assert status == NOT_PROVED
    assert "note: OK" in lines
    assert "verify_signature.py" in lines[-2]
    without = {**kept_note(honest, 3), "receipt": None}
    assert answer("", *written(tmp_path, honest, without))[0] == NOT_PROVED


@pytest.mark.processes
def test_a_process_says_the_same(tmp_path: Path) -> None:
    """It reads a file or its standard input, and needs nothing but the standard library."""
    honest = GOOD["a viewer"]
    altered = honest | {"cards": ["2c"] * 12}
    assert run(json.dumps(honest)) == answer(json.dumps(honest))
    status, lines = run("", *written(tmp_path, altered))
    assert (status, lines) == answer(json.dumps(altered))
    assert status == 1
    assert "cards: FAILED" in lines
    assert run("{") == answer("{")


def digit(text: str) -> str:
    return text[:9] + ("0" if text[9] != "0" else "1") + text[10:]


def other_card(name: str) -> str:
    return "2c" if name != "2c" else "2d"


def shift_into_the_name(altered: Record) -> None:
    """Move a salt's first byte, if it is a letter, to the end of the card's name."""
    for opening in altered["shoe"]["openings"]:
        first = int(opening["salt"][:2], 16)
        if first < 128:
            index = opening["k"] - altered["shoe"]["from"]
            opening["card"] += chr(first)
            opening["salt"] = opening["salt"][2:]
            altered["cards"][index] = opening["card"]
            return
    raise AssertionError("no salt begins with an ASCII byte")


def shift_between_leaves(altered: Record) -> None:
    leaves = altered["shoe"]["leaves"]
    leaves[0], leaves[1] = leaves[0] + leaves[1][:2], leaves[1][2:]


def at(*path: str | int) -> Callable[[Callable[[Any], Any]], Callable[[Record], None]]:
    def take(change: Callable[[Any], Any]) -> Callable[[Record], None]:
        def alter(altered: Any) -> None:
            for part in path[:-1]:
                altered = altered[part]
            altered[path[-1]] = change(altered[path[-1]])

        return alter

    return take


ALTERED: list[tuple[str, Callable[[Record], None]]] = [
    ("seal", at("shoe", "id")(lambda name: name + "0")),
    ("seal", at("shoe", "seal")(digit)),
    ("seal", at("shoe", "key")(digit)),
    ("seal", at("shoe", "key")(str.upper)),
    ("seal", at("shoe", "x_0")(digit)),
    ("seal", at("shoe", "leaves", 0)(digit)),
    ("seal", at("shoe", "leaves", 103)(digit)),
    ("seal", at("shoe", "leaves", 50)(lambda leaf: "x" + leaf[1:])),
    ("seal", at("shoe", "leaves")(lambda leaves: leaves[:-1])),
    ("seal", at("shoe", "decks")(lambda decks: decks + 1)),
    ("seal", at("shoe", "jokers")(lambda jokers: not jokers)),
    ("seal", shift_between_leaves),
    *(("commit", at("shoe", "seats", index, "commit")(digit)) for index in range(3)),
    *(("commit", at("shoe", "seats", index, "reveal")(digit)) for index in range(3)),
    ("commit", at("shoe", "seats", 1, "reveal")(str.upper)),
    ("commit", at("shoe", "seats", 0, "seat")(lambda seat: seat - 1)),
    ("lock", at("shoe", "seats")(lambda seats: seats[:2])),
    ("lock", at("shoe", "seats")(lambda seats: seats[::-1])),
    ("lock", at("shoe", "seats")(lambda seats: [])),
    ("lock", at("shoe", "lock")(digit)),
    ("mix", at("shoe", "mix")(digit)),
    ("mix", at("shoe", "mix")(lambda mix: "mixed")),
    ("draw-chain", at("shoe", "x_m")(digit)),
    ("draw-chain", at("shoe", "x_m")(lambda x_m: "")),
    ("draw-chain", at("shoe", "round")(lambda number: number + 1)),
    ("draw-chain", at("shoe", "round")(lambda number: number - 1)),
    ("draw-chain", at("shoe", "round")(lambda number: 10**12)),
    *(("draw", at("shoe", "draws", index, "value")(lambda value: value + 1)) for index in range(6)),
    ("draw", at("shoe", "draws", 3, "n")(lambda n: n - 1)),
    ("draw", at("shoe", "draws", 3, "n")(lambda n: 0)),
    ("draw", at("shoe", "draws", 3, "n")(lambda n: 10**12)),
    ("draw", at("shoe", "draws", 3, "label")(lambda label: "reel")),
    ("opening", at("shoe", "openings", 0, "salt")(digit)),
    ("opening", at("shoe", "openings", 11, "salt")(digit)),
    ("opening", at("shoe", "openings", 4, "card")(other_card)),
    ("opening", at("shoe", "openings", 4, "k")(lambda k: k + 1)),
    ("opening", at("shoe", "openings", 4, "k")(lambda k: -1)),
    ("opening", at("shoe", "openings", 4, "k")(lambda k: 104)),
    ("cards", shift_into_the_name),
    ("cards", at("shoe", "from")(lambda first: first + 1)),
    ("cards", at("shoe", "openings")(lambda openings: openings[1:])),
    *(("cards", at("cards", index)(other_card)) for index in (0, 11)),
    ("cards", at("cards", 3)(lambda card: None)),
    ("cards", at("cards")(lambda cards: cards[:-1])),
    *(
        ("context", at("context", name)(lambda value: value + 1))
        for name in ("wild", "wheel", "lucky_game")
    ),
    *(
        ("context", at("context", name)(other_card))
        for name in ("bonus_card", "wheel_card", "lucky_card")
    ),
    # The number of the card instead of its name.
    ("context", at("context", "bonus_card")(lambda name: DECK.index(Card(name)))),
    ("context", at("context")(lambda context: {"button": 3})),
    ("context", at("shoe", "draws")(lambda draws: draws[1:])),
]


@every(step=STEPS)
def test_an_altered_record_fails_first_at_the_altered_step(step: str) -> None:
    for number, (altered_step, alter) in enumerate(ALTERED):
        if altered_step == step:
            altered = record()
            alter(altered)
            status, lines = answer(json.dumps(altered))
            assert status == 1, number
            assert [line.split(": ")[0] for line in lines[: len(STEPS)]] == STEPS, number
            failed = next(line for line in lines if line.endswith(": FAILED"))
            assert failed == f"{step}: FAILED", number


@each(("wild", 40), ("bonus-card", 53), ("lucky-card", 51))
def test_a_draw_of_another_size_is_not_believed(label: str, n: int) -> None:
    """Each is a true draw of this shoe; who may choose the size chooses the result."""
    altered = json.loads(json.dumps(GOOD["no draws"]))
    proven = GOOD["one deck"]["shoe"]
    altered["shoe"]["x_m"] = proven["x_m"]
    mix, x_m = (bytes.fromhex(proven[part]) for part in ("mix", "x_m"))
    draw = ShoeProtocol(proven["id"]).draw(mix, x_m, label, n)
    altered["shoe"]["draws"] = [{"label": label, "n": n, "value": draw.value}]
    shown = draw.value if label == "wild" else DECK[draw.value].text
    altered["context"][label.replace("-", "_")] = shown
    assert first_failure(altered) == "draw: FAILED"


def test_draws_without_their_link_are_not_believed() -> None:
    altered = json.loads(json.dumps(GOOD["one deck"]))
    del altered["shoe"]["x_m"]
    assert first_failure(altered) == "draw-chain: FAILED"


def first_failure(altered: Record) -> str:
    status, lines = answer(json.dumps(altered))
    assert status == 1
    return next(line for line in lines if line.endswith(": FAILED"))


def test_a_lock_over_no_seats_is_not_believed() -> None:
    altered = record()
    seal = bytes.fromhex(altered["shoe"]["seal"])
    lock = hashlib.sha256(b"CR1|B-28|lock" + seal).digest()
    mix = hashlib.sha256(b"CR1|B-28|mix" + lock).digest()
    altered["shoe"] |= {"seats": [], "lock": lock.hex(), "mix": mix.hex()}
    assert first_failure(altered) == "lock: FAILED"


def test_the_sealed_link_is_no_link_of_a_round() -> None:
    altered = record()
    altered["shoe"] |= {"x_m": altered["shoe"]["x_0"], "round": 0}
    assert first_failure(altered) == "draw-chain: FAILED"


def test_draws_without_proof_are_not_believed() -> None:
    altered = json.loads(json.dumps(GOOD["no draws"]))
    altered["context"]["wheel"] = 3
    assert first_failure(altered) == "context: FAILED"


def without(part: str) -> str:
    altered = json.loads(json.dumps(GOOD["one deck"]))
    del altered["shoe"][part]
    return json.dumps(altered)


def test_unfinished_records_fail_verification() -> None:
    parts = ("id", "seal", "key", "leaves", "from", "round", "seats", "lock", "mix")
    whole = json.dumps(GOOD["one deck"])
    texts = ["", "{", "[]", "{}", '{"shoe": null, "cards": []}', whole * 2, *map(without, parts)]
    for number, text in enumerate(texts):
        status, lines = answer(text)
        assert (status, len(lines)) == (1, 1), number
        assert lines[0].startswith("record: FAILED ("), number


def test_a_missing_file_fails_as_a_record(tmp_path: Path) -> None:
    status, lines = answer("", str(tmp_path / "none.json"))
    assert status == 1
    assert lines[0].startswith("record: FAILED (FileNotFoundError")
