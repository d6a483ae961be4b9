"""Check a hand record by the steps of fairness.md: python3 verify.py record.json [entry.json]
[note.json], with the hand's entry of the public chain, and what a browser kept of the shoe."""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path
from typing import Any

CARD = re.compile(rb'(?<!\\)"([2-9TJQKA][cdhs]|[BR]J)"(?!:)')


def octets(*digits: str) -> bytes:  # what is not hexadecimal counts for nothing: no hash fits it
    return b"".join(bytes.fromhex(d) for d in digits if re.fullmatch("([0-9a-f]{2})+", d))


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(what: str, *parts: str, text: bytes = b"", of: bytes = b"") -> str:
    return hashlib.sha256((of or prefix) + what.encode() + octets(*parts) + text).hexdigest()


def perm(key: str, label: str, n: int) -> list[int]:
    start = prefix + label.encode()
    blocks = (hmac.digest(octets(key), start + i.to_bytes(4, "big"), "sha256") for i in range(n))
    words = (int.from_bytes(b[i : i + 2], "big") for b in blocks for i in range(0, 32, 2))
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(word for word in words if word < 65536 - 65536 % (i + 1)) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def linked(file: Any, kind: str) -> bool:
    """Whether an entry of the chain is this hand's, of this kind, and gives the head it claims."""
    event, before = file["entry"], octets(file["previous"])
    head = hashlib.sha256(before + hashlib.sha256(canonical(event)).digest()).hexdigest()
    whose = (event["kind"], event["body"]["hand"], event["body"]["shoe"])
    return bool(file["head"] == head and whose == (kind, record["id"], shoe["id"]))


sys.excepthook = lambda kind, error, trace: print(f"record: FAILED ({kind.__name__}: {error})")
texts = [Path(name).read_text("utf-8") for name in sys.argv[1:]] or [sys.stdin.read()]
given: dict[str, Any] = {f.get("format", "hand-record/1"): f for f in map(json.loads, texts)}
record, entry, note = given["hand-record/1"], given.get("chain-entry/1"), given.get("shoe-note/1")
if len(texts) > 1 + bool(entry) + bool(note):
    raise ValueError("beside a record there is room for one chain entry and one note")
shoe, context, moves = record["shoe"], record.get("context", {}), record.get("moves", [])
prefix, leaves, deal = f"CR1|{shoe['id']}|".encode(), shoe["leaves"], shoe.get("deal")
seats = [] if deal else shoe["seats"]
record_prefix, mixed_by, sealed = prefix, prefix, shoe["seal"]
givers = [("seat", f"{s['seat']:02x}", s["who"], s["commit"], s["reveal"]) for s in seats]
place = 0
if deal:  # the deal lies at several tables: its event sealed all its deals, and its entrants mixed
    mixed_by, sealed = f"CR1|{deal['event']}|".encode(), deal["seal"]
    prefix = f"CR1|{deal['event']}-R{deal['round']}-D{deal['deal']}|".encode()
    place = (deal["round"] - 1) * deal["deals_a_round"] + deal["deal"] - 1
    givers = [
        ("entrant", f"{e['entrant']:04x}", e["who"], e["commit"], e["reveal"])
        for e in deal["entrants"]
    ]
draws, openings, x_m = (shoe.get(part, "") for part in ("draws", "openings", "x_m"))

lengths = [32] * (52 + 2 * shoe["jokers"]) * shoe["decks"]
commits = [number + commit for _, number, _, commit, _ in givers]
link, key = x_m, digest("draw-mix", shoe["mix"], x_m)
for _ in range(min(shoe["round"], 257)):  # more links than a chain has lead nowhere
    link = digest("draw", link)
sizes = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "lucky-card": 52}
deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
named = {d["label"]: deck[d["value"]] for d in draws if sizes.get(d["label"]) == 52 > d["value"]}
drawn = {d["label"].replace("-", "_"): named.get(d["label"], d["value"]) for d in draws}
names = ("wild", "bonus_card", "wheel_card", "wheel", "lucky_card", "lucky_game")
claimed = {name: context[name] for name in names if context.get(name) is not None}
places = dict(enumerate(perm(shoe["mix"], "cut", len(leaves))))
cards = dict(enumerate(record["cards"], shoe["from"]))
shown = {k: card for k, card in cards.items() if card is not None}
opened = [(places.get(o["k"], -1), o["card"].encode().hex(), o["salt"]) for o in openings]

