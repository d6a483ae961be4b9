"""Check what the house hands out, by the steps of fairness.md and evidence.md, with Python alone:

    python3 verify.py record.json [entry.json] [note.json]
    python3 verify.py shoe.json
    python3 verify.py package.zip

A hand record, with its entry of the public chain and what a browser kept of the shoe; what is
published of a tournament's shoe; or a package of evidence, with all records, entries of chain,
ledger and journal, anchors, and the rows of a tournament in it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, BinaryIO

CARD = re.compile(rb'(?<!\\)"([2-9TJQKA][cdhs]|[BR]J)"(?!:)')
SIZES = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "lucky-card": 52}
DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
DRAWN = ("wild", "bonus_card", "wheel_card", "wheel", "lucky_card", "lucky_game")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - older Pythons have no other
MANIFEST, SIGNATURE = "MANIFEST.json", "MANIFEST.sig"
Json = dict[str, Any]


def octets(*digits: str) -> bytes:  # what is not hexadecimal counts for nothing: no hash fits it
    return b"".join(bytes.fromhex(d) for d in digits if re.fullmatch("([0-9a-f]{2})+", d))


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()


class Named:
    """What is hashed and shuffled under the name of a shoe, an event or a deal."""

    def __init__(self, name: str) -> None:
        self.prefix = f"CR1|{name}|".encode()

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
    if deal := shoe.get("deal"):  # it lies at several tables: the entrants of its event mixed it
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
    lengths = [32] * (52 + 2 * shoe["jokers"]) * shoe["decks"]
    commits = [number + commit for _, number, _, commit, _ in parts]
    return {
        "seal": cards.digest("seal", shoe["key"], shoe["x_0"], *leaves) == shoe["seal"]
        and [len(octets(leaf)) for leaf in leaves] == lengths,
        "commit": all(
            by.digest(kind, number, reveal) == commit or bool(deal and who == "house")
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
    parts: Json = {f"player/{seat}": one for seat, one in proof.get("players", {}).items()}
    for at, move in enumerate(record.get("moves", [])):
        action = json.loads(CARD.sub(b"null", canonical(move["action"])))
        parts |= {f"cards/{at}": move["action"]} if action != move["action"] else {}
        parts[f"move/{at}"] = {**move, "action": action}
    beside = {name: context[name] for name in context if name != "mystery_left"}
    if beside != context and ("mystery_left" not in closed or context["mystery_left"] != 10**15):
        parts["mystery_left"] = context["mystery_left"]  # closed, it is given as 10**15
    opened_with = ("id", "game", "rules_version", "options", "stakes", "started", "ended")
    who = [] if shoe.get("deal") else [[seat["seat"], seat["who"]] for seat in shoe["seats"]]
    given = {name: shoe[name] for name in ("id", "from", "round", "mix")} | {"seats": who}
    parts["hand"] = {name: record.get(name) for name in opened_with}
    parts["hand"] |= {"context": beside, "shoe": given, "cards": len(record["cards"])}
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


def check_record(texts: list[str]) -> bool:
    """Print each step of one hand, and what of it is proved."""
    given: dict[str, Any] = {f.get("format", "hand-record/1"): f for f in map(json.loads, texts)}
    record, entry, note = (
        given["hand-record/1"],
        given.get("chain-entry/1"),
        given.get("shoe-note/1"),
    )
    if len(texts) > 1 + bool(entry) + bool(note):
        raise ValueError("beside a record there is room for one chain entry and one note")
    steps, proof = steps_of(record, entry, note), record.get("digest")
    for step, holds in steps.items():
        print(f"{step}: {'OK' if holds else 'FAILED'}")
    failed, moves = "not proved: a step failed", len(record.get("moves", []))
    cards = all(steps[step] for step in steps if step not in ("digest", "chain", "note"))
    bound = entry and steps["chain"] and steps.get("digest", True)
    unbound = failed if entry else "not proved: no chain entry was given"
    undigested = "not proved: a hand of that time has no digest"
    opened = len(record["shoe"].get("openings", ""))
    print("Cards:", f"proved, {opened} of {len(record['cards'])}" if cards else failed)
    print("Moves:", unbound if not bound else f"proved, all {moves}" if proof else undigested)
    print("Result:", "proved" if bound else unbound)
    print("Closed to this reader:", ", ".join(sorted((proof or {}).get("leaves", {}))) or "no part")
    if entry:
        print(f"Look for head {entry['position']} where the house publishes it: {entry['head']}")
    if note:
        print("Not checked here: the signature of the receipt, see verify_signature.py")
    return all(steps.values())


# The shoe of a tournament: its seal, what its entrants mixed, every draw, and the first seats.


def shoe_steps(shoe: Json) -> dict[str, bool]:
    """What is published of a tournament's shoe; a step of which nothing is published is missing."""
    named, deals = Named(shoe["id"]), shoe["deals"]
    own = named.digest("seal", shoe["key"], shoe["x_0"], *shoe["leaves"])
    whole = named.digest("deals", shoe["sealed"], *deals) if deals else shoe["sealed"]
    leaves = [len(octets(leaf)) for leaf in shoe["leaves"]] == [32] * 52
    steps = {"seal": leaves and own == shoe["sealed"] and whole == shoe["seal"]}
    if not shoe["lock"]:
        return steps
    parts = [(f"{e['entrant']:04x}", e) for e in shoe["entrants"]]
    numbers = [e["entrant"] for _, e in parts]
    commits = [number + e["commit"] for number, e in parts]
    steps["lock"] = named.digest("lock", shoe["seal"], *commits) == shoe[
        "lock"
    ] and [] != numbers == sorted(set(numbers))
    if not shoe["mix"]:
        return steps
    steps["commit"] = all(
        e["who"] == "house" or named.digest("entrant", number, e["reveal"]) == e["commit"]
        for number, e in parts
    )
    reveals = [e["reveal"] for _, e in parts]
    steps["mix"] = named.digest("mix", shoe["lock"], *reveals) == shoe["mix"]
    if draws := shoe["draws"]:
        steps |= {"draw-chain": chained(named, shoe), "draw": ordered(named, shoe)}
        if shoe["seats"] and draws[0]["label"] == "seats":
            drawn = [draws[0]["things"][place] for place in draws[0]["order"]]
            due = seated(drawn, *shoe["sizes"])
            steps["seats"] = draws[0]["things"] == numbers and due == shoe["seats"]
    return steps


