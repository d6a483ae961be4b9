"""The SQL functions that the triggers of the record call; on SQLite each connection defines them.

This module imports nothing of Django, so that a program outside the house can define them, too.
"""

import sqlite3
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

# A program that writes without these functions is refused by SQLite.
VERB: Final = "wallets_verb"
ACT: Final = "wallets_act"
SEAL: Final = "wallets_seal"
DIGEST: Final = "wallets_digest"


def digest(text: str | None) -> str | None:
    """Return what the record holds in place of a personal or secret value."""
    return None if text is None else sha256(str(text).encode()).hexdigest()


def seal(content: str, key: str) -> str:
    """Seal a change with the key of its act."""
    inner = sha256(content.encode()).hexdigest()
    return sha256(f"{key}{inner}".encode()).hexdigest() if key else ""


def define(connection: sqlite3.Connection, writer: Callable[[], Sequence[str]]) -> None:
    """Let triggers ask who writes: `writer` returns the verb, the act, and the act's key."""
    connection.create_function(VERB, 0, lambda: writer()[0])
    connection.create_function(ACT, 0, lambda: writer()[1])
    connection.create_function(SEAL, 1, lambda content: seal(content, writer()[2]))
    connection.create_function(DIGEST, 1, digest, deterministic=True)
