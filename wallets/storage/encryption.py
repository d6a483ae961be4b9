"""Secrets at rest: reading them in the database takes the house's keys.

What is encrypted is bound to its place, which names table, column and row: copied to another place,
it opens nothing. `SEALING_KEYS` lists the keys, newest first. The first one encrypts, and all of
them decrypt, so you replace a key by putting a new one before it. Encrypted text begins with the
name of its key, a hash that reveals nothing of the key; this shows what still needs an old key, and
which key is missing.

The cipher is AES-256-GCM with the place as its associated data. Each place has a key of its own, so
that no key encrypts more than a few values under random nonces.
"""

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NAME_LENGTH: Final = 8
NONCE_LENGTH: Final = 12


class SealBroken(Exception):
    """This was not sealed in this place, or a byte of it was changed."""


class KeyMissing(SealBroken):
    """No key decrypts this value: the one that encrypted it was removed too early."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"This was sealed with the key {self.name}, which is not in SEALING_KEYS."


def key_name(key: str) -> str:
    """Return the name of a key, which precedes what it has encrypted."""
    return sha256(b"name of a sealing key|" + key.encode()).hexdigest()[:NAME_LENGTH]


def newest_key() -> str:
    """Return the name of the key that encrypts."""
    return key_name(settings.SEALING_KEYS[0])


def sealed_with(sealed: str) -> str:
    """Return the name of the key that encrypted something."""
    return sealed.partition(":")[0]


def seal(secret: bytes, place: bytes) -> str:
    nonce = os.urandom(NONCE_LENGTH)
    encrypted = _cipher(settings.SEALING_KEYS[0], place).encrypt(nonce, secret, place)
    return f"{newest_key()}:{urlsafe_b64encode(nonce + encrypted).decode()}"


def unseal(sealed: str, place: bytes) -> bytes:
    """Raise `KeyMissing` if the key is missing, and `SealBroken` for any other place or byte."""
    name, _colon, text = sealed.partition(":")
    key = next((key for key in settings.SEALING_KEYS if name == key_name(key)), None)
    if key is None:
        raise KeyMissing(name)
    try:
        octets = urlsafe_b64decode(text)
        return _cipher(key, place).decrypt(octets[:NONCE_LENGTH], octets[NONCE_LENGTH:], place)
    except (InvalidTag, ValueError) as reason:
        raise SealBroken("This was not sealed here, or was changed.") from reason


def _cipher(key: str, place: bytes) -> AESGCM:
    return AESGCM(hmac.digest(urlsafe_b64decode(key), b"sealed|" + place, "sha256"))
