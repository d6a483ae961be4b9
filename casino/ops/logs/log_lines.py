"""The format of log lines, and the lines that the log leaves out.

Any client can send nonsense, as often as they like: that is one short line, not a traceback of ours
with all that they sent.
"""

import re
from copy import copy
from logging import WARNING, Formatter, LogRecord
from typing import Final

INSTEAD: Final = "…"

# Parameters of addresses and forms that open something.
_NAMES: Final = (
    "invitation", "token", "code", "confirm_code", "one_time", "csrfmiddlewaretoken", "sessionid",
    "(?:old_|new_)?password[12]?",
)  # fmt: skip
_PATTERNS: Final = (
    # A link to a shared hand opens it to all who have the link.
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


# The statuses of a refused sign-in.
NOT_LET_IN: Final = frozenset((401, 422, 429))
# Under these names Django logs what it refuses as suspicious: a host, a lookup, a form too large.
SUSPICIOUS: Final = "django.security."
SUSPICIOUS_MAX: Final = 200


def not_a_sign_in(record: LogRecord) -> bool:
    """Whether Django's line is about anything but a sign-in, which has its own line."""
    path = getattr(getattr(record, "request", None), "path", "")
    return not (path.endswith("/sign-in/") and getattr(record, "status_code", 0) in NOT_LET_IN)


def shortened(record: LogRecord) -> LogRecord:
    """The record without a traceback, if the house is not at fault.

    Django logs every exception of a view with its traceback, some as errors, even if the exception
    only refuses a request.
    """
    suspicious = record.name.startswith(SUSPICIOUS)
    if suspicious or 400 <= getattr(record, "status_code", 0) < 500:
        # Other handlers read the record as it is.
        record = copy(record)
        record.exc_info = record.exc_text = record.stack_info = None
        record.levelno, record.levelname = WARNING, "WARNING"
    if suspicious:
        # Python's escaped form keeps any input on one line.
        record.msg, record.args = repr(record.getMessage())[:SUSPICIOUS_MAX], None
    return record


class Lines(Formatter):
    """A line for each record, followed by the traceback if the house is at fault."""

    def format(self, record: LogRecord) -> str:
        return redacted(super().format(shortened(record)))