def chained(named: Named, shoe: Json) -> bool:
    """Whether each draw opened the next link of the chain that was sealed."""
    for number, draw in enumerate(shoe["draws"], 1):
        link = draw["x_m"]
        for _ in range(min(number, 256)):
            link = named.digest("draw", link)
        if (draw["link"], link) != (min(number, 256), shoe["x_0"]):
            return False
    return True


def ordered(named: Named, shoe: Json) -> bool:
    """Whether each draw has its only possible order, and none was made twice."""
    draws = shoe["draws"]
    return len({draw["label"] for draw in draws}) == len(draws) and all(
        named.perm(
            named.digest("draw-mix", shoe["mix"], draw["x_m"]), draw["label"], len(draw["things"])
        )
        == draw["order"]
        for draw in draws
    )


def seated(drawn: list[int], least: int, most: int) -> list[Json]:
    """First seats in the drawn order: as few tables as will do, which differ by one at most."""
    full = least == most
    tables = len(drawn) // most if full else -(-len(drawn) // most)
    each, more = divmod(tables * most if full else len(drawn), tables or 1)
    places = [(t + 1, s + 1) for t in range(tables) for s in range(each + (t < more))]
    return [
        {"entrant": entrant, "table": table, "seat": seat}
        for entrant, (table, seat) in zip(drawn, places)  # noqa: B905 - older Pythons
    ]


def check_shoe(shoe: Json) -> bool:
    """Print each step of a tournament's shoe."""
    steps = shoe_steps(shoe)
    for step, holds in steps.items():
        print(f"{step}: {'OK' if holds else 'FAILED'}")
    print("Compare the seal with the entry event_seal of the public chain.")
    return all(steps.values())


# A package of evidence: each check yields a sentence for each fault.


