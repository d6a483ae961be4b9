"""The compression of one stream, in the form of gzip, for a reader who says that they take it.

Each stream has a compressor of its own, which finds most of a changed piece in what the stream
carried before. What an observer of the line can see is the length of each event, so that is a
multiple of `STEP`: the events are filled up with empty blocks, which add nothing to the text.
"""

import re
import zlib
from collections.abc import Iterable
from typing import Final

# `docs/decisions.md` has the figures of other choices. A compressor of these takes 144 kB.
LEVEL: Final = 5
MEMORY: Final = 5
IN_GZIP: Final = 16 + zlib.MAX_WBITS
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
    """The compressor of one stream."""

    def __init__(self) -> None:
        self._compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, IN_GZIP, MEMORY)

    def packed(self, text: bytes) -> bytes:
        """The text as its reader can decode it at once; its length is a multiple of `STEP`."""
        made = self._compressor.compress(text) + self._compressor.flush(zlib.Z_SYNC_FLUSH)
        return made + _nothing(-len(made) % STEP)

    def end(self) -> bytes:
        return self._compressor.flush(zlib.Z_FINISH)


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
    first = max(said, key=lambda one: one[1] is not None, default=None)
    return first is not None and first[2] is None
