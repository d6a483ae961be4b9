"""The running code is compared with the release's, daily and on demand."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as of_house
from django.core.management import CommandError, call_command
from django.utils import timezone

from casino.accounts.models import Player
from casino.office.alarms import condition_checks
from casino.office.alarms.conditions import words_of
from casino.office.alarms.models import Alarm, CheckResult, Look
from casino.ops import released_code
from casino.ops.metrics import processes
from casino.ops.metrics.processes import Process
from casino.ops.running_code import running_code
from casino.ops.tasks import check_code
from tests.people import by_staff, client_of
from wallets.models.staff_models import JournalEntry

pytestmark = pytest.mark.django_db
OTHER = "b" * 64


@pytest.fixture(autouse=True)
def noted_here(settings: Any, tmp_path: Path) -> None:
    settings.RELEASE_FILE = tmp_path / "data" / "release.sha256"


def command(name: str, *options: str) -> str:
    out = StringIO()
    call_command(name, *options, *by_staff(), stdout=out, no_color=True)
    return out.getvalue()


def standing() -> list[Alarm]:
    Look.objects.all().delete()
    condition_checks.look(timezone.now())
    return list(Alarm.objects.filter(kind="release", cleared_at=None))


def run(monkeypatch: pytest.MonkeyPatch, *codes: str) -> None:
    programs = [
        Process("web", "here", number, "1", code, 0, 1.0) for number, code in enumerate(codes)
    ]
    monkeypatch.setattr(processes, "running", lambda: programs)


def test_the_release_is_noted_and_its_code_runs() -> None:
    here = running_code().sha256
    assert here in command("release", "--sha256", here)
    assert released_code.file().read_text() == f"{here}\n"
    assert here in command("check_code")
    assert not standing()
    noted, checked = JournalEntry.objects.order_by("position")
    assert (noted.verb, noted.after) == ("command:release", {"sha256": here})
    assert (checked.verb, checked.after) == (
        "command:check_code",
        {"release": here, "found": []},
    )


@pytest.mark.always
@pytest.mark.slow
def test_a_process_of_other_code_raises_an_alarm_until_it_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = running_code().sha256
    command("release")
    run(monkeypatch, here, OTHER, OTHER)
    check_code()
    (alarm,) = standing()
    assert f"2 running have {OTHER[:12]}, and the release {here[:12]}" in words_of(alarm)[1]
    page = client_of(Player.objects.get(username="boss")).get("/admin/events/?kind=mismatches")
    assert "The code is not the release" in page.text
    run(monkeypatch, here)
    check_code()
    assert not standing()


def test_other_files_are_found_before_anybody_runs_them(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`RELEASE_HASH` wins over the file."""
    command("release")
    settings.RELEASE_HASH = OTHER
    run(monkeypatch, OTHER)
    with pytest.raises(SystemExit):
        command("check_code")
    result = CheckResult.objects.get(pk="release")
    assert (result.found, result.first.split()[:2]) == (1, ["the", "files"])
    assert JournalEntry.objects.filter(verb="command:check_code").exists()


@pytest.mark.always
def test_a_process_answers_for_itself_while_nobody_knows_the_others(settings: Any) -> None:
    """Redis is away in these tests."""
    settings.RELEASE_HASH = OTHER
    sentences = released_code.check(timezone.now())
    assert sentences is not None
    assert len(sentences) == 2


@pytest.mark.always
def test_without_a_release_nothing_is_compared() -> None:
    check_code()
    assert not CheckResult.objects.exists()
    with pytest.raises(CommandError, match="No release is noted"):
        command("check_code")


@pytest.mark.always
def test_other_code_than_was_published_is_not_noted(settings: Any) -> None:
    with pytest.raises(CommandError, match=running_code().sha256):
        command("release", "--sha256", OTHER)
    settings.RELEASE_HASH = OTHER
    with pytest.raises(CommandError, match="RELEASE_HASH is set"):
        command("release")
    assert not released_code.file().exists()
    assert not JournalEntry.objects.exists()


def test_the_check_is_made_every_day() -> None:
    due = of_house.CELERY_BEAT_SCHEDULE["check-code"]
    assert due["task"] == check_code.name
    assert (len(due["schedule"].hour), len(due["schedule"].day_of_week)) == (1, 7)
