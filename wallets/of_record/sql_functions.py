"""The SQL functions that the triggers of the record call; on SQLite each connection defines them.

This module imports nothing of Django, so that a program outside the house can define them, too.
"""

from hashlib import sha256
from typing import Final

# A program that writes without these functions is refused by SQLite.
VERB: Final = "wallets_verb"
DIGEST: Final = "wallets_digest"


def digest(text: str | None) -> str | None:
    """Return what the record holds in place of a personal or secret value."""
    return None if text is None else sha256(str(text).encode()).hexdigest()
