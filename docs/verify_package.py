"""Check a package of evidence by the steps of ledger.md, with verify*.py in the same folder:

    python3 verify_package.py package.zip

A package has the records of hands, entries of the public chain, of the ledger and of the journal,
anchors, and the rows of a tournament. Each check yields a sentence for each fault. It exits with 0
if all is proved, with 1 if anything is wrong, and with 2 if something is not proved."""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import BinaryIO

from verify import Json, canonical, gives_its_head, sha256, steps_of, unproved
from verify_shoe import shoe_steps

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - older Pythons have no other
MANIFEST, SIGNATURE = "MANIFEST.json", "MANIFEST.sig"


class Package:
    """An opened package, and what its parts have to agree on."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.manifest: Json = json.loads(archive.read(MANIFEST))
        self.counted: dict[str, int] = {}
        self.unproved: list[str] = []  # what is neither proved nor wrong
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
        if there != sorted([MANIFEST, SIGNATURE, *(entry["name"] for entry in listed)]):
            yield "the files are not those that the manifest lists"
        if self.archive.comment:
            yield "the zip has data after its files"
        for entry in listed:
            size, hashed = 0, hashlib.sha256()
            if entry["name"] not in there:
                yield f"{entry['name']} is missing"
                continue
            with self.archive.open(entry["name"]) as file:
                while some := file.read(1 << 20):
                    size += len(some)
                    hashed.update(some)
            if (size, hashed.hexdigest()) != (entry["size"], entry["sha256"]):
                yield f"{entry['name']} is not the file that the manifest lists"

    def records(self) -> Iterator[str]:
        """Each hand is proved, from its seal to its entry in the public chain."""
        for where, line in self.lines("records.jsonl"):
            given = json.loads(line)
            record, entry = given["record"], given["entry"]
            name = record["id"]
            if name in self.results:
                yield f"{where}: hand {name} appears twice"
            if why := record.get("unreadable"):
                yield f"{where}: the house could not read hand {name}: {why}"
                continue
            self.results[name] = record["settlement"]
            failed = [step for step, holds in steps_of(record, entry, None).items() if not holds]
            if failed:
                yield f"{where}: hand {name} fails at {', '.join(failed)}"
            self.unproved += [f"hand {name}: {why}" for why in unproved(record, entry)]
            for link in (entry, entry.get("taken_back")):
                if link:
                    self.due[link["position"]] = (link["head"], name)

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
            body |= {
                f"{name}s": [entry[name] for entry in entries] for name in ("account", "amount")
            }
            if sum(body["amounts"]) or len({entry["holder"].split()[-1] for entry in entries}) != 1:
                yield f"{where}: the posting does not balance"
            holders = "".join(f"\n{entry['holder']}" for entry in entries)
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
            moved = {
                seats.get(str(entry["account"])): entry["amount"] for entry in posting["entries"]
            }
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
            yield f"{where}: it appears twice"
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
            for book, place in statement["books"].items():
                if self.books.get((book, place["position"]), place["head"]) != place["head"]:
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
            row = json.loads(line)
            rows.setdefault(row.pop("row"), []).append(row)
        for shoe in rows.get("shoe", []):
            failed = [step for step, holds in shoe_steps(shoe).items() if not holds]
            if failed:
                yield f"tournament.jsonl: the shoe {shoe['id']} fails at {', '.join(failed)}"
            yield from self._as_chained(shoe)
            yield from moved_rightly(shoe, rows.get("move", []))
        outs = [row["sequence"] for row in rows.get("out", [])]
        if outs != list(range(1, len(outs) + 1)):
            yield "tournament.jsonl: the order in which players went out has a gap"
        yield from self._payouts(rows.get("payout", []))

    def _as_chained(self, shoe: Json) -> Iterator[str]:
        """The public chain has the same seal, lock and mix."""
        for kind in ("seal", "lock", "mix"):
            if shoe[kind] and self.chained.get(f"event_{kind}", {}).get(kind) != shoe[kind]:
                yield f"chain.jsonl: it has another {kind} of shoe {shoe['id']}"

    def _payouts(self, payouts: list[Json]) -> Iterator[str]:
        places = [payout["place"] for payout in payouts if payout["place"]]
        if len(set(places)) != len(places):
            yield "tournament.jsonl: a place was paid twice"
        for payout in payouts:
            kind = {"prize": "tournament_prize", "refund": "tournament_refund"}[payout["kind"]]
            if self.paid.get(payout["posting"]) != (kind, payout["amount"]):
                yield f"ledger.jsonl: the {payout['kind']} of entry {payout['entry']} is not in it"

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
        yield "tournament.jsonl: a first seat differs from the draw"
    at: dict[int, Json] = {}
    for move in moves:
        # A player who entered again comes from no table.
        if move["from"] and at.get(move["entry"]) != move["from"]:
            yield f"tournament.jsonl: entry {move['entry']} moved from where it was not"
        at[move["entry"]] = move["to"]


def check_package(name: str | BinaryIO) -> int:
    """Print each check of a package, and a sentence for each fault; return the exit status."""
    faults = 0
    with zipfile.ZipFile(name) as archive:
        package = Package(archive)
        checks = ["files", "records", "chain", "ledger", "journal", "anchors", "complete"]
        if package.manifest["subject"]["kind"] == "event":
            checks.insert(-1, "tournament")
        for check in checks:
            findings: list[str] = []
            try:
                findings.extend(getattr(package, check)())
            except Exception as error:  # what cannot be read is a fault, and the next check follows
                findings.append(f"it cannot be read ({type(error).__name__}: {error})")
            count = package.counted.get(f"{check}.jsonl")
            size = "" if count is None else f", {count}"
            print(f"{check}: {'FAILED' if findings else 'OK'}{size}")
            for sentence in findings:
                print(f"  {sentence}")
            faults += len(findings)
        subject, made = package.manifest["subject"], package.manifest["made_at"]
        print(f"Evidence of {subject['kind']} {subject['name']}, made at {made}")
        print(f"Anchored: {package.anchored()} of {len(package.results)} hands")
    print("Not checked here: whether the house signed it, see verify_signature.py")
    if faults:
        print(f"WRONG: {faults} faults")
        return 1
    print(f"NOT PROVED: {'; '.join(package.unproved)}" if package.unproved else "PROVED")
    return 2 if package.unproved else 0


def failed(kind: type[BaseException], error: BaseException, _trace: object) -> None:
    print(f"package: FAILED ({kind.__name__}: {error})")


if __name__ == "__main__":
    sys.excepthook = failed
    sys.exit(check_package(sys.argv[1]))
