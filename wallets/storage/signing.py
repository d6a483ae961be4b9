"""The canonical text of a value, and statements that the house signs.

The rules of the games have the same text of their own (`games/rules/shoe.py`), as they import
nothing of the house; a test holds the two together.

A statement is a small JSON object with a kind, such as a receipt or an anchor. It is signed with
Ed25519 over `CR1|KIND|` and its canonical JSON, so no signature is valid for two kinds.
`SIGNING_KEYS` holds the private keys, newest first. The first one signs. The public halves of all
of them are published, so statements signed with a replaced key can still be checked.
"""

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

# `json.dumps` would make one for each text.
_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> bytes:
    """Sorted keys, no spaces, characters written as they are."""
    return _ENCODER.encode(value).encode()


def sign(kind: str, statement: Mapping[str, object]) -> str:
    """Return the newest key's signature of a statement, as 128 hexadecimal digits."""
    return _private(settings.SIGNING_KEYS[0]).sign(_message(kind, statement)).hex()


def is_signed(kind: str, statement: Mapping[str, object], signature: str, key: str) -> bool:
    """Return whether the holder of the private half of `key` has signed this statement."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), _message(kind, statement))
    except (InvalidSignature, ValueError):
        return False
    return True


def public_keys() -> list[str]:
    """Return the public halves of the house's keys, newest first, as 64 hexadecimal digits each."""
    return [_private(key).public_key().public_bytes_raw().hex() for key in settings.SIGNING_KEYS]


def _message(kind: str, statement: Mapping[str, object]) -> bytes:
    return b"CR1|" + kind.encode() + b"|" + canonical(statement)


def _private(key: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode(key))
