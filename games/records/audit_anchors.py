"""Chain and ledger against the anchors outside the database, and what witnesses signed.

Each entry and transaction that an anchor names must still exist with the same hash. Every anchor of
the database must be in the file, and every anchor of the file in the database: a database that was
restored from an older copy lacks the newest.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.utils import timezone

from games.models import Anchor, AnchoredBook, Day, WitnessedAnchor
from games.records.audit_rows import chunks
from games.shoes import anchors, witnesses
from wallets.audit.chains import hashes_at
from wallets.models import Closing
from wallets.storage.signing import canonical, is_signed, public_keys

# An anchor that a witness has not signed after this time is missing.
SIGNED_LATE: Final = timedelta(minutes=30)


def findings(hashes: Mapping[int, str]) -> Iterator[str]:
    """All differences; `hashes` are those of the lines in the file, by number of the anchor."""
    rows = WitnessedAnchor.objects.select_related("anchor").order_by("witness", "place")
    signed: dict[str, set[int]] = {witness.key: set() for witness in witnesses.configured()}
    for key, group in groupby(rows.iterator(chunk_size=1_000), lambda row: row.witness):
        yield from _line(key, group, hashes, signed.setdefault(key, set()))
    old = Anchor.objects.filter(made_at__lt=timezone.now() - SIGNED_LATE).order_by("number")
    numbers = list(old.values_list("number", flat=True))
    for witness in witnesses.configured():
        first = min(signed[witness.key], default=numbers[-1] if numbers else 0)
        missing = [
            number for number in numbers if number >= first and number not in signed[witness.key]
        ]
        if missing:
            yield f"witness {witness.key[:8]} has not signed anchor {missing[0]}"


def _line(
    key: str, rows: Iterator[WitnessedAnchor], hashes: Mapping[int, str], numbers: set[int]
) -> Iterator[str]:
    """The signatures of one witness: valid, of these anchors, and each after the one before."""
    place, previous = 0, anchors.NO_ANCHOR
    for row in rows:
        place, number = place + 1, row.anchor.number
        what = f"witness {key[:8]}, place {row.place}"
        try:
            said = json.loads(row.statement)
            good = is_signed(witnesses.KIND, said, row.signature, key)
        except (ValueError, TypeError, AttributeError):
            good = False
        if not good or canonical(said).decode() != row.statement:
            yield f"{what}: it has not signed this"
            previous = ""
            continue
        numbers.add(number)
        if (row.place, said["place"]) != (place, place) or said["previous"] != previous:
            yield f"{what}: this is not what it signed after the one before"
            place = row.place
        if (said["number"], said["anchor"]) != (number, hashes.get(number)):
            yield f"{what}: it has signed another anchor {said['number']}"
        previous = anchors.hash_of(row.statement)


# A line that has not reached the file after this time is missing.
LATE: Final = timedelta(minutes=10)
AT_ONCE: Final = 500


class Anchored(NamedTuple):
    """An anchor from a readable line of the file."""

    number: int
    hash: str
    statement: dict[str, Any]


class AnchorFile:
    def __init__(self) -> None:
        self.unreadable: list[str] = []
        self.anchors: list[Anchored] = []
        # Every anchor that is marked as written before the file is read must be in it.
        written = Anchor.objects.filter(written=True).order_by("-number")
        self._written = written.values_list("number", flat=True).first() or 0
        lines = [line for line in anchors.lines() if line]
        for at, line in enumerate(lines):
            # A process that ended while it wrote leaves part of a line; the whole line follows.
            if at + 1 < len(lines) and lines[at + 1].startswith(line):
                continue
            self._read(at + 1, line)

    def _read(self, at: int, line: str) -> None:
        try:
            signed = json.loads(line)
            statement = signed["statement"]
            good = signed["key"] in public_keys() and is_signed(
                anchors.KIND, statement, signed["signature"], signed["key"]
            )
            number, _position = int(statement["number"]), int(statement["chain"]["position"])
        except (ValueError, KeyError, TypeError):
            self.unreadable.append(f"line {at} of the anchors cannot be read")
            return
        if not good:
            self.unreadable.append(f"anchor {number} is not signed by this house")
            return
        self.anchors.append(Anchored(number, anchors.hash_of(line), statement))

    @property
    def positions(self) -> frozenset[int]:
        return frozenset(anchor.statement["chain"]["position"] for anchor in self.anchors)

    def findings(self, heads: Mapping[int, str], end: int) -> Iterator[str]:
        """All differences; `heads` holds the heads of the chain at the positions of the anchors."""
        yield from self.unreadable
        yield from self._line()
        yield from self._rows()
        for anchor in self.anchors:
            position, head = (anchor.statement["chain"][name] for name in ("position", "head"))
            if position > end:
                yield f"anchor {anchor.number}: the public chain ends before entry {position}"
            elif position >= 0 and heads.get(position) != head:
                yield f"anchor {anchor.number}: entry {position} had another head"
            day = anchor.statement.get("day")
            if day is not None and not Day.objects.filter(day=day).exists():
                yield f"anchor {anchor.number}: the day {day} was closed, and is gone"
        yield from self._books()
        yield from self._closings()
        yield from findings({anchor.number: anchor.hash for anchor in self.anchors})
        last = max((anchor.statement["chain"]["position"] for anchor in self.anchors), default=-1)
        if end - last >= 2 * anchors.EVERY:
            yield f"there are {end - last} entries of the public chain since the last anchor"

    def _line(self) -> Iterator[str]:
        """Check that each anchor holds the hash of the one before it."""
        number, previous = 0, anchors.NO_ANCHOR
        for anchor in self.anchors:
            if (anchor.number, anchor.statement.get("previous")) != (number + 1, previous):
                yield f"anchor {anchor.number} does not follow the one before it"
            number, previous = anchor.number, anchor.hash

    def _rows(self) -> Iterator[str]:
        """Check that file and database have the same anchors, and say the same of them."""
        in_file = {anchor.hash: anchor.statement for anchor in self.anchors}
        remembered = set()
        for row in Anchor.objects.order_by("number"):
            digest = anchors.hash_of(row.line)
            remembered.add(digest)
            due = row.number <= self._written or row.made_at < timezone.now() - LATE
            if digest not in in_file:
                if due:
                    yield f"anchor {row.number} was made, and is not in {anchors.file().name}"
                continue
            statement = in_file[digest]
            signed = (statement["number"], statement["at"], statement["chain"]["position"])
            if (row.number, row.made_at.isoformat(), row.position) != signed:
                yield f"anchor {signed[0]} has another number, time or position in the database"
            if due and not row.written:
                yield f"anchor {row.number} is in the file, and is stored as not written"
        for anchor in self.anchors:
            if anchor.hash not in remembered:
                yield f"anchor {anchor.number} is in the file, and the database does not know it"

    def _books(self) -> Iterator[str]:
        """Check that each book still has the transactions named by anchors, with their hashes."""
        named: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
        for anchor in self.anchors:
            for book, anchored in anchor.statement["books"].items():
                named[book][anchored["position"]] = (anchor.number, anchored["head"])
        yield from self._remembered({book: max(places) for book, places in named.items()})
        for book, places in named.items():
            books: dict[int, str] = {}
            for some in chunks(places, AT_ONCE):
                books |= hashes_at(book, some)
            for position, (number, head) in places.items():
                if books.get(position) != head:
                    yield f"anchor {number}: transaction {position} of {book} is not what it was"

    def _remembered(self, due: Mapping[str, int]) -> Iterator[str]:
        """Check how far each book is anchored, which the next anchor begins with."""
        there = dict(AnchoredBook.objects.values_list("book", "position"))
        if Anchor.objects.count() > len(self.anchors):
            # One was made since the file was read.
            return
        for book in sorted(due.keys() | there.keys()):
            if due.get(book) != there.get(book):
                yield f"{book} is anchored up to {due.get(book)}, not {there.get(book)}"

    def _closings(self) -> Iterator[str]:
        """Check that each closing named by an anchor is still there, with its hash."""
        named = {
            anchor.statement["closing"]["position"]: (
                anchor.number,
                anchor.statement["closing"]["head"],
            )
            for anchor in self.anchors
            if "closing" in anchor.statement
        }
        closings: dict[int, str] = {}
        for some in chunks(named, AT_ONCE):
            closings |= dict(Closing.objects.filter(pk__in=some).values_list("pk", "hash"))
        for position, (number, head) in named.items():
            if closings.get(position) != head:
                yield f"anchor {number}: closing {position} of the books is not what it was"
