"""`docs/verify.py` as its readers run it, as a process, on honest and on altered records."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.cards import DECK, JOKERS, Card, composition
from games.rules.shoe import Ceremony, SeatProof, ShoeProof
from games.rules.verifying import verify

VERIFIER = Path(__file__).parents[2] / "docs" / "verify.py"
SECRET = bytes(range(32))
STEPS = ["seal", "commit", "lock", "mix", "draw-chain", "draw", "opening", "cards", "context"]
LABELS = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "wheel": 100} | {
    "lucky-card": 52,
    "lucky-game": 60,
}
Record = dict[str, Any]


def record(
    cards: tuple[Card, ...] = composition(2),
    *,
    first: int = 0,
    round_number: int = 1,
    labels: dict[str, int] = LABELS,
    hidden: tuple[int, ...] = (),
    cards_in_hand: int = 12,
) -> Record:
    """The record of a hand of so many cards; its viewer may not see the hidden ones."""
    # With this name the cut of eight decks passes over a word of its stream.
    ceremony = Ceremony("B-28")
    sealed = ceremony.seal(SECRET, cards)
    reveals = {2: bytes(32), 3: b"\xff" * 32, 7: ceremony.house_reveal(SECRET, 7)}
    commits = {seat: ceremony.commitment(seat, reveal) for seat, reveal in reveals.items()}
    lock = ceremony.lock(sealed.seal, commits)
    mix = ceremony.mix(lock, reveals)
    order = ceremony.cut(mix, len(cards))
    x_m = sealed.hidden.draws[round_number]
    draws = tuple(ceremony.draw(mix, x_m, label, n) for label, n in labels.items())
    hand = range(first, first + cards_in_hand)
    seen = {k: sealed.open(order, k) for k in hand if k - first not in hidden}
    proof = ShoeProof(
        id=sealed.id,
        seal=sealed.seal.hex(),
        decks=cards.count(DECK[0]),
        jokers=JOKERS[0] in cards,
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        leaves=tuple(leaf.hex() for leaf in sealed.leaves),
        first=first,
        round_number=round_number,
        seats=tuple(
            SeatProof(seat, "house" if seat == 7 else "player", commits[seat].hex(), reveal.hex())
            for seat, reveal in reveals.items()
        ),
        lock=lock.hex(),
        mix=mix.hex(),
        x_m=x_m.hex() if draws else None,
        draws=draws,
        openings=tuple(seen.values()),
    )
    assert verify(proof) == ()
    return {
        "format": "hand-record/1",
        "context": {"button": 3, "redeals": 0}
        | {
            draw.label.replace("-", "_"): DECK[draw.value].text if draw.n == 52 else draw.value
            for draw in draws
        },
        "cards": [seen[k].card.text if k in seen else None for k in hand],
        "shoe": json.loads(msgspec.json.encode(proof)),
    }


def run(text: str, *arguments: str) -> tuple[int, list[str]]:
    """Exit status and lines; -I and -S leave nothing to import but the standard library."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFIER), *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


GOOD: dict[str, Record] = {
    "one deck": record(composition()),
    "jokers": record(composition(jokers=True), labels={"wild": 51}),
    "eight decks": record(composition(8), first=300, round_number=40),
    "last round": record(round_number=256),
    "no draws": record(labels={}),
    "draws left empty": record(labels={}) | {"context": {"wild": None, "wheel": None}},
    "a viewer": record(first=5, hidden=(0, 1, 2, 11)),
    "a viewer of nothing": record(hidden=tuple(range(12))),
}


@pytest.mark.parametrize("name", GOOD)
def test_an_honest_record_holds_in_every_step(name: str) -> None:
    openings = len(GOOD[name]["shoe"].get("openings", []))
    status, lines = run(json.dumps(GOOD[name]))
    assert lines == [f"{step}: OK" for step in STEPS] + [f"{openings} of 12 cards are open"]
    assert status == 0


def test_a_record_is_read_from_a_file(tmp_path: Path) -> None:
    honest, altered = tmp_path / "honest.json", tmp_path / "altered.json"
    honest.write_text(json.dumps(GOOD["a viewer"]))
    altered.write_text(json.dumps(GOOD["a viewer"] | {"cards": ["2c"] * 12}))
    assert run("", str(honest))[0] == 0
    status, lines = run("", str(altered))
    assert status == 1
    assert "cards: FAILED" in lines


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


@pytest.mark.parametrize(("step", "alter"), ALTERED)
def test_an_altered_record_fails_first_at_the_altered_step(
    step: str, alter: Callable[[Record], None]
) -> None:
    altered = record()
    alter(altered)
    status, lines = run(json.dumps(altered))
    assert status == 1
    assert [line.split(": ")[0] for line in lines[:-1]] == STEPS
    assert next(line for line in lines if line.endswith(": FAILED")) == f"{step}: FAILED"


@pytest.mark.parametrize(("label", "n"), [("wild", 40), ("bonus-card", 53), ("lucky-card", 51)])
def test_a_draw_of_another_size_is_not_believed(label: str, n: int) -> None:
    """Each is a true draw of this shoe; who may choose the size chooses the result."""
    altered = json.loads(json.dumps(GOOD["no draws"]))
    proven = GOOD["one deck"]["shoe"]
    altered["shoe"]["x_m"] = proven["x_m"]
    mix, x_m = (bytes.fromhex(proven[part]) for part in ("mix", "x_m"))
    draw = Ceremony(proven["id"]).draw(mix, x_m, label, n)
    altered["shoe"]["draws"] = [{"label": label, "n": n, "value": draw.value}]
    told = draw.value if label == "wild" else DECK[draw.value].text
    altered["context"][label.replace("-", "_")] = told
    assert first_failure(altered) == "draw: FAILED"


def test_draws_without_their_link_are_not_believed() -> None:
    altered = json.loads(json.dumps(GOOD["one deck"]))
    del altered["shoe"]["x_m"]
    status, lines = run(json.dumps(altered))
    assert status == 1
    assert "draw-chain: FAILED" in lines


def first_failure(altered: Record) -> str:
    status, lines = run(json.dumps(altered))
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


def test_draws_that_are_told_without_proof_are_not_believed() -> None:
    altered = json.loads(json.dumps(GOOD["no draws"]))
    altered["context"]["wheel"] = 3
    status, lines = run(json.dumps(altered))
    assert status == 1
    assert [line for line in lines if line.endswith("FAILED")] == ["context: FAILED"]


def without(part: str) -> str:
    altered = json.loads(json.dumps(GOOD["one deck"]))
    del altered["shoe"][part]
    return json.dumps(altered)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"shoe": null, "cards": []}',
        json.dumps(GOOD["one deck"]) * 2,
        *map(without, ["id", "seal", "key", "leaves", "from", "round", "seats", "lock", "mix"]),
    ],
)
def test_what_is_no_finished_record_fails_as_a_record(text: str) -> None:
    status, lines = run(text)
    assert status == 1
    assert len(lines) == 1
    assert lines[0].startswith("record: FAILED (")


def test_a_missing_file_fails_as_a_record(tmp_path: Path) -> None:
    status, lines = run("", str(tmp_path / "none.json"))
    assert status == 1
    assert lines[0].startswith("record: FAILED (FileNotFoundError")
