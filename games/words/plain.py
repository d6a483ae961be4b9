"""User text as one line without control or bidi characters."""

import unicodedata
from typing import Final

SPACES: Final = ("Zl", "Zp", "Zs", "Cc")
# Categories of characters that are invisible or change the direction of text.
UNSEEN: Final = ("Cf", "Co", "Cs", "Cn")
# The zero-width joiner, which emoji and some scripts need.
JOINER: Final = "\u200d"


def one_line(written: str) -> str:
    """The text as one line, without invisible and direction-changing characters."""
    if written.isprintable():
        return " ".join(written.split())
    text = "".join(
        " " if unicodedata.category(sign) in SPACES else sign
        for sign in written
        if unicodedata.category(sign) not in UNSEEN or sign == JOINER
    )
    return " ".join(text.split())
