"""The log as JSON, one object a line, for programs that collect logs (`LOG_FORMAT=json`).

Lines of Python's logging and of structlog look alike, and bear the numbers of the request, the
table and the hand that were known when they were written.
"""

from collections.abc import MutableMapping
from copy import copy
from logging import LogRecord
from typing import Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.types import EventDict, Processor

from casino.ops.logs.log_lines import redacted, shortened

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
            ADDRESS if isinstance(one, str) and one.startswith("/") else one
            for one in record.args or ()
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
