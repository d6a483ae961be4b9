"""The health check: whether every part of the house does its work."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from celery.beat import ScheduleEntry
from celery.beat import Scheduler as Calendar
from celery.signals import worker_ready
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.care.models import Exclusion
from casino.celery import app, say_what_waits
from casino.ops import due_work, existence, health
from casino.ops.metrics import processes
from casino.ops.models import Heartbeat
from casino.ops.schedule import Scheduler
from casino.ops.tasks import note_worker
from games.models import ChainEntry, Table
from games.shoes import anchors
from tests.valkey import Valkey
from wallets.models import Currency
from wallets.of_record import chain

PARTS = {"database", "redis", "worker", "simulations", "beat", "sweeper", "tables", "anchor"}


@pytest.fixture
def working(db: None, redis: Valkey) -> Valkey:
    """A house all of whose parts do their work."""
    for name in health.NAMES:
        Heartbeat.objects.create(name=name, at=timezone.now())
    return redis


def checks(status: int) -> dict[str, Any]:
    answer = Client().get("/ready/")
    assert answer.status_code == status, answer.content
    answered: dict[str, Any] = answer.json()
    assert answered["ready"] is (status == 200)
    assert set(answered["checks"]) == PARTS
    return answered["checks"]


def broken() -> set[str]:
    return {name for name, verdict in checks(503).items() if not verdict["ok"]}


@pytest.mark.usefixtures("working")
def test_a_house_that_works_says_so() -> None:
    assert checks(200)["tables"] == {"ok": True, "overdue_seconds": 0.0}
    assert Client().post("/ready/").status_code == 405


@pytest.mark.always
def test_redis_is_named(working: Valkey) -> None:
    working.stop()
    assert broken() == {"redis"}


@pytest.mark.usefixtures("working")
@pytest.mark.parametrize("name", health.NAMES)
def test_a_program_that_is_missed_is_named(name: str) -> None:
    late = timezone.now() - timedelta(seconds=health.MISSED_AFTER_SECONDS + 1)
    Heartbeat.objects.filter(name=name).update(at=late)
    assert broken() == {name}
    assert checks(503)[name]["seconds"] > health.MISSED_AFTER_SECONDS
    Heartbeat.objects.filter(name=name).delete()
    assert checks(503)[name] == {"ok": False, "seconds": None}


@pytest.mark.usefixtures("working")
def test_a_table_that_nobody_advances_is_named() -> None:
    play = Currency.objects.create(code="TEST", name="test", kind=Currency.Kind.PLAY)
    Table.objects.create(
        name="forgotten",
        game="doudizhu",
        currency=play,
        places=3,
        buy_in_min=1,
        buy_in_max=2,
        stack_min=1,
        due_at=timezone.now() - timedelta(seconds=60),
    )
    assert broken() == {"tables"}
    assert checks(503)["tables"]["overdue_seconds"] >= 60


@pytest.mark.usefixtures("working")
def test_hands_of_yesterday_that_nobody_anchored_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    ended = now - health.ANCHOR_AFTER_MAX - timedelta(minutes=1)
    ChainEntry.objects.create(kind="hand", body={}, made_at=ended)

    def anchored(at: datetime | None) -> None:
        monkeypatch.setattr(anchors, "latest", lambda: at)

    anchored(None)
    assert broken() == {"anchor"}
    anchored(ended - timedelta(hours=1))
    assert broken() == {"anchor"}
    anchored(ended + timedelta(hours=1))
    assert checks(200)["anchor"] == {
        "ok": True,
        "at": (ended + timedelta(hours=1)).isoformat(),
    }


@pytest.mark.usefixtures("working")
def test_without_the_database_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError

    with monkeypatch.context() as broken_off:
        broken_off.setattr(connection, "cursor", away)
        assert broken() == PARTS - {"redis"}


@pytest.fixture
def _nothing_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "noted", {})


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.usefixtures("_nothing_noted")
def test_worker_and_beat_note_that_they_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "renew_connections", lambda: None)
    note_worker()
    monkeypatch.setattr(Calendar, "tick", lambda *_, **__: 1)
    monkeypatch.setattr(Scheduler, "setup_schedule", lambda _: None)
    Scheduler(app=app, lazy=True).tick()
    assert set(Heartbeat.objects.values_list("name", flat=True)) == {"worker", "beat"}


@pytest.mark.django_db
@pytest.mark.usefixtures("_nothing_noted")
def test_a_note_replaces_the_one_before_and_fails_quietly(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health, "renew_connections", lambda: None)
    old = timezone.now() - timedelta(hours=1)
    Heartbeat.objects.create(name="beat", at=old)
    health.note_heartbeat("beat")
    assert Heartbeat.objects.get().at > old

    def away(*_: object, **__: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(Heartbeat.objects, "bulk_create", away)
    health.note_heartbeat("worker")
    assert "the heartbeat of worker could not be noted: away" in caplog.text


@pytest.mark.django_db
def test_beat_sends_no_job_that_has_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(Calendar, "apply_entry", lambda _self, entry, _to: sent.append(entry.name))
    monkeypatch.setattr(Scheduler, "setup_schedule", lambda _: None)
    schedule = Scheduler(app=app, lazy=True)
    say_what_waits()
    assert set(existence.ROWS) < set(settings.CELERY_BEAT_SCHEDULE)

    def send() -> list[str]:
        sent.clear()
        for name in (*existence.ROWS, "note-worker"):
            schedule.apply_entry(ScheduleEntry(name=name, task="x", schedule=10, app=app))
        return sent

    chain.link_all()
    assert send() == ["note-worker"]
    ChainEntry.objects.create(kind="hand", body={}, made_at=timezone.now())
    assert send() == ["link-chain", "note-worker"]
    over = timezone.now() - timedelta(seconds=1)
    player = Player.objects.create_user("alice", frozen_until=over)
    Exclusion.objects.create(player=player, kind=Exclusion.Kind.TIME_OUT, begins_at=over)
    chain.link_all()
    assert send() == ["link-chain", "carry-out-exclusions", "end-freezes", "note-worker"]


@pytest.mark.parametrize(
    ("queue", "begun"), [("celery", ["due tables"]), ("simulations", ["simulations"])]
)
def test_a_worker_looks_after_tables_or_notes_that_it_simulates(
    monkeypatch: pytest.MonkeyPatch, queue: str, begun: list[str]
) -> None:
    """By a thread, as its tasks take minutes."""
    kept: list[str] = []
    monkeypatch.setattr(health, "keep_noting", kept.append)
    monkeypatch.setattr(due_work, "start_worker", lambda: kept.append("due tables"))
    monkeypatch.setattr(processes, "start", lambda _program: None)

    class Worker:
        app = SimpleNamespace(
            amqp=SimpleNamespace(queues=SimpleNamespace(consume_from={queue: None}))
        )

    worker_ready.send(sender=Worker())
    assert kept == begun
