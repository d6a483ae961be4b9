"""An outside witness of a card room: it countersigns each anchor that fits all those before it.

    python3 witness.py serve FOLDER --house KEY [--port 8790] [--late 30] [--alarm COMMAND]
    python3 witness.py compare FILE FILE...

`serve` runs on a machine that no one at the house can change; it needs nothing but Python. It makes
a key of its own and prints its public half. The house posts its anchors (fairness.md, "Anchors").
One is countersigned if the house's KEY has signed it, it follows the one before, and no chain that
it names has gone back. All are kept in FOLDER/anchors.jsonl, which only grows. An anchor that does
not fit, or none for so many minutes, is an alarm: a line of FOLDER/alarms.jsonl and of the output,
and COMMAND, run with the line as its argument. GET / says what was signed last; GET /anchors.jsonl
sends the file. Listen behind a server with HTTPS, which stops floods.

`compare` holds files of witnesses, or of the house (anchors.jsonl), against one another, and ends
with 1 if two have different anchors of one number. Both kinds of file may be named.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Json = dict[str, Any]
NOTHING = "0" * 64
BYTES_MAX = 4_000_000

# Ed25519 (RFC 8032), as short as it can be read. It is slow, and not for keys of others' machines.

P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]


def add(a: Point, b: Point) -> Point:
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    t, z = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, z - t, z + t, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    product = (0, 1, 1, 0)
    while number:
        product = add(product, point) if number & 1 else product
        point, number = add(point, point), number >> 1
    return product


def pressed(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def unpressed(octets: bytes) -> Point:
    number = int.from_bytes(octets, "little")
    y, odd = number & (1 << 255) - 1, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * ROOT % P
    if (x * x - square) % P or y >= P or (x == 0 and odd):
        raise ValueError("this is no point of the curve")
    x = x if x & 1 == odd else P - x
    return x, y, 1, x * y % P


BASE = unpressed((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def hashed(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def halves(key: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(key).digest()
    return int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254, digest[32:]


def public_half(key: bytes) -> bytes:
    return pressed(times(halves(key)[0], BASE))


def sign(key: bytes, message: bytes) -> bytes:
    own, prefix = halves(key)
    nonce = hashed(prefix, message) % ORDER
    start = pressed(times(nonce, BASE))
    end = (nonce + hashed(start, public_half(key), message) * own) % ORDER
    return start + end.to_bytes(32, "little")


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        owner, start = unpressed(key), unpressed(signature[:32])
    except ValueError:
        return False
    end = int.from_bytes(signature[32:], "little")
    reached = add(start, times(hashed(signature[:32], key, message) % ORDER, owner))
    return len(signature) == 64 and end < ORDER and pressed(times(end, BASE)) == pressed(reached)


# What is signed, by the house and by this witness.


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def hash_of(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def message_of(kind: str, statement: Json) -> bytes:
    return f"CR1|{kind}|".encode() + canonical(statement)


class Refused(Exception):
    """An anchor is not countersigned: a code, a sentence, and whether it is an alarm."""

    def __init__(self, code: str, sentence: str, *, alarming: bool = True) -> None:
        super().__init__(sentence)
        self.code, self.alarming = code, alarming


def heads_in(statement: Json) -> dict[str, Json]:
    named = {"chain": statement["chain"], "closing": statement.get("closing")}
    named |= {f"book {name}": head for name, head in statement["books"].items()}
    return {name: head for name, head in named.items() if head}


class Witness:
    """What was signed of each anchor, and the last head of each chain."""

    def __init__(self, folder: Path, house: list[str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.house, self.lock = folder, house, threading.Lock()
        self.kept: dict[int, Json] = {}
        self.heads: dict[str, Json] = {}
        self.last: Json = {}
        self.alarms: set[str] = set()
        self.key = self._own_key()
        self.public = public_half(self.key).hex()
        self.file = folder / "anchors.jsonl"
        self.file.touch()
        lines = self.file.read_bytes().split(b"\n")
        if torn := lines.pop():  # the machine stopped while the last line was written
            os.truncate(self.file, self.file.stat().st_size - len(torn))
        for line in lines:
            self._remember(json.loads(line))
        at = self.last["statement"]["at"] if self.last else now().isoformat()
        self.heard_at = datetime.fromisoformat(at)

    def _own_key(self) -> bytes:
        file = self.folder / "witness.key"
        with contextlib.suppress(FileExistsError):
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(made, "wb") as opened:
                opened.write(secrets.token_bytes(32))
        return file.read_bytes()

    def _remember(self, entry: Json) -> None:
        statement = json.loads(entry["anchor"])["statement"]
        self.heads |= heads_in(statement)
        self.last = {name: entry[name] for name in ("key", "statement", "signature")}
        self.kept[statement["number"]] = self.last

    def countersign(self, line: str) -> Json:
        """Check an anchor, keep it, and return what this witness has signed of it."""
        with self.lock:
            anchor = self._read(line)
            if known := self.kept.get(anchor["number"]):
                if known["statement"]["anchor"] != hash_of(line.encode()):
                    said = f"the house has signed two different anchors {anchor['number']}"
                    raise Refused("conflict", said)
                self.heard_at = now()
                return known
            self._follows(anchor)
            before = self.last.get("statement")
            statement = {
                "anchor": hash_of(line.encode()),
                "at": now().isoformat(),
                "number": anchor["number"],
                "place": before["place"] + 1 if before else 1,
                "previous": hash_of(canonical(before)) if before else NOTHING,
            }
            signature = sign(self.key, message_of("witness", statement)).hex()
            entry = {"anchor": line, "key": self.public, "statement": statement}
            entry["signature"] = signature
            append(self.file, entry)
            self._remember(entry)
            self.heard_at = now()
            return self.last

    def _read(self, line: str) -> Json:
        try:
            signed = json.loads(line)
            statement: Json = signed["statement"]
            key, signature = bytes.fromhex(signed["key"]), bytes.fromhex(signed["signature"])
            whole = canonical(signed) == line.encode() and type(statement["number"]) is int
            whole = whole and all(
                type(head["position"]) is int for head in heads_in(statement).values()
            )
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            raise Refused("unreadable", f"this is no anchor: {fault}", alarming=False) from None
        known = whole and signed["key"] in self.house
        if not (known and is_signed(key, message_of("anchor", statement), signature)):
            raise Refused("unsigned", "the house has not signed this", alarming=False)
        return statement

    def _follows(self, anchor: Json) -> None:
        """An anchor follows the last one kept; the first that is sent may have any number."""
        if not self.last:
            return
        number = self.last["statement"]["number"]
        if anchor["number"] > number + 1:
            raise Refused("gap", f"anchor {number + 1} is missing", alarming=False)
        if anchor["number"] <= number:
            raise Refused("conflict", f"anchor {anchor['number']} is older than the first kept")
        if anchor["previous"] != self.last["statement"]["anchor"]:
            raise Refused("conflict", f"anchor {anchor['number']} follows another anchor {number}")
        for name, head in heads_in(anchor).items():
            before = self.heads.get(name, {"position": -1})
            same = head["position"] == before["position"]
            if head["position"] < before["position"] or (same and head != before):
                said = f"anchor {anchor['number']}: {name} was {before}, and is {head}"
                raise Refused("conflict", said)

    def alarm(self, sentence: str, command: str) -> None:
        """Once for each sentence, as long as the process runs."""
        if sentence in self.alarms:
            return
        self.alarms.add(sentence)
        line = {"at": now().isoformat(), "alarm": sentence}
        append(self.folder / "alarms.jsonl", line)
        print(f"ALARM {line['at']} {sentence}", file=sys.stderr, flush=True)
        if command:
            subprocess.Popen([command, sentence])  # noqa: S603 - of who runs the witness

    def is_late(self, minutes: float) -> bool:
        return now() - self.heard_at > timedelta(minutes=minutes)


def now() -> datetime:
    return datetime.now(timezone.utc)  # noqa: UP017 - older Pythons have no other


def append(file: Path, entry: Json) -> None:
    with file.open("ab") as opened:
        opened.write(canonical(entry) + b"\n")
        opened.flush()
        os.fsync(opened.fileno())


# Serving.


def handler(witness: Witness, late: float, command: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            if self.path == "/anchors.jsonl":
                self.answer(200, witness.file.read_bytes())
            else:
                said = {**witness.last, "key": witness.public, "late": witness.is_late(late)}
                self.answer(200, canonical(said))

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or int(length) > BYTES_MAX:
                self.answer(413, b'{"code":"too_long"}')
                return
            try:
                line = json.loads(self.rfile.read(int(length)))["line"]
                self.answer(200, canonical(witness.countersign(line)))
            except Refused as refusal:
                if refusal.alarming:
                    witness.alarm(str(refusal), command)
                have = witness.last["statement"]["number"] if witness.last else 0
                said = {"code": refusal.code, "sentence": str(refusal), "have": have}
                self.answer(409, canonical(said))
            except (ValueError, KeyError, TypeError, AttributeError):
                self.answer(400, b'{"code":"unreadable"}')

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            """What is kept is the record."""

    return Handler


def serve(given: argparse.Namespace) -> None:
    witness = Witness(Path(given.folder), given.house)
    own = handler(witness, given.late, given.alarm)
    server = ThreadingHTTPServer((given.host, given.port), own)
    print(f"witness {witness.public} listens on port {server.server_port}", flush=True)
    threading.Thread(target=watch, args=(witness, given), daemon=True).start()
    server.serve_forever()


def watch(witness: Witness, given: argparse.Namespace) -> None:
    """One alarm for each silence, whose beginning it names."""
    while True:
        if witness.is_late(given.late):
            witness.alarm(f"no anchor since {witness.heard_at.isoformat()}", given.alarm)
        time.sleep(min(5.0, given.late * 15))


def compare(names: list[str]) -> int:
    """Print each number of which two files have different anchors."""
    seen: dict[int, tuple[str, str]] = {}
    apart = 0
    for name in names:
        for line in Path(name).read_bytes().split(b"\n"):
            if not line:
                continue
            entry = json.loads(line)
            anchor = entry.get("anchor") or line.decode()
            number = json.loads(anchor)["statement"]["number"]
            other, where = seen.setdefault(number, (anchor, name))
            if other != anchor:
                apart += 1
                print(f"DIFFERENT: anchor {number} in {where} and {name}")
    print(f"{len(seen)} anchors, {apart} different")
    return 1 if apart else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="An outside witness of a card room.")
    verbs = parser.add_subparsers(required=True)
    serving = verbs.add_parser("serve")
    serving.add_argument("folder")
    serving.add_argument("--house", action="append", required=True, help="of /fairness/keys.json")
    serving.add_argument("--host", default="127.0.0.1")
    serving.add_argument("--port", type=int, default=8790)
    serving.add_argument("--late", type=float, default=30, help="minutes without an anchor")
    serving.add_argument("--alarm", default="", help="a program that is given each alarm")
    comparing = verbs.add_parser("compare")
    comparing.add_argument("files", nargs="+")
    given = parser.parse_args()
    if "files" in given:
        return compare(given.files)
    serve(given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
