"""Check one hand record, from a file or standard input, by the steps that fairness.md explains."""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path


def octets(*digits: str) -> bytes:  # what is not hexadecimal counts for nothing: no hash fits it
    return b"".join(bytes.fromhex(d) for d in digits if re.fullmatch("([0-9a-f]{2})+", d))


def digest(what: str, *parts: str) -> str:
    return hashlib.sha256(prefix + what.encode() + octets(*parts)).hexdigest()


def perm(key: str, label: str, n: int) -> list[int]:
    start = prefix + label.encode()
    blocks = (hmac.digest(octets(key), start + i.to_bytes(4, "big"), "sha256") for i in range(n))
    words = (int.from_bytes(b[i : i + 2], "big") for b in blocks for i in range(0, 32, 2))
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(word for word in words if word < 65536 - 65536 % (i + 1)) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


sys.excepthook = lambda kind, error, trace: print(f"record: FAILED ({kind.__name__}: {error})")
record = json.loads(Path(sys.argv[1]).read_text("utf-8") if sys.argv[1:] else sys.stdin.read())
shoe, context = record["shoe"], record.get("context", {})
prefix, leaves, seats = f"CR1|{shoe['id']}|".encode(), shoe["leaves"], shoe["seats"]
draws, openings, x_m = (shoe.get(part, "") for part in ("draws", "openings", "x_m"))

lengths = [32] * (52 + 2 * shoe["jokers"]) * shoe["decks"]
commits = [f"{s['seat']:02x}{s['commit']}" for s in seats]
link, key = x_m, digest("draw-mix", shoe["mix"], x_m)
for _ in range(min(shoe["round"], 257)):  # more links than a chain has lead nowhere
    link = digest("draw", link)
sizes = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "lucky-card": 52}
deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
named = {d["label"]: deck[d["value"]] for d in draws if sizes.get(d["label"]) == 52 > d["value"]}
drawn = {d["label"].replace("-", "_"): named.get(d["label"], d["value"]) for d in draws}
names = ("wild", "bonus_card", "wheel_card", "wheel", "lucky_card", "lucky_game")
told = {name: context[name] for name in names if context.get(name) is not None}
places = dict(enumerate(perm(shoe["mix"], "cut", len(leaves))))
cards = dict(enumerate(record["cards"], shoe["from"]))
opened = [(places.get(o["k"], -1), o["card"].encode().hex(), o["salt"]) for o in openings]

steps = {
    "seal": digest("seal", shoe["key"], shoe["x_0"], *leaves) == shoe["seal"]
    and [len(octets(leaf)) for leaf in leaves] == lengths,
    "commit": all(digest("seat", f"{s['seat']:02x}", s["reveal"]) == s["commit"] for s in seats),
    "lock": seats != [] and digest("lock", shoe["seal"], *commits) == shoe["lock"],
    "mix": digest("mix", shoe["lock"], *(s["reveal"] for s in seats)) == shoe["mix"],
    "draw-chain": (shoe["round"] > 0 and link == shoe["x_0"]) or not (x_m or draws),
    "draw": all(sizes.get(d["label"], d["n"]) == d["n"] for d in draws)
    and {d["label"] for d in draws} <= {*sizes, "wheel", "lucky-game"}
    and all(perm(key, d["label"], min(d["n"], 1001))[:1] == [d["value"]] for d in draws),
    "opening": all(o["k"] in places for o in openings)
    and all(digest("leaf", f"{j:04x}", name, salt) == leaves[j] for j, name, salt in opened),
    "cards": all(cards.get(o["k"]) == o["card"][:2] for o in openings),
    "context": drawn == told,
}
for step, holds in steps.items():
    print(f"{step}: {'OK' if holds else 'FAILED'}")
print(f"{len(openings)} of {len(cards)} cards are open")
sys.exit(not all(steps.values()))
