"""A bad request is one line of the log; a fault of ours is logged in full."""

import logging
from typing import Any

import pytest
from django.test import Client

from casino.ops.log_lines import Lines, redacted


def lines_of(settings: Any) -> logging.Formatter:
    formatter = settings.LOGGING["formatters"]["line"]
    assert formatter["()"] == f"{Lines.__module__}.{Lines.__qualname__}"
    return Lines(formatter["format"])


@pytest.mark.parametrize("host", ["evil.example", "a" * 5_000, "localhost@evil.example", "[::"])
def test_a_wrong_host_is_one_short_line(
    host: str, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    assert Client(headers={"host": host}).get("/").status_code == 400
    [record] = [
        record for record in caplog.records if record.name == "django.security.DisallowedHost"
    ]
    line = lines_of(settings).format(record)
    assert "Invalid HTTP_HOST header" in line
    assert (line.count("\n"), len(line) < 300) == (0, True)
    # The record is left as it is, for its other readers.
    assert record.exc_info


def test_request_text_cannot_forge_a_log_line(settings: Any) -> None:
    text = "odd: a\n2026 player 1 signed in"
    record = logging.LogRecord("django.security.Odd", logging.ERROR, "", 1, text, (), None)
    assert "\n" not in lines_of(settings).format(record)


def test_an_internal_error_is_logged_with_its_traceback(settings: Any) -> None:
    try:
        raise KeyError("ours")
    except KeyError as fault:
        info = (KeyError, fault, fault.__traceback__)
    record = logging.LogRecord("django.request", logging.ERROR, "", 1, "it broke", (), info)
    assert "Traceback" in lines_of(settings).format(record)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("GET /shared/Zm9v-_x/step/3/", "GET /shared/…/step/3/"),
        ("/tables/3/?invitation=Zm9v&x=1", "/tables/3/?invitation=…&x=1"),
        ("next=/private/3/?INVITATION=Zm9v", "next=/private/3/?INVITATION=…"),
        ("password=a;b", "password=…;b"),
        ("new_password1=x&new_password2=y", "new_password1=…&new_password2=…"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer …"),
        ("redis://:secret@cache:6379 is away", "redis://:…@cache:6379 is away"),
        ("postgres://house:secret@db/cards", "postgres://house:…@db/cards"),
        ("seat 2 holds AsKd and RJ, (Td)", "seat 2 holds … and …, (…)"),
        ("['2c', '3d']", "['…', '…']"),
        # Nothing of these is a card, or opens anything.
        ("table 12, hand 3: took 0.5s", "table 12, hand 3: took 0.5s"),
        ("key 11ee-2c3d-4f5a", "key 11ee-2c3d-4f5a"),
        ("status_code=404 decode=x", "status_code=404 decode=x"),
        ("http://127.0.0.1:8000/lobby/", "http://127.0.0.1:8000/lobby/"),
    ],
)
def test_what_opens_something_is_in_no_line(settings: Any, text: str, left: str) -> None:
    assert redacted(text) == left
    record = logging.LogRecord("any", logging.ERROR, "", 1, "it says %s", (text,), None)
    assert lines_of(settings).format(record).endswith(f"it says {left}")
