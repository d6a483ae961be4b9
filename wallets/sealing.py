"""Secrets at rest: what the database holds cannot be read without the house's keys.

`SEALING_KEYS` names them, the newest first. The first one seals, every one of them opens; so a key
is replaced by putting a new one before it. What is sealed begins with the name of its key, made
from the key by a hash that tells nothing of it: so one sees what still needs an old key, and which
key is missing. What was sealed before keys had names is tried with every key.
"""

from hashlib import sha256
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

NAME_LENGTH: Final = 8


class KeyMissing(InvalidToken):
    """No key of the house opens it: the one it was sealed with has been taken out too early."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        which = f"the key {self.name}" if self.name else "a key without a name"
        return f"This was sealed with {which}, which is not in SEALING_KEYS."


def key_name(key: str) -> str:
    """What a key is called beside what it has sealed."""
    return sha256(b"name of a sealing key|" + key.encode()).hexdigest()[:NAME_LENGTH]


def newest_key() -> str:
    """The name of the key that seals."""
    return key_name(settings.SEALING_KEYS[0])


def sealed_with(sealed: str) -> str:
    """The name of the key that something was sealed with; nothing where it has none."""
    name, parted, _token = sealed.partition(":")
    return name if parted else ""


def seal(secret: bytes) -> str:
    return f"{newest_key()}:{Fernet(settings.SEALING_KEYS[0]).encrypt(secret).decode()}"


def unseal(sealed: str) -> bytes:
    """Raises `KeyMissing` where the key is not there, `InvalidToken` where a byte was changed."""
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
