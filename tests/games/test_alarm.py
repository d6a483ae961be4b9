"""Setting an alarm never holds up play, with a broker or without."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from kombu.exceptions import OperationalError

from games import alarm, live

DUE = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _closed_breaker() -> Iterator[None]:
    live.breaker.worked()
    yield
    live.breaker.worked()


def test_a_task_is_set_for_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        alarm.current_app, "send_task", lambda name, args, eta: sent.append((name, args, eta))
    )
    alarm.set_alarm(7, DUE)
    assert sent == [("games.tasks.tick", (7,), DUE)]


def test_without_a_broker_it_is_tried_once_and_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[int] = []

    def refuse(*_: object, **__: object) -> None:
        tried.append(1)
        raise OperationalError("nobody there")

    monkeypatch.setattr(alarm.current_app, "send_task", refuse)
    for _ in range(10):
        alarm.set_alarm(7, DUE)
    assert len(tried) == 1
    assert caplog.text.count("the sweeper does what is due") == 1


def test_a_broker_that_is_away_holds_nobody_up() -> None:
    """The settings of the tests name a Redis that is not there."""
    began = time.monotonic()
    alarm.set_alarm(7, DUE)
    assert time.monotonic() - began < 2
    assert not live.breaker.may_try()
