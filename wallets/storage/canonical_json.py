"""The canonical JSON text of a value, for hashing and signing.

The rules of the games have the same text of their own (`games/rules/shoe.py`), as they import
nothing of the house; a test holds the two together.
"""

import json
from typing import Final

# `json.dumps` would make one for each text.
_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> bytes:
    """Sorted keys, no spaces, characters written as they are."""
    return _ENCODER.encode(value).encode()
