"""Words that somebody has written, as one line that stays where it stands."""

import unicodedata
from typing import Final

SPACES: Final = ("Zl", "Zp", "Zs", "Cc")
# What cannot be seen, or turns around what stands beside it.
UNSEEN: Final = ("Cf", "Co", "Cs", "Cn")
# It joins signs to one, in emoji and in some scripts.
JOINER: Final = "\u200d"


def one_line(told: str) -> str:
    """The text without what a reader could not see, or what would turn the line around."""
    text = "".join(
        " " if unicodedata.category(sign) in SPACES else sign
        for sign in told
        if unicodedata.category(sign) not in UNSEEN or sign == JOINER
    )
    return " ".join(text.split())
