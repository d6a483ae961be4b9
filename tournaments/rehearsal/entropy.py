"""Bytes from a seed in place of the system's, so that a rehearsal can be repeated.

Shoes take their secrets from `secrets`. Only a process that plays nothing but a rehearsal, in a
separate database, may replace it; in a house every card could be foretold.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Final

OCTETS_USUALLY: Final = 32


class Stream:
    """An endless stream of bytes that follows from a seed."""

    def __init__(self, seed: str) -> None:
        self._key = sha256(f"rehearsal {seed}".encode()).digest()
        self._block = 0
        self._left = b""

    def octets(self, count: int | None = None) -> bytes:
        """The next bytes of the stream."""
        wanted = OCTETS_USUALLY if count is None else count
        while len(self._left) < wanted:
            self._left += hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
            self._block += 1
        octets, self._left = self._left[:wanted], self._left[wanted:]
        return octets

    def below(self, limit: int) -> int:
        """The next number from 0 to `limit` - 1, each as likely as any other."""
        size = (limit.bit_length() + 7) // 8
        most = 256**size // limit * limit
        while (number := int.from_bytes(self.octets(size), "big")) >= most:
            pass
        return number % limit


@contextmanager
def seeded(seed: str) -> Iterator[None]:
    """Inside, the secrets of this process follow from a seed."""
    stream = Stream(seed)
    replaced = {"token_bytes": stream.octets, "randbelow": stream.below}
    kept = {name: getattr(secrets, name) for name in replaced}
    try:
        for name, function in replaced.items():
            setattr(secrets, name, function)
        yield
    finally:
        for name, function in kept.items():
            setattr(secrets, name, function)


def _key() -> str:
    return urlsafe_b64encode(secrets.token_bytes(OCTETS_USUALLY)).decode()


# The keys of a house that plays one rehearsal, where the environment gives none.
KEYS: Final = {"SECRET_KEY": _key, "SEALING_KEYS": _key, "SIGNING_KEYS": _key}
