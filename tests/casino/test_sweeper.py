"""The sweep runs in every worker, whatever becomes of broker and database."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.db import OperationalError

from casino import sweeper
from casino.celery import app
from casino.sweeper import Sweeper
from tests.casino.opened import NEW_TABLE, environment, manage
from tests.waiting import until

DUE = """
from django.utils import timezone
from games.models import Table
Table.objects.filter(pk={table}).update(due_at=timezone.now())
"""


def test_every_worker_has_one() -> None:
    assert Sweeper in app.steps["worker"]


def test_it_goes_on_after_a_failure_and_tells_of_it_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    swept = threading.Event()
    failures = [OperationalError("away")] * 3

    def sweep() -> int:
        if failures:
            raise failures.pop()
        swept.set()
        return 0

    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr("games.tasks.sweep", sweep)
    monkeypatch.setattr(sweeper, "close_old_connections", lambda: None)
    step = Sweeper(None)
    step.start(None)
    try:
        assert swept.wait(10)
    finally:
        step.stop(None)
    assert not step._thread.is_alive()
    assert caplog.text.count("the sweep failed") == 1


def test_stopping_one_that_never_started_is_no_trouble() -> None:
    Sweeper(None).stop(None)


def test_a_worker_that_finds_no_broker_sweeps_all_the_same(tmp_path: Path) -> None:
    told = environment(
        tmp_path,
        DEMO="1",
        REDIS_URL=f"unix://{tmp_path}/nobody.sock",
        SECRET_KEY="a key for tests alone",
        SEALING_KEYS="dGVzdHMgYWxvbmUgdXNlIHRoaXMga2V5LCBub2JvZHk=",
    )
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=told, check=True)
    table = manage(NEW_TABLE, told)
    manage(DUE.format(table=table), told)

    def swept() -> bool:
        with sqlite3.connect(tmp_path / "house.sqlite3") as database:
            asked = database.execute("SELECT version FROM games_table WHERE id = ?", (table,))
            return bool(asked.fetchone()[0])

    assert not swept()
    words = ["worker", "--pool", "threads", "--concurrency", "1", "--loglevel", "ERROR"]
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "--quiet", "--app", "casino", *words],
        env=told,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(swept, 60)
    finally:
        worker.kill()
        worker.wait()
