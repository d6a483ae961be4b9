"""Check a hand, by the steps of fairness.md, with Python alone:

    python3 verify.py record.json [entry.json] [note.json]
    python3 verify.py records.jsonl

A hand record, with its entry of the public chain and what a browser kept of the shoe; or the
records in a package of evidence (verify_package.py checks all of it). It exits with 0 if the whole
record is proved, with 1 if a step failed, and with 2 if something is not proved, and says what."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path
from typing import Any

CARD = re.compile(rb'(?<!\\)"([2-9TJQKA][cdhs]|[BR]J)"(?!:)')
SIZES = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "lucky-card": 52}
DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
DRAWN = ("wild", "bonus_card", "wheel_card", "wheel", "lucky_card", "lucky_game")
Json = dict[str, Any]


def octets(*digits: str) -> bytes:  # what is not hexadecimal counts for nothing: no hash fits it
    return b"".join(bytes.fromhex(d) for d in digits if re.fullmatch("([0-9a-f]{2})+", d))


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()


class Named:
    """What is hashed and shuffled under the name of a shoe, an event or a deal."""

    def __init__(self, name: str, version: int = 1) -> None:
        self.prefix = f"CR{version}|{name}|".encode()

    def digest(self, what: str, *parts: str, text: bytes = b"") -> str:
        return sha256(self.prefix + what.encode() + octets(*parts) + text)

    def perm(self, key: str, label: str, n: int) -> list[int]:
        start = self.prefix + label.encode()
        blocks = (
            hmac.digest(octets(key), start + i.to_bytes(4, "big"), "sha256") for i in range(n)
        )
        words = (int.from_bytes(b[i : i + 2], "big") for b in blocks for i in range(0, 32, 2))
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = next(word for word in words if word < 65536 - 65536 % (i + 1)) % (i + 1)
            order[i], order[j] = order[j], order[i]
        return order


# One hand: its deal, its digest, its entry of the chain, a browser's note.


def givers(shoe: Json) -> list[tuple[str, str, str, str, str]]:
    """Who mixed: the kind, the number in digits, player or house, commit and reveal."""
    if deal := shoe.get("deal"):  # several tables play it: the entrants of its event mixed it
        entrants = deal["entrants"]
        return [
            ("entrant", f"{e['entrant']:04x}", e["who"], e["commit"], e["reveal"]) for e in entrants
        ]
    seats = shoe["seats"]
    return [("seat", f"{s['seat']:02x}", s["who"], s["commit"], s["reveal"]) for s in seats]


def mixed(shoe: Json) -> dict[str, bool]:
    """Whether seal, commits, lock and mix follow from one another."""
    deal, leaves, parts = shoe.get("deal"), shoe["leaves"], givers(shoe)
    cards = Named(name_of_cards(shoe))
    by, sealed = (Named(deal["event"]), deal["seal"]) if deal else (cards, shoe["seal"])
    # A link of a device's chain is committed to before its shoe has a name.
    second = not deal and shoe.get("version", 1) > 1
    links = Named(shoe["id"].partition("-")[0], shoe["version"]) if second else by
    lengths = [32] * (52 + 2 * shoe["jokers"]) * shoe["decks"]
    commits = [number + commit for _, number, _, commit, _ in parts]
    return {
        "seal": cards.digest("seal", shoe["key"], shoe["x_0"], *leaves) == shoe["seal"]
        and [len(octets(leaf)) for leaf in leaves] == lengths,
        "commit": all(
            links.digest(kind, number, reveal) == commit or bool(deal and who == "house")
            for kind, number, who, commit, reveal in parts
        ),
        "lock": parts != [] and by.digest("lock", sealed, *commits) == shoe["lock"],
        "mix": by.digest("mix", shoe["lock"], *(part[4] for part in parts)) == shoe["mix"],
    }


def name_of_cards(shoe: Json) -> str:
    deal = shoe.get("deal")
    return f"{deal['event']}-R{deal['round']}-D{deal['deal']}" if deal else str(shoe["id"])


def sealed_by_event(shoe: Json) -> bool:
    """Whether the event's seal binds this deal, and no entrant mixed twice."""
    deal, numbers = shoe["deal"], [int(number, 16) for _, number, *_ in givers(shoe)]
    place = (deal["round"] - 1) * deal["deals_a_round"] + deal["deal"] - 1
    return bool(
        Named(deal["event"]).digest("deals", deal["sealed"], *deal["deals"]) == deal["seal"]
        and deal["deals"][place : place + 1] == [shoe["seal"]]
        and 0 < deal["deal"] <= deal["deals_a_round"]
        and numbers == sorted(set(numbers))
    )


