"""The lines of the log, for people or as JSON, and what Python's logging takes of them.

Any client can send nonsense, as often as they like: that is one short line, not a traceback of ours
with all that they sent. Lines of Python's logging and of structlog look alike, and bear the numbers
of the request, the table and the hand that were known when they were written.
"""

import re
from collections.abc import MutableMapping
from copy import copy
from logging import WARNING, Formatter, LogRecord
from typing import Any, Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.types import EventDict, Processor

INSTEAD: Final = "…"

# Parameters of addresses and forms that open something.
_NAMES: Final = (
    "invitation", "token", "code", "confirm_code", "one_time", "csrfmiddlewaretoken", "sessionid",
    "(?:old_|new_)?password[12]?",
)  # fmt: skip
_PATTERNS: Final = (
    # A link to a shared hand opens it to all who have the link.
    re.compile(r"(?P<kept>/shared/)[^/\s?#\"'<>]+"),
    # So do links in letters.
    re.compile(r"(?P<kept>/players/(?:email|reset/[^/\s]+)/)[^/\s?#\"'<>]+"),
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


# Fields that the house makes, without words of users.
PLAIN: Final = frozenset(("timestamp", "level", "logger", "request_id"))
# The log does not name visitors, and a browser's description of itself can be any text.
ADDRESS: Final = "(address)"
LEFT_OUT: Final = ("user_agent", "ip", "user_id")

_BEFORE: Final[tuple[Processor, ...]] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
)


def safe(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Redact every text of a line, at any depth."""
    for name in LEFT_OUT:
        event.pop(name, None)
    return {name: part if name in PLAIN else _safe(part) for name, part in event.items()}


def _safe(part: object) -> object:
    if isinstance(part, MutableMapping):
        return {str(name): _safe(value) for name, value in part.items()}
    if isinstance(part, list | tuple | set | frozenset):
        return [_safe(value) for value in part]
    if part is None or isinstance(part, bool | int | float):
        return part
    return redacted(str(part))


class JsonLines(ProcessorFormatter):
    """Formats every record as JSON; for structlog's own loggers it is the end of their way."""

    def __init__(self) -> None:
        configure()
        super().__init__(
            foreign_pre_chain=_BEFORE,
            processors=[
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                safe,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )

    def format(self, record: LogRecord) -> str:
        return super().format(_without_address(shortened(record)))


def _without_address(record: LogRecord) -> LogRecord:
    """Django names the address of each request that it refuses; the request's line has its pattern.

    A user may have typed a password there, or anything else.
    """
    if hasattr(record, "request") and isinstance(record.args, tuple):
        record = copy(record)
        record.args = tuple(
            ADDRESS if isinstance(arg, str) and arg.startswith("/") else arg
            for arg in record.args or ()
        )
    return record


def configure() -> None:
    """Hand what is logged with structlog to Python's logging, which formats it as above."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_BEFORE,
            ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def logging_as(form: str) -> dict[str, Any]:
    """Lines for people (`line`), or for programs (`json`)."""
    logging: dict[str, Any] = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "casino.ops.log_lines.Lines",
                "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
            }
        },
        "filters": {
            "not_a_sign_in": {"()": "django.utils.log.CallbackFilter", "callback": not_a_sign_in},
        },
        "handlers": {"stream": {"class": "logging.StreamHandler", "formatter": form}},
        "root": {"handlers": ["stream"], "level": "INFO"},
        # Axes logs each step of a sign-in, masked, and Django that it was refused;
        # `players.sign_in_log` writes the one line needed.
        "loggers": {"axes": {"level": "ERROR"}, "django.request": {"filters": ["not_a_sign_in"]}},
    }
    if form == "json":
        logging["formatters"]["json"] = {"()": "casino.ops.log_lines.JsonLines"}
        # Celery logs every task that begins and ends.
        logging["loggers"]["celery"] = {"level": "WARNING"}
    return logging
