"""The key pair of the house for push services (VAPID, RFC 8292).

A browser takes the public half with its subscription, and its service then accepts messages from
this house only. The private half is a setting: it is in no database and in no log.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

CURVE: Final = ec.SECP256R1()
# The order of the curve: a private key is a number below it.
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
NUMBER_BYTES: Final = 32
# A service refuses what is valid for more than a day.
VALID_FOR: Final = timedelta(hours=12)


def is_on() -> bool:
    """Whether this house calls players back: it has a key, and says how a service reaches it."""
    return bool(settings.PUSH and settings.PUSH_CONTACT and settings.PUSH_KEY)


def public_key() -> str:
    """The public half as browsers want it."""
    return base64(point_of(_private(settings.PUSH_KEY)))


def authorization(endpoint: str, now: datetime) -> str:
    """The header by which the service of an endpoint recognises the house."""
    parts = urlsplit(endpoint)
    kind: dict[str, object] = {"typ": "JWT", "alg": "ES256"}
    claims: dict[str, object] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + VALID_FOR).timestamp()),
        "sub": settings.PUSH_CONTACT,
    }
    private = _private(settings.PUSH_KEY)
    statement = ".".join(_json(part) for part in (kind, claims))
    numbers = decode_dss_signature(private.sign(statement.encode(), ec.ECDSA(SHA256())))
    signature = b"".join(number.to_bytes(NUMBER_BYTES) for number in numbers)
    return f"vapid t={statement}.{base64(signature)},k={public_key()}"


def point_of(private: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half of a key as the protocol writes it: an uncompressed point."""
    return private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def base64(data: bytes) -> str:
    """URL-safe and without padding, as everywhere in this protocol."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


@lru_cache(maxsize=4)
def _private(key: str) -> ec.EllipticCurvePrivateKey:
    """Any 32 bytes are a key: those few above the order of the curve begin again from 1."""
    number = int.from_bytes(urlsafe_b64decode(key)) % (ORDER - 1) + 1
    return ec.derive_private_key(number, CURVE)


def _json(part: dict[str, object]) -> str:
    return base64(json.dumps(part, separators=(",", ":")).encode())
