"""The log's sources and formats, as Python's logging takes them."""

from typing import Any

from casino.ops.logs.log_lines import not_a_sign_in


def logging_as(form: str) -> dict[str, Any]:
    """Lines for people (`line`), or for programs (`json`)."""
    logging: dict[str, Any] = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "casino.ops.logs.log_lines.Lines",
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
        logging["formatters"]["json"] = {"()": "casino.ops.logs.json_lines.JsonLines"}
        # Celery logs every task that begins and ends.
        logging["loggers"]["celery"] = {"level": "WARNING"}
    return logging