def dealt(record: Json) -> dict[str, bool]:
    """Whether every open card and every draw is the one that was sealed and mixed."""
    shoe, context = record["shoe"], record.get("context", {})
    cards = Named(name_of_cards(shoe))
    draws, openings, x_m = (shoe.get(part, "") for part in ("draws", "openings", "x_m"))
    link, key = x_m, cards.digest("draw-mix", shoe["mix"], x_m)
    for _ in range(min(shoe["round"], 257)):  # more links than a chain has lead nowhere
        link = cards.digest("draw", link)
    named = {
        d["label"]: DECK[d["value"]] for d in draws if SIZES.get(d["label"]) == 52 > d["value"]
    }
    drawn = {d["label"].replace("-", "_"): named.get(d["label"], d["value"]) for d in draws}
    claimed = {name: context[name] for name in DRAWN if context.get(name) is not None}
    leaves = shoe["leaves"]
    places = dict(enumerate(cards.perm(shoe["mix"], "cut", len(leaves))))
    shown = {k: c for k, c in enumerate(record["cards"], shoe["from"]) if c is not None}
    opened = [(places.get(o["k"], -1), o["card"].encode().hex(), o["salt"]) for o in openings]
    return {
        "draw-chain": (shoe["round"] > 0 and link == shoe["x_0"]) or not (x_m or draws),
        "draw": all(SIZES.get(d["label"], d["n"]) == d["n"] for d in draws)
        and {d["label"] for d in draws} <= {*SIZES, "wheel", "lucky-game"}
        and all(cards.perm(key, d["label"], min(d["n"], 1001))[:1] == [d["value"]] for d in draws),
        "opening": all(o["k"] in places for o in openings)
        and all(cards.digest("leaf", f"{j:04x}", name, s) == leaves[j] for j, name, s in opened),
        "cards": shown == {o["k"]: o["card"][:2] for o in openings},
        "context": drawn == claimed,
        **({"deal": sealed_by_event(shoe)} if shoe.get("deal") else {}),
    }


def parts_of(record: Json, closed: Json) -> Json:
    """The parts of a record, whose leaves make its digest."""
    shoe, context, proof = record["shoe"], record.get("context", {}), record.get("digest") or {}
    parts: Json = {f"player/{seat}": part for seat, part in proof.get("players", {}).items()}
    for at, move in enumerate(record.get("moves", [])):
        action = json.loads(CARD.sub(b"null", canonical(move["action"])))
        parts |= {f"cards/{at}": move["action"]} if action != move["action"] else {}
        parts[f"move/{at}"] = {**move, "action": action}
    others = {name: context[name] for name in context if name != "mystery_left"}
    if others != context and ("mystery_left" not in closed or context["mystery_left"] != 10**15):
        parts["mystery_left"] = context["mystery_left"]  # closed, it is given as 10**15
    opened_with = ("id", "game", "rules_version", "options", "stakes", "started", "ended")
    who = [] if shoe.get("deal") else [[seat["seat"], seat["who"]] for seat in shoe["seats"]]
    given = {name: shoe[name] for name in ("id", "from", "round", "mix")} | {"seats": who}
    parts["hand"] = {name: record.get(name) for name in opened_with}
    parts["hand"] |= {"context": others, "shoe": given, "cards": len(record["cards"])}
    return parts | {"settlement": record.get("settlement")}


def digested(record: Json) -> bool:
    """Whether the parts give the digest: each has a salt or, closed to this reader, a leaf."""
    proof, named = record["digest"], Named(record["shoe"]["id"])
    salts, closed = proof.get("salts", {}), proof.get("leaves", {})
    parts = parts_of(record, closed)
    own = {n: named.digest("part", salts[n], text=canonical([n, parts.get(n)])) for n in salts}
    return bool(
        named.digest("record", text=canonical({**closed, **own})) == proof["value"]
        and salts.keys() == parts.keys()
        and all(re.fullmatch("(cards|player)/[0-9]+", n) or n in record["context"] for n in closed)
    )


def gives_its_head(entry: Json) -> bool:
    hashed = hashlib.sha256(canonical(entry["entry"])).digest()
    return bool(entry["head"] == sha256(octets(entry["previous"]) + hashed))


def linked(record: Json, entry: Json, kind: str) -> bool:
    """Whether an entry of the chain is this hand's, of this kind, and gives the head it claims."""
    event = entry["entry"]
    whose = (event["kind"], event["body"]["hand"], event["body"]["shoe"])
    return gives_its_head(entry) and whose == (kind, record["id"], record["shoe"]["id"])


def published(record: Json, entry: Json) -> bool:
    """Whether the chain has this record's digest and settlement, and its end if it was undone."""
    body, undone = entry["entry"]["body"], entry.get("taken_back")
    due = [(record.get("digest") or {}).get("value"), record["settlement"], "void" in record]
    return (
        linked(record, entry, "hand")
        and canonical([body.get("digest"), body["settlement"], undone is not None])
        == canonical(due)
        and (undone is None or linked(record, undone, "hand_void"))
    )


