"""The compression of one stream, in the form of gzip, for a reader who says that they take it.

The stream of a seat has a compressor of its own, which finds most of a changed piece in what the
stream carried before. Viewers without a seat are sent the same texts, and a text is compressed once
for all who were sent the same one before.

What an observer of the line can see is the length of each event, so that is a multiple of `STEP`:
the events are filled up with empty blocks, which add nothing to the text.
"""

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

# `docs/decisions.md` has the figures of other choices. A compressor of these takes 144 kB.
LEVEL: Final = 5
MEMORY: Final = 5
# Of a text for many.
LEVEL_OF_SHARED: Final = 9
TEXTS_SHARED: Final = 256
# A text of this length is likely to have what the next one repeats.
LONG: Final = 512
# A gzip file is compressed blocks between a head and a tail (RFC 1952); the last block is empty.
HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
LAST: Final = b"\x03\x00"
BLOCKS: Final = -zlib.MAX_WBITS
# More streams of one process are sent as they are, so that memory has a bound.
PACKED_MAX: Final = 1500
# The lengths of events are multiples of it.
STEP: Final = 128
# Empty blocks of a compressed text (RFC 1951), from one whole byte to another: a stored one, and
# one with fixed codes before it. So many of both make up any length but a few short ones.
FIVE: Final = b"\x00\x00\x00\xff\xff"
SIX: Final = b"\x02" + FIVE
# A way of coding that a reader takes (RFC 9110), and whether it says that it does not.
CODING: Final = re.compile(
    rb"\s*(?i:(gzip|x-gzip)|\*)\s*(?:;\s*(?i:q)=(?:(0(?:\.0{0,3})?)|[01](?:\.\d{0,3})?)\s*)?"
)


class Packing:
    """The compression of one stream."""

    def __init__(self) -> None:
        self._head, self._sum, self._length = HEAD, 0, 0
        # It knows what this stream carried; none after a text that was compressed for many.
        self._compressor: Any = None
        # The last long text that was shared, and what came after it.
        self._before = b""

    def packed(self, text: bytes, *, shared: bool = False) -> bytes:
        """The text as its reader can decode it at once; its length is a multiple of `STEP`.

        A shared one is sent to many readers alike.
        """
        self._sum, self._length = zlib.crc32(text, self._sum), self._length + len(text)
        head, self._head = self._head, b""
        if not shared:
            self._before = b""
            return _filled(head + self._own(text))
        self._compressor, before = None, self._before
        self._before = text if len(text) >= LONG else before + text
        made = _shared(text, before)
        return _filled(head + made) if head else made

    def end(self) -> bytes:
        numbers = (self._sum, self._length % (1 << 32))
        return LAST + b"".join(number.to_bytes(4, "little") for number in numbers)

    def _own(self, text: bytes) -> bytes:
        if self._compressor is None:
            self._compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, BLOCKS, MEMORY)
        made: bytes = self._compressor.compress(text) + self._compressor.flush(zlib.Z_SYNC_FLUSH)
        return made


@lru_cache(TEXTS_SHARED)
def _shared(text: bytes, before: bytes) -> bytes:
    """What may stand in any stream behind this text, as it refers to nothing earlier."""
    fresh = zlib.compressobj(LEVEL_OF_SHARED, zlib.DEFLATED, BLOCKS, zdict=before)
    return _filled(fresh.compress(text) + fresh.flush(zlib.Z_SYNC_FLUSH))


def _filled(made: bytes) -> bytes:
    return made + _nothing(-len(made) % STEP)


def _nothing(length: int) -> bytes:
    """Empty blocks of this length, or of a step more where that is too short for them."""
    fives, rest = divmod(length, len(FIVE))
    if rest > fives:
        return _nothing(length + STEP)
    return SIX * rest + FIVE * (fives - rest)


def takes_gzip(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether the sender of a request takes an answer in gzip."""
    accepted = b",".join(value for name, value in headers if name == b"accept-encoding")
    said = filter(None, map(CODING.fullmatch, accepted.split(b",")))
    # What is said of gzip goes before what is said of all codings.
    first = max(said, key=lambda match: match[1] is not None, default=None)
    return first is not None and first[2] is None
