"""Remove from the log what no line may contain: links, tokens, passwords, cards.

The log is read by people who may see none of it. The house does not log such things itself; they
come with addresses that somebody has opened, and with the words of exceptions.
"""

import re
from typing import Final

INSTEAD: Final = "…"

# Parameters of addresses and forms that open something.
_NAMES: Final = (
    "invitation", "token", "code", "confirm_code", "one_time", "csrfmiddlewaretoken", "sessionid",
    "(?:old_|new_)?password[12]?",
)  # fmt: skip
_PATTERNS: Final = (
    # A link to a shared hand opens it to whoever has the link.
    re.compile(r"(?P<kept>/shared/)[^/\s?#\"'<>]+"),
    re.compile(rf"(?P<kept>\b(?:{'|'.join(_NAMES)})=)[^&\s\"'<>;]+", re.IGNORECASE),
    re.compile(r"(?P<kept>\bbearer\s+)[^\s\"'<>]+", re.IGNORECASE),
    # The password of a database or a Redis in its address.
    re.compile(r"(?P<kept>://[^\s/:@]*:)[^\s/@]+(?=@)"),
    # Cards as rules write them, one or several in a row; 0.5s and 2c3d-… of a key are none.
    re.compile(r"(?P<kept>)(?<![\w.-])(?:(?:[2-9TJQKA][cdhs])+|[BR]J)(?![\w-])"),
)


def redacted(text: str) -> str:
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\g<kept>{INSTEAD}", text)
    return text