def noted(record: Json, note: Json) -> bool:
    """Whether a browser kept the same of this shoe."""
    shoe = record["shoe"]
    seats = [] if shoe.get("deal") else shoe["seats"]
    own = {s["seat"]: (s["who"], s["commit"], s["reveal"]) for s in seats}.get(note["seat"])
    kept = {int(seat): commit for seat, commit in note["commits"].items()}
    stated = {**note, **(note.get("receipt") or {}).get("statement", {})}
    hashed = sha256(octets(note["reveal"]))
    return (
        (note["shoe"], note["seal"], note["lock"]) == (shoe["id"], shoe["seal"], shoe["lock"])
        and kept == {s["seat"]: s["commit"] for s in seats}
        and own == ("player", note["commit"], note["reveal"])
        and {"reveal_hash": hashed} | stated == stated | {"reveal_hash": hashed} | note
    )


def steps_of(record: Json, entry: Json | None, note: Json | None) -> dict[str, bool]:
    steps = mixed(record["shoe"]) | dealt(record)
    if record.get("digest"):
        steps["digest"] = digested(record)
    else:
        parts_of(record, {})  # what cannot be read fails, without a digest too
    if entry:
        steps["chain"] = published(record, entry)
    if note:
        steps["note"] = noted(record, note)
    return steps


def unproved(record: Json, entry: Json | None) -> list[str]:
    """What keeps a record in which no step fails from being proved as a whole."""
    proof = record.get("digest")
    closed = {name for name in (proof or {}).get("leaves", {}) if not name.startswith("player/")}
    closed |= {"cards"} if None in record["cards"] else set()
    reasons = [] if entry else ["no chain entry was given"]
    reasons += [] if proof else ["the record has no digest"]
    return reasons + ([f"closed to this reader: {', '.join(sorted(closed))}"] if closed else [])


def check_record(record: Json, entry: Json | None, note: Json | None) -> int:
    """Print each step of one hand, and what of it is proved; return the exit status."""
    steps, proof = steps_of(record, entry, note), record.get("digest")
    for step, holds in steps.items():
        print(f"{step}: {'OK' if holds else 'FAILED'}")
    failed, moves = "not proved: a step failed", len(record.get("moves", []))
    cards = all(steps[step] for step in steps if step not in ("digest", "chain", "note"))
    bound = entry and steps["chain"] and steps.get("digest", True)
    unbound = failed if entry else "not proved: no chain entry was given"
    undigested = "not proved: the record has no digest"
    opened = len(record["shoe"].get("openings", ""))
    print("Cards:", f"proved, {opened} of {len(record['cards'])}" if cards else failed)
    print("Moves:", unbound if not bound else f"proved, all {moves}" if proof else undigested)
    print("Result:", "proved" if bound else unbound)
    if entry:
        print(f"Look for head {entry['position']} where the house publishes it: {entry['head']}")
    if note:
        print("Not checked here: the signature of the receipt, see verify_signature.py")
    if not all(steps.values()):
        print("WRONG: a step failed")
        return 1
    missing = unproved(record, entry)
    print(f"NOT PROVED: {'; '.join(missing)}" if missing else "PROVED")
    return 2 if missing else 0


def check_files(texts: list[str]) -> int:
    given: dict[str, Any] = {f.get("format", "hand-record/1"): f for f in map(json.loads, texts)}
    record, entry, note = map(given.get, ("hand-record/1", "chain-entry/1", "shoe-note/1"))
    if not record or len(texts) > 1 + bool(entry) + bool(note):
        raise ValueError("give one record, at most one chain entry and at most one note")
    return check_record(record, entry, note)


def check_packed(lines: list[str]) -> int:
    """Check each hand of a package; the status is the worst of them."""
    statuses = set()
    for line in lines:
        given = json.loads(line)
        record = given["record"]
        print(f"Hand {record['id']}")
        if why := record.get("unreadable"):
            print(f"WRONG: the house could not read it: {why}")
        statuses.add(1 if why else check_record(record, given["entry"], None))
    return 1 if 1 in statuses else max(statuses)


def main(names: list[str]) -> int:
    texts = [Path(name).read_text("utf-8") for name in names] or [sys.stdin.read()]
    lines = texts[0].removesuffix("\n").split("\n")
    packed = len(texts) == 1 and lines[0].startswith('{"entry":')
    return check_packed(lines) if packed else check_files(texts)


def failed(kind: type[BaseException], error: BaseException, _trace: object) -> None:
    print(f"record: FAILED ({kind.__name__}: {error})")


if __name__ == "__main__":
    sys.excepthook = failed
    sys.exit(main(sys.argv[1:]))
