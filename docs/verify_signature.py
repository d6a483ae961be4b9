"""Check what the house has signed, by the public key on its page about fair dealing:

    python3 verify_signature.py note.json KEY       the receipt in a browser's note of a shoe
    python3 verify_signature.py package.zip KEY     the manifest of a package of evidence

KEY has 64 digits. Python has no Ed25519 of its own: `pip install cryptography`.
"""

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

RECEIPT = {"shoe", "seat", "seal", "lock", "commit", "reveal_hash", "at"}


def is_signed(kind: str, statement: Any, signature: str, key: str) -> bool:
    text = json.dumps(statement, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), f"CR1|{kind}|{text}".encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def receipt(name: str, key: str) -> bool:
    """A receipt that leaves something out is none."""
    given = json.loads(Path(name).read_text("utf-8"))["receipt"]
    statement = given["statement"]
    # Only bytes that came after their shoe had been voided are called late.
    whole = statement.keys() - {"late"} == RECEIPT
    return is_signed("receipt", statement, given["signature"], key) and whole


def package(name: str, key: str) -> bool:
    """The manifest has the hash of each file, which verify_package.py compares."""
    with zipfile.ZipFile(name) as archive:
        manifest, given = (json.loads(archive.read(f"MANIFEST.{part}")) for part in ("json", "sig"))
    return given["key"] == key and is_signed("evidence", manifest, given["signature"], key)


signed = (package if zipfile.is_zipfile(sys.argv[1]) else receipt)(*sys.argv[1:3])
print(f"signature: {'OK' if signed else 'FAILED'}")
sys.exit(not signed)
