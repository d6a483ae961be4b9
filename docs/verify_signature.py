"""Check the house's signature of a receipt: python3 verify_signature.py note.json KEY

The note is what a browser kept of a shoe; KEY, 64 digits, is the public key that the house shows on
its page about fair dealing. Python has no Ed25519 of its own: `pip install cryptography`.
"""

import json
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

note, key = json.loads(Path(sys.argv[1]).read_text("utf-8")), sys.argv[2]
receipt = note["receipt"]
named = {"shoe", "seat", "seal", "lock", "commit", "reveal_hash", "at"}
statement = json.dumps(
    receipt["statement"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
)
try:
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    public.verify(bytes.fromhex(receipt["signature"]), b"CR1|receipt|" + statement.encode())
    signed = receipt["statement"].keys() == named
except (InvalidSignature, ValueError):
    signed = False
print(f"signature: {'OK' if signed else 'FAILED'}")
sys.exit(not signed)
