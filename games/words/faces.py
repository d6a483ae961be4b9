"""The faces of players: which there are, and what they are called."""

import hashlib
from typing import Final

from django.utils.translation import gettext as _

# The symbols `face-01` to `face-48` of `static/casino/faces.svg`.
FACES: Final = range(1, 49)
# The face of a player whose data was erased, and of one who has no stored face.
NOBODY: Final = 0


def face_by_name(name: str) -> int:
    """The face of a player who has chosen none: the same each time, and spread over all."""
    digest = hashlib.sha256(name.encode()).digest()
    return FACES[int.from_bytes(digest[:4], "big") % len(FACES)]


def face_title(number: int) -> str:
    return _("Face %(number)d") % {"number": number}
