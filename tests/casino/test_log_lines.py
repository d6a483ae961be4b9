"""A bad request is one line of the log; a fault of ours is logged in full."""

import logging
from typing import Any

import pytest
from django.test import Client

from casino.log_lines import Lines


def lines_of(settings: Any) -> logging.Formatter:
    """The formatter as the settings have it."""
    formatter = settings.LOGGING["formatters"]["line"]
    assert formatter["()"] == f"{Lines.__module__}.{Lines.__qualname__}"
    return Lines(formatter["format"])


@pytest.mark.parametrize("host", ["evil.example", "a" * 5_000, "localhost@evil.example", "[::"])
def test_a_wrong_host_is_one_short_line(
    host: str, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    assert Client(headers={"host": host}).get("/").status_code == 400
    [record] = [one for one in caplog.records if one.name == "django.security.DisallowedHost"]
    line = lines_of(settings).format(record)
    assert "Invalid HTTP_HOST header" in line
    assert (line.count("\n"), len(line) < 300) == (0, True)
    # The record is left as it is, for whoever else reads it.
    assert record.exc_info


def test_request_text_cannot_forge_a_log_line(settings: Any) -> None:
    sent = (
        "django.security.Odd",
        logging.ERROR,
        "",
        1,
        "odd: a\n2026 player 1 signed in",
        (),
        None,
    )
    assert "\n" not in lines_of(settings).format(logging.LogRecord(*sent))


def test_an_internal_error_is_logged_with_its_traceback(settings: Any) -> None:
    try:
        raise KeyError("ours")
    except KeyError as fault:
        info = (KeyError, fault, fault.__traceback__)
    record = logging.LogRecord("django.request", logging.ERROR, "", 1, "it broke", (), info)
    assert "Traceback" in lines_of(settings).format(record)
