"""Encrypting a message for one browser: `aes128gcm` of RFC 8188 with the keys of RFC 8291.

The push service between the house and the browser sees no text, and no length either: all messages
are equally long.
"""

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from casino.community.push.keys import CURVE, point_of

# Table names have at most 60 characters, titles of tournaments 80: what is said fits in this.
LENGTH: Final = 1_024
RECORD: Final = 4_096
SALT_BYTES: Final = 16
# Follows the text of the last record.
END: Final = b"\x02"


def encrypt(text: bytes, browser: bytes, secret: bytes) -> bytes:
    """Encrypt JSON for the browser that has this public key and secret."""
    if len(text) > LENGTH:
        raise ValueError(f"a message has at most {LENGTH} bytes, not {len(text)}")
    own = ec.generate_private_key(CURVE)
    # Spaces after a JSON text mean nothing.
    return sealed(text.ljust(LENGTH), browser, secret, own, os.urandom(SALT_BYTES))


def sealed(
    text: bytes, browser: bytes, secret: bytes, own: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """One record, for a key and a salt that are used for nothing else."""
    public = point_of(own)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser))
    material = _derived(shared, secret, b"WebPush: info\0" + browser + public, 32)
    key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4) + bytes([len(public)]) + public
    return header + AESGCM(key).encrypt(nonce, text + END, None)


def _derived(material: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, purpose).derive(material)
