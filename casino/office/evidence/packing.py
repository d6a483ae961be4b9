"""Packing evidence: a scope's files, their manifest and signature, as a stream of a zip file.

The journal notes the packer first, because a download may be cancelled after its last record. Each
file yields its size and hash with its bytes, for the manifest.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self, TypedDict
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from casino.office.evidence import contents
from casino.office.evidence.scope import Scope
from casino.ops.running_code import running_code
from games.records.record import AUDIT
from games.shoes import chain
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.storage.signing import canonical, public_keys, sign

# So many bytes are gathered before they are sent.
PIECE = 1 << 16


class Listed(TypedDict):
    name: str
    size: int
    sha256: str


class _Outbox:
    """A file for the zip that cannot seek, so sizes follow their files."""

    def __init__(self) -> None:
        self.waiting = bytearray()

    def write(self, octets: bytes) -> int:
        self.waiting += octets
        return len(octets)

    def flush(self) -> None:
        """There is nothing to do: `take` hands everything out."""

    def take(self) -> bytes:
        taken = bytes(self.waiting)
        self.waiting.clear()
        return taken


class ZipStream:
    """A zip that is being written; `end` closes it and gives its last bytes."""

    def __init__(self, at: datetime) -> None:
        self._outbox = _Outbox()
        self._zip = ZipFile(self._outbox, "w", ZIP_DEFLATED)  # type: ignore[call-overload]
        self._at = at.timetuple()[:6]
        self.files: list[Listed] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        # Drop the rest of a file after its reader has gone.
        self._zip.close()

    def file(self, name: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Write one file, piece by piece, and give the bytes of the zip as they come."""
        info = ZipInfo(name, self._at)
        info.compress_type = ZIP_DEFLATED
        size, hashed = 0, sha256()
        with self._zip.open(info, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                size += len(piece)
                hashed.update(piece)
                if len(self._outbox.waiting) >= PIECE:
                    yield self._outbox.take()
        self.files.append({"name": name, "size": size, "sha256": hashed.hexdigest()})
        yield self._outbox.take()

    def end(self) -> bytes:
        self._zip.close()
        return self._outbox.take()


FORMAT: Final = "evidence/1"
# The purpose of the signature: none of these is valid for a receipt or an anchor.
SIGNED_AS: Final = "evidence"
VERIFIERS: Final = ("verify.py", "verify_package.py", "verify_shoe.py", "verify_signature.py")
DOCS: Final = Path(settings.BASE_DIR) / "docs"
READ_AT_ONCE: Final = 1 << 16
PACKED: Final = journal.register(
    "evidence.pack", _("Packed evidence with all cards"), confirmed=True, permission=AUDIT
)


class Made(NamedTuple):
    """The person who packs and the time, as the journal notes them."""

    at: datetime
    by: journal.By
    reason: str
    # The entry of the journal.
    noted: int


def note(verb: str, scope: Scope, who: journal.By, reason: str, now: datetime) -> Made:
    """Write the entry of the journal, and bring the public chain up to date for the package."""
    entry: JournalEntry = journal.write(
        who,
        verb,
        scope.reference,
        before={},
        after={"kind": scope.kind, "name": scope.name, "since": scope.since, "until": scope.until},
        reason=reason,
    )
    return Made(now, who, entry.reason, entry.position)


def packed(scope: Scope, made: Made) -> Iterator[bytes]:
    """The bytes of the package, a piece at a time."""
    while chain.link():
        pass
    stretch = contents.Stretch(scope)
    lines: dict[str, int] = {}
    files = {
        "records.jsonl": contents.records(scope),
        "chain.jsonl": contents.public_chain(scope, stretch),
        "ledger.jsonl": contents.ledger(scope),
        "journal.jsonl": contents.journal_lines(scope),
        "anchors.jsonl": contents.anchors(stretch),
    }
    if scope.event is not None:
        files["tournament.jsonl"] = contents.tournament(scope)
    with ZipStream(made.at) as package:
        for name, content in files.items():
            yield from package.file(name, _counted(name, content, lines))
        for name in VERIFIERS:
            yield from package.file(name, _read(DOCS / name))
        manifest = {
            "format": FORMAT,
            "subject": _subject(scope),
            "made_at": made.at.isoformat(),
            "made_by": {"reference": made.by.reference, "name": made.by.name},
            "reason": made.reason,
            "journal": made.noted,
            "code": running_code().line,
            "lines": dict(lines),
            "files": list(package.files),
        }
        written = canonical(manifest)
        signature = {
            "manifest": sha256(written).hexdigest(),
            "key": public_keys()[0],
            "signature": sign(SIGNED_AS, manifest),
        }
        yield from package.file("MANIFEST.json", [written])
        yield from package.file("MANIFEST.sig", [canonical(signature)])
        yield package.end()


def file_name(scope: Scope) -> str:
    """A name that is safe anywhere: a hand's code; of all else the reference without its colon."""
    what = scope.name if scope.kind == "hand" else scope.reference.replace(":", "-")
    return f"evidence-{what}.zip"


def _subject(scope: Scope) -> dict[str, str | None]:
    return {
        "kind": scope.kind,
        "name": scope.name,
        "reference": scope.reference,
        "since": scope.since.isoformat() if scope.since else None,
        "until": scope.until.isoformat() if scope.until else None,
    }


def _counted(name: str, content: Iterable[bytes], lines: dict[str, int]) -> Iterator[bytes]:
    lines[name] = 0
    for line in content:
        lines[name] += 1
        yield line


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(READ_AT_ONCE):
            yield piece