class Package:
    """An opened package, and what its parts have to agree on."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.manifest: Json = json.loads(archive.read(MANIFEST))
        self.counted: dict[str, int] = {}
        self.results: dict[str, Json] = {}  # the settlement of each hand
        self.heads: dict[int, str] = {}  # of the public chain
        self.due: dict[int, tuple[str, str]] = {}  # the heads that hands claim, with their names
        self.chained: dict[str, Json] = {}  # what the chain says of a tournament's shoe, by kind
        self.paid: dict[str, tuple[str, int]] = {}  # the kind and amount of each posting, by key
        self.books: dict[tuple[str, int], str] = {}  # the hashes of postings and the journal
        self.before: dict[tuple[str, int], str] = {}  # what each claims to follow
        self.signed: list[int] = []  # the places of the chain whose heads an anchor names

    def lines(self, name: str) -> Iterator[tuple[str, bytes]]:
        """The lines of a file, with the words for each, counted."""
        self.counted[name] = 0
        with self.archive.open(name) as file:
            for number, line in enumerate(file, 1):
                self.counted[name] = number
                yield f"{name}, line {number}", line.rstrip(b"\n")

    def files(self) -> Iterator[str]:
        """The manifest lists exactly these files, and each is what it was."""
        raw, listed = self.archive.read(MANIFEST), self.manifest["files"]
        signature = self.archive.read(SIGNATURE)
        if self.manifest["format"] != "evidence/1" or raw != canonical(self.manifest):
            yield f"{MANIFEST} is not written as a manifest is"
        given = json.loads(signature)
        if given["manifest"] != sha256(raw) or signature != canonical(given):
            yield f"{MANIFEST} is not the one that was signed"
        there = sorted(self.archive.namelist())
        if there != sorted([MANIFEST, SIGNATURE, *(one["name"] for one in listed)]):
            yield "the files are not those that the manifest lists"
        if self.archive.comment:
            yield "something stands behind the files"
        for one in listed:
            size, hashed = 0, hashlib.sha256()
            if one["name"] not in there:
                yield f"{one['name']} is missing"
                continue
            with self.archive.open(one["name"]) as file:
                while some := file.read(1 << 20):
                    size += len(some)
                    hashed.update(some)
            if (size, hashed.hexdigest()) != (one["size"], one["sha256"]):
                yield f"{one['name']} is not the file that the manifest lists"

    def records(self) -> Iterator[str]:
        """Each hand is proved, from its seal to its entry in the public chain."""
        for where, line in self.lines("records.jsonl"):
            given = json.loads(line)
            record, entry = given["record"], given["entry"]
            name = record["id"]
            if name in self.results:
                yield f"{where}: hand {name} stands twice"
            if why := record.get("unreadable"):
                yield f"{where}: the house could not read hand {name}: {why}"
                continue
            self.results[name] = record["settlement"]
            failed = [step for step, holds in steps_of(record, entry, None).items() if not holds]
            if failed:
                yield f"{where}: hand {name} fails at {', '.join(failed)}"
            for one in (entry, entry.get("taken_back")):
                if one:
                    self.due[one["position"]] = (one["head"], name)

    def chain(self) -> Iterator[str]:
        """The public chain links, and has the entry of each hand."""
        follows: dict[int, str] = {}
        for where, line in self.lines("chain.jsonl"):
            entry = json.loads(line)
            position = entry["position"]
            if not gives_its_head(entry) or position in self.heads:
                yield f"{where}: the entry does not give the head it claims"
            self.heads[position], follows[position] = entry["head"], entry["previous"]
            if (entry_of := entry["entry"])["kind"].startswith("event_"):
                self.chained[entry_of["kind"]] = entry_of["body"]
        for position, previous in follows.items():
            if self.heads.get(position - 1, previous) != previous:
                yield f"chain.jsonl: entry {position} does not follow the one before it"
        for position, (head, name) in self.due.items():
            if self.heads.get(position) != head:
                yield f"chain.jsonl: the entry of hand {name} is not in it"

    def ledger(self) -> Iterator[str]:
        """Each posting is what was posted, balances, and pays what its hand says."""
        paid = set()
        for where, line in self.lines("ledger.jsonl"):
            posting = json.loads(line)
            entries = posting["entries"]
            texts = ("key", "kind", "book", "reference", "reason", "actor")
            body = {name: posting[name] for name in texts}
            body |= {f"{name}s": [one[name] for one in entries] for name in ("account", "amount")}
            if sum(body["amounts"]) or len({one["holder"].split()[-1] for one in entries}) != 1:
                yield f"{where}: the posting does not balance"
            holders = "".join(f"\n{one['holder']}" for one in entries)
            moved = sum(amount for amount in body["amounts"] if amount > 0)
            self.paid[posting["key"]] = (posting["kind"], moved)
            if sha256(canonical(body)) != posting["digest"]:
                yield f"{where}: the posting or its entries are not what was posted"
            yield from self._hashed(where, posting, posting["digest"], posting["time"], holders)
            if posting["kind"] == "hand":
                paid.add(posting["hand"])
                yield from self._paid(where, posting)
        for name, settlement in self.results.items():
            if name not in paid and any((settlement or {}).get("net", {}).values()):
                yield f"ledger.jsonl: the posting of hand {name} is not in it"
        yield from self._follow()

    def _paid(self, where: str, posting: Json) -> Iterator[str]:
        """Seats get what the settlement says; of another hand there may be no record here."""
        name, seats = posting["hand"], posting["seats"]
        if name in self.results:
            moved = {seats.get(str(one["account"])): one["amount"] for one in posting["entries"]}
            net = self.results[name]["net"]
            due = {seat: amount for seat, amount in net.items() if seat != "house" and amount}
            if {seat: amount for seat, amount in moved.items() if seat} != due:
                yield f"{where}: the posting is not what hand {name} won and lost"

    def journal(self) -> Iterator[str]:
        """Each entry of the journal is what was written."""
        apart = ("at", "previous", "hash")
        for where, line in self.lines("journal.jsonl"):
            entry = json.loads(line)
            body = {name: value for name, value in entry.items() if name not in apart}
            placed = {**entry, "book": "journal"}
            yield from self._hashed(where, placed, sha256(canonical(body)), entry["at"], "")
        yield from self._follow()

    def _hashed(self, where: str, row: Json, digest: str, at: str, rest: str) -> Iterator[str]:
        microseconds = (datetime.fromisoformat(at) - EPOCH) // timedelta(microseconds=1)
        text = f"{row['previous']}{digest}{microseconds}{rest}"
        if sha256(text.encode()) != row["hash"]:
            yield f"{where}: its hash does not follow from what it says"
        place = (row["book"], row["position"])
        if place in self.books:
            yield f"{where}: it stands twice"
        self.books[place], self.before[place] = row["hash"], row["previous"]

    def _follow(self) -> Iterator[str]:
        for (book, position), previous in self.before.items():
            if self.books.get((book, position - 1), previous) != previous:
                yield f"book {book}: entry {position} does not follow the one before it"
        self.before = {}

    def anchors(self) -> Iterator[str]:
        """Anchors follow one another, and name the heads that stand in this package."""
        lines: dict[int, str] = {}
        for where, line in self.lines("anchors.jsonl"):
            statement = json.loads(line)["statement"]
            number, chain = statement["number"], statement["chain"]
            if lines.get(number - 1, statement["previous"]) != statement["previous"]:
                yield f"{where}: anchor {number} does not follow the one before it"
            lines[number] = sha256(line)
            if self.heads.get(chain["position"]) == chain["head"]:
                self.signed.append(chain["position"])
            if self.heads.get(chain["position"], chain["head"]) != chain["head"]:
                yield f"{where}: anchor {number} has another head of the public chain"
            for book, one in statement["books"].items():
                if self.books.get((book, one["position"]), one["head"]) != one["head"]:
                    yield f"{where}: anchor {number} has another head of book {book}"

    def anchored(self) -> int:
        """How many hands an anchor covers: the chain leads from their entries to its head."""
        reached, places = set(), sorted(self.heads)
        for place in reversed(places):
            if place in self.signed or place + 1 in reached:
                reached.add(place)
        return len({name for place, (_head, name) in self.due.items() if place in reached})

    def tournament(self) -> Iterator[str]:
        """The draws follow from the shoe, the seats from the draws, and payouts were posted."""
        rows: dict[str, list[Json]] = {}
        for _where, line in self.lines("tournament.jsonl"):
            one = json.loads(line)
            rows.setdefault(one.pop("row"), []).append(one)
        for shoe in rows.get("shoe", []):
            failed = [step for step, holds in shoe_steps(shoe).items() if not holds]
            if failed:
                yield f"tournament.jsonl: the shoe {shoe['id']} fails at {', '.join(failed)}"
            yield from self._as_chained(shoe)
            yield from moved_rightly(shoe, rows.get("move", []))
        outs = [one["sequence"] for one in rows.get("out", [])]
        if outs != list(range(1, len(outs) + 1)):
            yield "tournament.jsonl: the order in which players went out has a gap"
        yield from self._payouts(rows.get("payout", []))

    def _as_chained(self, shoe: Json) -> Iterator[str]:
        """The public chain has the same seal, lock and mix."""
        for kind in ("seal", "lock", "mix"):
            if shoe[kind] and self.chained.get(f"event_{kind}", {}).get(kind) != shoe[kind]:
                yield f"chain.jsonl: it has another {kind} of shoe {shoe['id']}"

    def _payouts(self, payouts: list[Json]) -> Iterator[str]:
        places = [one["place"] for one in payouts if one["place"]]
        if len(set(places)) != len(places):
            yield "tournament.jsonl: a place was paid twice"
        for one in payouts:
            kind = {"prize": "tournament_prize", "refund": "tournament_refund"}[one["kind"]]
            if self.paid.get(one["posting"]) != (kind, one["amount"]):
                yield f"ledger.jsonl: the {one['kind']} of entry {one['entry']} is not in it"

    def complete(self) -> Iterator[str]:
        """Nothing was left out of what the manifest counts."""
        for name, count in self.manifest["lines"].items():
            if self.counted.get(name) != count:
                yield f"{name} has {self.counted.get(name, 0)} lines instead of {count}"


def moved_rightly(shoe: Json, moves: list[Json]) -> Iterator[str]:
    """First seats are those of the draw, and each move begins where the one before it ended."""
    first = [m for m in moves if m["why"] == "start"]
    there = [{"entrant": m["entry"], "table": m["to"][0], "seat": m["to"][1]} for m in first]
    order = sorted(there, key=lambda one: (one["table"], one["seat"]))
    if shoe["seats"] and order != shoe["seats"]:
        yield "tournament.jsonl: somebody was first seated where the draw does not say"
    at: dict[int, Json] = {}
    for move in moves:
        # Whoever went out and entered again comes from no table.
        if move["from"] and at.get(move["entry"]) != move["from"]:
            yield f"tournament.jsonl: entry {move['entry']} moved from where it was not"
        at[move["entry"]] = move["to"]


def check_package(name: str | BinaryIO) -> bool:
    """Print each check of a package, and a sentence for each fault."""
    faults = 0
    with zipfile.ZipFile(name) as archive:
        package = Package(archive)
        checks = ["files", "records", "chain", "ledger", "journal", "anchors", "complete"]
        if package.manifest["subject"]["kind"] == "event":
            checks.insert(-1, "tournament")
        for check in checks:
            found: list[str] = []
            try:
                found.extend(getattr(package, check)())
            except Exception as error:  # what cannot be read is a fault, and the next check goes on
                found.append(f"it cannot be read ({type(error).__name__}: {error})")
            count = package.counted.get(f"{check}.jsonl")
            size = "" if count is None else f", {count}"
            print(f"{check}: {'FAILED' if found else 'OK'}{size}")
            for sentence in found:
                print(f"  {sentence}")
            faults += len(found)
        subject, made = package.manifest["subject"], package.manifest["made_at"]
        print(f"Evidence of {subject['kind']} {subject['name']}, made at {made}")
        print(f"Anchored: {package.anchored()} of {len(package.results)} hands")
    print("Not checked here: whether the house signed it, see verify_signature.py")
    return not faults


def main(names: list[str]) -> bool:
    if names and zipfile.is_zipfile(names[0]):
        return check_package(names[0])
    texts = [Path(name).read_text("utf-8") for name in names] or [sys.stdin.read()]
    if len(texts) == 1 and (shoe := json.loads(texts[0])).get("format") == "event-shoe/1":
        return check_shoe(shoe)
    return check_record(texts)


def failed(kind: type[BaseException], error: BaseException, _trace: object) -> None:
    print(f"record: FAILED ({kind.__name__}: {error})")


if __name__ == "__main__":
    sys.excepthook = failed
    sys.exit(not main(sys.argv[1:]))