steps = {
    "seal": digest("seal", shoe["key"], shoe["x_0"], *leaves) == shoe["seal"]
    and [len(octets(leaf)) for leaf in leaves] == lengths,
    "commit": all(
        digest(kind, number, reveal, of=mixed_by) == commit or (deal and who == "house")
        for kind, number, who, commit, reveal in givers
    ),
    "lock": givers != [] and digest("lock", sealed, *commits, of=mixed_by) == shoe["lock"],
    "mix": digest("mix", shoe["lock"], *(g[4] for g in givers), of=mixed_by) == shoe["mix"],
    "draw-chain": (shoe["round"] > 0 and link == shoe["x_0"]) or not (x_m or draws),
    "draw": all(sizes.get(d["label"], d["n"]) == d["n"] for d in draws)
    and {d["label"] for d in draws} <= {*sizes, "wheel", "lucky-game"}
    and all(perm(key, d["label"], min(d["n"], 1001))[:1] == [d["value"]] for d in draws),
    "opening": all(o["k"] in places for o in openings)
    and all(digest("leaf", f"{j:04x}", name, salt) == leaves[j] for j, name, salt in opened),
    "cards": shown == {o["k"]: o["card"][:2] for o in openings},
    "context": drawn == claimed,
}
if deal:
    steps["deal"] = (
        digest("deals", deal["sealed"], *deal["deals"], of=mixed_by) == deal["seal"]
        and deal["deals"][place : place + 1] == [shoe["seal"]]
        and 0 < deal["deal"] <= deal["deals_a_round"]
        and [int(number, 16) for _, number, *_ in givers]
        == sorted({int(number, 16) for _, number, *_ in givers})
    )
dealt, proof, failed = all(steps.values()), record.get("digest"), "not proved: a step failed"

prefix = record_prefix
salts, closed, players = ((proof or {}).get(part, {}) for part in ("salts", "leaves", "players"))
parts: dict[str, Any] = {f"player/{seat}": player for seat, player in players.items()}
for at, move in enumerate(moves):
    action = json.loads(CARD.sub(b"null", canonical(move["action"])))
    parts |= {f"cards/{at}": move["action"]} if action != move["action"] else {}
    parts[f"move/{at}"] = {**move, "action": action}
beside = {name: context[name] for name in context if name != "mystery_left"}
if beside != context and ("mystery_left" not in closed or context["mystery_left"] != 10**15):
    parts["mystery_left"] = context["mystery_left"]  # closed, it is given as 10**15
opened_with = ("id", "game", "rules_version", "options", "stakes", "started", "ended")
mixed = {name: shoe[name] for name in ("id", "from", "round", "mix")}
mixed["seats"] = [[seat["seat"], seat["who"]] for seat in seats]
parts["hand"] = {name: record.get(name) for name in opened_with}
parts["hand"] |= {"context": beside, "shoe": mixed, "cards": len(cards)}
parts["settlement"] = record.get("settlement")
if proof:  # each part has a salt or, where it is closed to this reader, a leaf
    own_leaves = {n: digest("part", salts[n], text=canonical([n, parts.get(n)])) for n in salts}
    steps["digest"] = (
        digest("record", text=canonical({**closed, **own_leaves})) == proof["value"]
        and salts.keys() == parts.keys()
        and all(re.fullmatch("(cards|player)/[0-9]+", n) or n in context for n in closed)
    )
if entry:
    body, undone = entry["entry"]["body"], entry.get("taken_back")
    due = [proof and proof["value"], record["settlement"], "void" in record]
    steps["chain"] = (
        linked(entry, "hand")
        and canonical([body.get("digest"), body["settlement"], undone is not None])
        == canonical(due)
        and (undone is None or linked(undone, "hand_void"))
    )
if note:
    own = {s["seat"]: (s["who"], s["commit"], s["reveal"]) for s in seats}.get(note["seat"])
    kept = {int(seat): commit for seat, commit in note["commits"].items()}
    stated = {**note, **(note.get("receipt") or {}).get("statement", {})}
    hashed = hashlib.sha256(octets(note["reveal"])).hexdigest()
    steps["note"] = (
        (note["shoe"], note["seal"], note["lock"]) == (shoe["id"], shoe["seal"], shoe["lock"])
        and kept == {s["seat"]: s["commit"] for s in seats}
        and own == ("player", note["commit"], note["reveal"])
        and {"reveal_hash": hashed} | stated == stated | {"reveal_hash": hashed} | note
    )

for step, holds in steps.items():
    print(f"{step}: {'OK' if holds else 'FAILED'}")
bound = entry and steps["chain"] and steps.get("digest", True)
unbound = failed if entry else "not proved: no chain entry was given"
undigested = "not proved: a hand of that time has no digest"
print("Cards:", f"proved, {len(openings)} of {len(cards)}" if dealt else failed)
print("Moves:", unbound if not bound else f"proved, all {len(moves)}" if proof else undigested)
print("Result:", "proved" if bound else unbound)
print("Closed to this reader:", ", ".join(sorted(closed)) or "no part")
if entry:
    print(f"Look for head {entry['position']} where the house publishes it: {entry['head']}")
if note:
    print("Not checked here: the signature of the receipt, see verify_signature.py")
sys.exit(not all(steps.values()))
