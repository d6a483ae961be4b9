"""`docs/compliance.md` names tests that exist, and answers each item with at least one."""

import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.db import connection

from casino.upkeep.models import Heartbeat

ITEMS: Final = (11, 15, 18, 19, 20, 21, 22, 24, 33, 34, 35, 37, 38, 45, 46)
NAMED: Final = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
TEXT: Final = (Path(__file__).resolve().parent.parent / "docs" / "compliance.md").read_text()
SECTIONS: Final = {
    int(found[1]): found[2]
    for found in re.finditer(r"^## (\d+)\. .*?\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
}


def test_the_items_are_answered() -> None:
    assert tuple(SECTIONS) == ITEMS


@pytest.mark.parametrize("item", ITEMS)
def test_an_answer_says_how_far_it_goes_and_names_its_tests(item: int) -> None:
    answer = SECTIONS[item].strip()
    assert answer.startswith(("**Whole.**", "**In part.**", "**Missing.**"))
    assert NAMED.search(answer)


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED.findall(TEXT))))
def test_a_test_that_is_named_exists(repository: Path, file: str, name: str) -> None:
    assert re.search(rf"^def {name}\(", (repository / file).read_text(), re.MULTILINE), name


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
