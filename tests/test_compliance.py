"""`docs/compliance.md` answers all items in their order, and names tests that exist."""

import ast
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.db import connection

from casino.upkeep.models import Heartbeat

ITEMS: Final = tuple(range(1, 48))
WORDS: Final = ("**Whole.**", "**In part.**", "**Not yet.**")
NAMED: Final = re.compile(r"`(tests/[\w/]+\.py)::((?:Test\w+::)?test_\w+)`")
TEXT: Final = (Path(__file__).resolve().parent.parent / "docs" / "compliance.md").read_text()
SECTIONS: Final = [
    (int(found[1]), found[2], found[3].strip())
    for found in re.finditer(r"^## (\d+)\. (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
]


def test_the_items_are_answered_in_order() -> None:
    assert tuple(number for number, _title, _answer in SECTIONS) == ITEMS
    assert len({title for _number, title, _answer in SECTIONS}) == len(ITEMS)


@pytest.mark.parametrize(("number", "title", "answer"), SECTIONS, ids=[str(n) for n in ITEMS])
def test_an_answer_says_how_far_it_goes_and_names_its_tests(
    number: int, title: str, answer: str
) -> None:
    assert 10 < len(title) < 100, number
    assert answer.startswith(WORDS)
    assert NAMED.search(answer) or answer.startswith("**Not yet.**")
    if not answer.startswith("**Whole.**"):
        assert "Not there:" in answer, "what is missing is said"


def test_the_overview_counts_the_answers() -> None:
    counted = [sum(answer.startswith(word) for *_, answer in SECTIONS) for word in WORDS]
    assert "{} are whole, {} in part, {} not yet there".format(*counted) in TEXT


def defined(source: str) -> set[str]:
    """The names by which pytest finds the tests of a file: functions, and methods of classes."""
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = (one.name for one in node.body if isinstance(one, ast.FunctionDef))
            found |= {f"{node.name}::{name}" for name in methods}
    return found


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED.findall(TEXT))))
def test_a_test_that_is_named_exists(repository: Path, file: str, name: str) -> None:
    assert name in defined((repository / file).read_text("utf-8"))


def test_no_other_name_of_a_test_is_in_the_document() -> None:
    """A name that is written in another way would not be checked."""
    assert len(re.findall(r"\btest_\w+", NAMED.sub("", TEXT))) == len(
        re.findall(r"tests/test_compliance\.py`", TEXT)
    )


@pytest.mark.django_db
def test_times_are_stored_in_utc() -> None:
    assert (settings.USE_TZ, settings.TIME_ZONE) == (True, "UTC")
    assert connection.timezone_name == "UTC"
    there = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=8)))
    Heartbeat.objects.create(name="worker", at=there)
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(at AS varchar(40)) FROM upkeep_heartbeat")
        assert cursor.fetchone()[0].startswith("2026-03-01 12:00:00")
    assert Heartbeat.objects.get().at == datetime(2026, 3, 1, 12, tzinfo=UTC)
