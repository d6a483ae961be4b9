"""The sweep runs in every worker, whatever becomes of broker and database."""

import threading

import pytest
from django.db import OperationalError

from casino import sweeper
from casino.celery import app
from casino.sweeper import Sweeper


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
