"""An attacker shows a record, a receipt or a note that is not what the house gave out."""

import copy as copies
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.attack.attackers import until
from tests.attack.fairness import honest_hand, mixing
from tests.attack.registry import Outcome, attack, broken, noticed, unless

DOCS = Path(__file__).parents[2] / "docs"
Record = dict[str, Any]


def checked(house: Any, script: str, *files: Any, last: str = "") -> tuple[bool, str]:
    """Whether a published script finds nothing wrong in these files."""
    house.scratch.mkdir(exist_ok=True)
    paths = []
    for number, content in enumerate(files):
        path = house.scratch / f"shown-{number}.json"
        path.write_text(json.dumps(content))
        paths.append(str(path))
    words = [sys.executable, str(DOCS / script), *paths, *([last] if last else [])]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode != 1, done.stdout


@cache
def shown(house: Any) -> tuple[Record, Record, Record]:
    """Bob's record of his hand, its entry in the public chain, and his note."""
    course = honest_hand(house)
    hand = course["hand"]
    record = mixing(house).bob.get(f"hands/{hand['id']}/record/").content
    address = f"/fairness/hands/{hand['code']}.json"
    until(lambda: house.visit(address).status == 200)
    entry = house.visit(address).content
    return record, entry, course["bob"]


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def richer(record: Record) -> None:
    net = record["settlement"]["net"]
    seat = sorted(net)[0]
    net[seat] = net[seat] + 100


def shorter(record: Record) -> None:
    del record["moves"][0]


def by_the_clock(record: Record) -> None:
    record["moves"][0]["by"] = "timeout"


def later(record: Record) -> None:
    record["ended"] = record["started"]


def another_option(record: Record) -> None:
    record["options"]["min"] = 1


def another_card(record: Record) -> None:
    opening = record["shoe"]["openings"][0]
    other = "2c" if opening["card"] != "2c" else "3d"
    opening["card"] = record["cards"][opening["k"] - record["shoe"]["from"]] = other


def another_stack(record: Record) -> None:
    record["stakes"][0]["purse"] += 100


def without_digest(record: Record) -> None:
    richer(record)
    del record["digest"]


FORGERIES: tuple[Callable[[Record], None], ...] = (
    richer,
    shorter,
    by_the_clock,
    later,
    another_option,
    another_card,
    another_stack,
    without_digest,
)


@attack(
    "fairness",
    "forge a record",
    "result, moves, times, options, stacks and cards changed in a record for verify.py",
    "records",
)
def _(house: Any) -> Outcome:
    record, entry, note = shown(house)
    holds, said = checked(house, "verify.py", record, entry, note)
    if not holds or "Result: proved" not in said:
        return broken(f"the honest record is not proved: {said}")
    holes = []
    for forge in FORGERIES:
        forged = copies.deepcopy(record)
        forge(forged)
        if checked(house, "verify.py", forged, entry)[0]:
            holes.append(f"{forge.__name__} is proved")
    return unless(holes, noticed(f"verify.py proves none of {len(FORGERIES)}"))


@attack(
    "fairness",
    "forge a record and its entry",
    "a falsified result with an entry of the chain that fits it",
    "records",
    "chain",
)
def _(house: Any) -> Outcome:
    record, entry, _note = (copies.deepcopy(part) for part in shown(house))
    richer(record)
    entry["entry"]["body"]["settlement"] = record["settlement"]
    octets = hashlib.sha256(canonical(entry["entry"])).digest()
    entry["head"] = hashlib.sha256(bytes.fromhex(entry["previous"]) + octets).hexdigest()
    if checked(house, "verify.py", record, entry)[0]:
        return broken("the digest of the honest record proves it")
    del record["digest"]
    del entry["entry"]["body"]["digest"]
    octets = hashlib.sha256(canonical(entry["entry"])).digest()
    entry["head"] = hashlib.sha256(bytes.fromhex(entry["previous"]) + octets).hexdigest()
    if entry["head"] in house.visit("/fairness/chain.jsonl").text:
        return broken("the house publishes that head")
    said = checked(house, "verify.py", record, entry)[1]
    if f"Look for head {entry['position']}" not in said:
        return broken("the reader is not sent to look for the head")
    return noticed("by the digest; without one by the head, which the house has not published")


@attack(
    "fairness",
    "show another hand's entry",
    "a record held against the entry of another hand, and of nothing",
    "records",
)
def _(house: Any) -> Outcome:
    record, entry, _note = shown(house)
    lines = house.visit("/fairness/chain.jsonl").text.splitlines()
    entries = [json.loads(line) for line in lines]
    others = [entry for entry in entries if entry["entry"]["kind"] != "hand"][:3]
    holes = [
        f"an entry of kind {other['entry']['kind']} is taken"
        for other in others
        if checked(house, "verify.py", record, {**entry, **other})[0]
    ]
    said = checked(house, "verify.py", record)[1]
    if "Result: proved" in said:
        holes.append("a result is proved by nothing")
    return unless(holes, noticed("neither proves a result"))


@attack(
    "fairness",
    "forge a note",
    "a player's note with another lock, other bytes or another seat, to accuse the house",
    "lock",
    "records",
)
def _(house: Any) -> Outcome:
    record, entry, note = shown(house)
    forged: tuple[Record, ...] = (
        {"lock": "0" * 64},
        {"reveal": "0" * 64},
        {"seal": "0" * 64},
        {"seat": 4},
    )
    holes = [
        f"{sorted(other)} is taken"
        for other in forged
        if checked(house, "verify.py", record, entry, note | other)[0]
    ]
    return unless(holes, noticed(f"verify.py finds a difference in each of {len(forged)}"))


@attack(
    "fairness",
    "replace a receipt",
    "a receipt for another lock, with the old signature and signed by another key",
    "leaving",
    "lock",
)
def _(house: Any) -> Outcome:
    note = shown(house)[2]
    key = json.loads(house.visit("/fairness/keys.json").text)["keys"][0]
    key = key if isinstance(key, str) else key["key"]
    if not checked(house, "verify_signature.py", note, last=key)[0]:
        return broken("the honest receipt is not accepted")
    if honest_hand(house)["again"] != note["receipt"]:
        return broken("the same reveal is answered with another receipt")
    statement = {**note["receipt"]["statement"], "lock": "0" * 64}
    own = Ed25519PrivateKey.generate()
    signature = own.sign(b"CR1|receipt|" + canonical(statement)).hex()
    public = own.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
    forged = (
        {**note["receipt"], "statement": statement},
        {"statement": statement, "signature": signature, "key": public},
        {"statement": statement, "signature": signature, "key": key},
    )
    holes = [
        f"forgery {number} is accepted"
        for number, receipt in enumerate(forged)
        if checked(house, "verify_signature.py", {**note, "receipt": receipt}, last=key)[0]
    ]
    return unless(holes, noticed("the house's key has signed none of three"))
