"""A zip file as a stream of bytes: the sender holds one piece of it at a time.

Each file yields its size and hash with its bytes, for the manifest.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from types import TracebackType
from typing import Self, TypedDict
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

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
