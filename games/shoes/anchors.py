"""Anchors: signed heads of all that the house must not change, in a file outside the database.

An anchor names the last entry of the public chain, the last transaction of each book of the ledger
that has moved since the anchor before it, and the last closing, with their hashes. The journal and
the record of changes are books, too; a closing has the digest of each table. It is signed, holds
the hash of the anchor before it, and is appended as one line to `ANCHORS_FILE`, which is public. So
older rows cannot be changed through the database alone: the audit compares chain and books with the
file (`games/records/audit_anchors.py`).

Packages above connect to `made` to send anchors to other machines; this module does not know its
readers.

A row is stored first, and its line is written afterwards. If the process ends or the disk is full
in between, the line is written with the next anchor.
"""

import fcntl
import json
import logging
import os
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final, NotRequired, TypedDict, cast

from django.conf import settings
from django.db import IntegrityError, transaction
from django.dispatch import Signal

from games.models import Anchor, AnchoredBook
from games.shoes import chain
from wallets.models import Book, Closing
from wallets.of_record import chain as record_chain
from wallets.storage.signing import canonical, public_keys, sign

KIND: Final = "anchor"
# An anchor is made after so many entries of the public chain.
EVERY: Final = 1_000
NO_ANCHOR: Final = "0" * 64
# How much of the end of the file is read to show the newest; an anchor takes a few kB at most.
TAIL: Final = 256 * 1024
# Sent with `anchor` and `now`, in the transaction that stores it.
made = Signal()

log = logging.getLogger(__name__)


class Head(TypedDict):
    """The last entry of a chain or a book, and its hash."""

    position: int
    head: str


class Statement(TypedDict):
    number: int
    at: str
    chain: Head
    books: dict[str, Head]
    previous: str
    # The last closing of the books, which has the digests of all tables of record.
    closing: NotRequired[Head]
    # Only where the anchor was made because a day was closed.
    day: NotRequired[str]


class Signed(TypedDict):
    """A line of the file."""

    statement: Statement
    signature: str
    key: str


def anchor(now: datetime, day: date | None = None) -> Anchor | None:
    """Sign the present heads and write them to the file."""
    stored = store(now, day)
    write_waiting()
    return stored


def store(now: datetime, day: date | None = None) -> Anchor | None:
    """Sign the present heads; of simultaneous callers one does it. The file is written later."""
    while chain.link():
        pass
    record_chain.link_all()
    try:
        with transaction.atomic():
            stored = _store(now, day)
            made.send(sender=__name__, anchor=stored, now=now)
    except IntegrityError:
        return None
    return stored


def when_due(now: datetime) -> Anchor | None:
    """Make an anchor if enough entries were published, or time has passed, since the last one."""
    last = Anchor.objects.order_by("-number").first()
    position, _head = chain.end()
    enough = position - (last.position if last else -1) >= EVERY
    return anchor(now) if enough or _is_time(last, now) else None


def _is_time(last: Anchor | None, now: datetime) -> bool:
    """Outside witnesses expect an anchor every few minutes, whether anything has moved or not."""
    minutes = timedelta(minutes=settings.ANCHOR_MINUTES)
    return bool(minutes) and (last is None or now - last.made_at >= minutes)


def latest() -> datetime | None:
    """Return the time of the last anchor."""
    written = Anchor.objects.filter(written=True).order_by("-number")
    return written.values_list("made_at", flat=True).first()


def file() -> Path:
    return Path(settings.ANCHORS_FILE)


def lines() -> Iterator[str]:
    """The lines of the file; none if there is no file."""
    try:
        with file().open(encoding="utf-8", errors="replace") as opened:
            for line in opened:
                yield line.rstrip("\n")
    except (FileNotFoundError, NotADirectoryError):
        return


def newest(count: int) -> list[Signed]:
    """The newest readable anchors of the file, the last first."""
    try:
        with file().open("rb") as opened:
            opened.seek(max(0, opened.seek(0, os.SEEK_END) - TAIL))
            tail = opened.read().decode(errors="replace").splitlines()
    except OSError:
        return []
    anchors: list[Signed] = []
    for line in reversed(tail):
        try:
            read = json.loads(line)
        except ValueError:
            continue
        if isinstance(read, dict) and isinstance(read.get("statement"), dict):
            anchors.append(cast(Signed, read))
        if len(anchors) == count:
            break
    return anchors


def hash_of(line: str) -> str:
    """The hash of a line, which the next anchor holds."""
    return sha256(line.encode()).hexdigest()


def _store(now: datetime, day: date | None) -> Anchor:
    # As with the chain: a lock on the last anchor would find a later one after the wait.
    list(Anchor.objects.select_for_update().filter(number=1))
    last = Anchor.objects.order_by("-number").first()
    position, head = chain.end()
    anchored = dict(AnchoredBook.objects.values_list("book", "position"))
    books: dict[str, Head] = {
        name: {"position": at, "head": book_head}
        for name, at, book_head in Book.objects.values_list("name", "position", "head")
        if at > anchored.get(name, 0)
    }
    statement: Statement = {
        "number": last.number + 1 if last else 1,
        "at": now.isoformat(),
        "chain": {"position": position, "head": head},
        "books": books,
        "previous": hash_of(last.line) if last else NO_ANCHOR,
    }
    closing = Closing.objects.order_by("-pk").first()
    if closing is not None:
        statement["closing"] = {"position": closing.pk, "head": closing.hash}
    if day is not None:
        statement["day"] = day.isoformat()
    signed: Signed = {
        "statement": statement,
        "signature": sign(KIND, statement),
        "key": public_keys()[0],
    }
    AnchoredBook.objects.bulk_create(
        [AnchoredBook(book=name, position=book["position"]) for name, book in books.items()],
        update_conflicts=True,
        unique_fields=["book"],
        update_fields=["position"],
        batch_size=500,
    )
    return Anchor.objects.create(
        number=statement["number"],
        made_at=now,
        position=position,
        line=canonical(signed).decode(),
    )


def write_waiting() -> None:
    """Append the lines that are not in the file yet, and flush them to the disk."""
    if not Anchor.objects.filter(written=False).exists():
        return
    try:
        file().parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file(), os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError as problem:
        log.error("anchors cannot be written: %s", problem)
        return
    try:
        # A second writer waits here, and then finds nothing left to write.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        for row in Anchor.objects.filter(written=False).order_by("number"):
            _append(descriptor, row.line.encode())
            Anchor.objects.filter(pk=row.pk).update(written=True)
    except OSError as problem:
        log.error("anchors cannot be written: %s", problem)
    finally:
        os.close(descriptor)


def _append(descriptor: int, line: bytes) -> None:
    """Append one line unless it is there; an interrupted process may have left a part of it."""
    size = os.lseek(descriptor, 0, os.SEEK_END)
    before = os.pread(descriptor, len(line) + 1, max(0, size - len(line) - 1))
    if before == line + b"\n":
        return
    start = b"" if not before or before.endswith(b"\n") else b"\n"
    rest = memoryview(start + line + b"\n")
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)
