"""The tests of a house without some of its optional apps.

Which apps a house has is settled before its first module is read, so `test_optional_apps.py` runs
these tests in a process of their own.
"""

from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from casino.accounts.models import Player
from casino.care import own_data
from casino.celery import app
from casino.office.alarms import condition_checks
from casino.ops import due_work
from casino.ops.metrics.collecting import HouseCollector
from games.models import Hand
from tests.games.house import House
from tests.people import client_of
from wallets.staff import approvals

pytestmark = pytest.mark.django_db


def pages(resolver: Any, before: str = "") -> list[str]:
    """The addresses without a part, but for the one that is an error while no program runs."""
    addresses: list[str] = []
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            addresses += [] if "<" in path or "(" in path else [f"/{path}"]
        else:
            addresses += pages(pattern, path)
    return sorted({*addresses} - {"/ready/"})


@pytest.fixture
def house(db: None) -> House:
    return House()


def test_every_page_opens_to_everybody(house: House) -> None:
    boss = Player.objects.create_superuser("boss")
    for client in (Client(), client_of(house.player("alice")), client_of(boss)):
        answers = {page: client.get(page).status_code for page in pages(get_resolver())}
        assert answers["/lobby/"] == 200
        assert {page for page, status in answers.items() if status >= 500} == set()
    alice = Player.objects.get(username="alice")
    for address in (reverse("admin:index"), reverse("player-file", args=[alice.pk])):
        assert client.get(address).status_code == 200


def test_a_hand_is_played_and_audited(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carl")
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.get().status == Hand.Status.FINISHED
    # Either ends with an error where something does not fit.
    call_command("audit", stdout=StringIO())
    call_command("reconcile", everything=True, stdout=StringIO())


def test_sweeps_alarms_and_metrics_work(house: House) -> None:
    now = timezone.now()
    due_work.sweep(now)
    condition_checks.look(now)
    assert list(HouseCollector().collect())


def test_each_job_of_the_timetable_has_a_task() -> None:
    app.loader.import_default_modules()
    tasks = {job["task"] for job in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks <= app.tasks.keys()


def test_a_player_gets_their_data_and_is_erased(house: House) -> None:
    alice, now = house.player("alice", money=0), timezone.now()
    with own_data.packed(alice) as file:
        assert file.read(2) == b"PK"
    ada, ben = (Player.objects.create_superuser(name) for name in ("ada", "ben"))
    own_data.ask(alice, now)
    arguments = {"player": alice.pk}
    submitted = approvals.submit(
        ada, own_data.ERASE, arguments, reason="asked us to", key=uuid4(), now=now
    )
    assert submitted.proposal is not None
    approvals.approve(ben, submitted.proposal.pk, reason="yes", now=now)
    assert Player.objects.get(pk=alice.pk).username == own_data.pseudonym(alice)


def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, stdout=StringIO())
    call_command("check")
