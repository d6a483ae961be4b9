"""The parts of a table that a stream carries, and the difference between two of them.

A stream is sent the pieces whose bytes differ from what this stream was last sent. All streams of a
table share one public part, so the difference between two public parts is worked out once.
"""

from collections.abc import Hashable, Iterable, Mapping
from itertools import count
from typing import Final, NamedTuple

import msgspec

from wallets.values.player import Viewer

encode: Final = msgspec.json.Encoder().encode


class Audience(NamedTuple):
    """The viewer of a stream with parts: all streams with equal names share the public part."""

    rendering: str
    language: str
    viewer: Viewer
    invitation: str = ""


class Change(NamedTuple):
    """The pieces that were added or changed, and the names of those that are gone; both as JSON."""

    pieces: bytes
    removed: bytes


class Part:
    """A public or an own part of one version."""

    _numbers = count()

    def __init__(
        self, pieces: Mapping[str, bytes], made_of: Hashable = None, *, is_shared: bool = False
    ) -> None:
        # By name; each value is JSON.
        self.pieces = pieces
        # The inputs of a part; a part with equal inputs need not be made again.
        self.made_of = made_of
        # Whether it is an own part of a viewer without a seat, who sees what all may see.
        self.is_shared = is_shared
        # Changes are remembered by number: a reference would keep every earlier part alive.
        self._number = next(self._numbers)
        self._changes: dict[int, Change] = {}
        # The events of streams that were sent the same parts before.
        self._events: dict[tuple[int, Change, Change], bytes] = {}

    def since(self, earlier: "Part") -> Change:
        if earlier is self:
            return UNCHANGED
        if earlier._number not in self._changes:
            self._changes[earlier._number] = _change(earlier.pieces, self.pieces)
        return self._changes[earlier._number]

    def event_of(self, version: int, public: Change, own: Change) -> bytes:
        """The event that brings these changes, for a viewer whose own part this is."""
        key = version, public, own
        if key not in self._events:
            self._events[key] = _event(*key)
        return self._events[key]


def _event(version: int, public: Change, own: Change) -> bytes:
    removed = _joined({"public": public.removed, "own": own.removed})
    data = _joined(
        {
            "version": b"%d" % version,
            "public": public.pieces,
            "own": own.pieces,
            "removed": removed if removed != b"{}" else b"",
        }
    )
    return b"id: %d\nevent: parts\ndata: %b\n\n" % (version, data)


def _change(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Change:
    changed = {
        name: msgspec.Raw(piece) for name, piece in after.items() if before.get(name) != piece
    }
    removed = sorted(before.keys() - after.keys())
    return Change(encode(changed) if changed else b"", encode(removed) if removed else b"")


UNCHANGED: Final = Change(b"", b"")
NOTHING: Final = Part({})


class Parts(NamedTuple):
    """Both parts of a version for one stream."""

    version: int
    public: Part
    own: Part = NOTHING

    def event(self, sent: "Parts") -> bytes:
        """The event for a stream that was last sent other parts."""
        public, own = self.public, self.own
        return own.event_of(self.version, public.since(sent.public), own.since(sent.own))


UNSENT: Final = Parts(-1, NOTHING)


def _joined(fields: Mapping[str, bytes]) -> bytes:
    """A JSON object of the fields that are not empty."""
    return encode({name: msgspec.Raw(value) for name, value in fields.items() if value})


class Reader(NamedTuple):
    """A stream for which parts are to be made."""

    # Names the stream among those of a table.
    number: int
    audience: Audience
    # The own part that the stream was last sent.
    own: Part


class Wanted(NamedTuple):
    """The parts to make: a table at this version or a newer one, for these streams."""

    table_id: int
    version: int
    readers: tuple[Reader, ...]


class Made(NamedTuple):
    """The parts made; a stream without an entry could not be served, because of a fault."""

    version: int
    # By the number of the stream.
    parts: Mapping[int, Parts]
    # The streams whose viewers may no longer see the table.
    hidden_from: frozenset[int] = frozenset()


def hidden_from_all(readers: Iterable[Reader]) -> Made:
    """The parts of a table that no longer exists."""
    return Made(-1, {}, frozenset(reader.number for reader in readers))
