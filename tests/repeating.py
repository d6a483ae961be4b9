"""Draws that repeat: the same cards for a test each time it runs."""

import random
import secrets

import pytest


def repeat_draws(patch: pytest.MonkeyPatch, seed: str) -> None:
    drawn = random.Random(seed)
    patch.setattr(secrets, "token_bytes", lambda size=None: drawn.randbytes(size or 32))
    patch.setattr(secrets, "randbelow", drawn.randrange)
