"""All draws of the house come from a seed, so that a run can be repeated."""

import os
import random
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from unittest.mock import patch


@contextmanager
def drawn_from(seed: int) -> Iterator[None]:
    """Inside, secrets of shoes, keys of seats and all else that is random repeat with the seed."""
    bits = Random(f"house {seed}")

    def octets(size: int | None = None) -> bytes:
        return bits.randbytes(size or 32)

    with ExitStack() as stack:
        for module, name, drawn in (
            (secrets, "token_bytes", octets),
            (secrets, "randbelow", bits.randrange),
            (os, "urandom", bits.randbytes),
            (random, "_urandom", bits.randbytes),
        ):
            stack.enter_context(patch.object(module, name, drawn))
        yield
