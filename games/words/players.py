"""What players are shown with: faces, levels, the strength of a bot, and their place at an end."""

import hashlib
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

# The symbols `face-01` to `face-48` of `static/casino/faces.svg`.
FACES: Final = range(1, 49)
# The face of a player whose data was erased, and of one who has no stored face.
NOBODY: Final = 0


def face_by_name(name: str) -> int:
    """The face of a player who has chosen none: the same each time, and spread over all."""
    digest = hashlib.sha256(name.encode()).digest()
    return FACES[int.from_bytes(digest[:4], "big") % len(FACES)]


def face_title(number: int) -> str:
    return gettext("Face %(number)d") % {"number": number}


LENGTH_MAX: Final = 10

LEVEL_NAMES: Final[dict[str, str | Promise]] = {
    "player": _("Player"),
    "bronze": _("Bronze"),
    "silver": _("Silver"),
    "gold": _("Gold"),
    "diamond": _("Diamond"),
}


EASY: Final = "easy"
STEADY: Final = "steady"
STRONG: Final = "strong"

# What its plate says.
MARKS: Final[dict[str, str | Promise]] = {
    EASY: _("easy bot"),
    STEADY: _("steady bot"),
    STRONG: _("strong bot"),
}


# Readers find the other places in the list below.
PLACES_SHOWN: Final = 3


class Placed(NamedTuple):
    """Who has taken a place, and what it has brought, as text; empty if nothing."""

    place: int
    player_id: int
    name: str
    face: int
    is_bot: bool
    brings: str
