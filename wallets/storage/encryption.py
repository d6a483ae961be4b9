"""Secrets at rest: reading them in the database takes the house's keys.

`SEALING_KEYS` lists the keys, newest first. The first one encrypts, and all of them decrypt, so you
replace a key by putting a new one before it. Encrypted text begins with the name of its key, a hash
that reveals nothing of the key; this shows what still needs an old key, and which key is missing.
Text from before keys had names is tried with every key.
"""

from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

NAME_LENGTH: Final = 8


class KeyMissing(InvalidToken):
    """No key decrypts this value: the one that encrypted it was removed too early."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        which = f"the key {self.name}" if self.name else "a key without a name"
        return f"This was sealed with {which}, which is not in SEALING_KEYS."


def key_name(key: str) -> str:
    """Return the name of a key, which precedes what it has encrypted."""
    return sha256(b"name of a sealing key|" + key.encode()).hexdigest()[:NAME_LENGTH]


def newest_key() -> str:
    """Return the name of the key that encrypts."""
    return key_name(settings.SEALING_KEYS[0])


def sealed_with(sealed: str) -> str:
    """Return the name of the key that encrypted something, or "" if it has none."""
    name, parted, _token = sealed.partition(":")
    return name if parted else ""


def seal(secret: bytes) -> str:
    return f"{newest_key()}:{Fernet(settings.SEALING_KEYS[0]).encrypt(secret).decode()}"


def unseal(sealed: str) -> bytes:
    """Raise `KeyMissing` if the key is missing, and `InvalidToken` if a byte was changed."""
    name = sealed_with(sealed)
    keys = [key for key in settings.SEALING_KEYS if name in ("", key_name(key))]
    if not keys:
        raise KeyMissing(name)
    try:
        return MultiFernet([Fernet(key) for key in keys]).decrypt(
            sealed.partition(":")[2] or sealed
        )
    except InvalidToken as reason:
        if name:
            raise
        raise KeyMissing("") from reason
