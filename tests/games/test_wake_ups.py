"""Setting an alarm never holds up play, with a broker or without."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from kombu.exceptions import OperationalError

from games.live import announcing, wake_ups

DUE = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _closed_breaker() -> Iterator[None]:
    announcing.breaker.worked()
    yield
    announcing.breaker.worked()


def test_a_task_is_set_for_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        wake_ups.current_app, "send_task", lambda name, args, eta: sent.append((name, args, eta))
    )
    wake_ups.set_alarm(7, DUE)
    assert sent == [("games.tasks.tick", (7,), DUE)]


def test_without_a_broker_there_is_one_attempt_and_one_log_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(announcing, "REST_SECONDS", 86_400)
    tried: list[int] = []

    def refuse(*_: object, **__: object) -> None:
        tried.append(1)
        raise OperationalError("nobody there")

    monkeypatch.setattr(wake_ups.current_app, "send_task", refuse)
    for _ in range(10):
        wake_ups.set_alarm(7, DUE)
    assert len(tried) == 1
    assert caplog.text.count("the sweeper does what is due") == 1


def test_a_broker_that_is_away_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings of the tests name a Redis that is not there; nobody comes back to it soon."""
    monkeypatch.setattr(announcing, "REST_SECONDS", 86_400)
    wake_ups.set_alarm(7, DUE)
    assert not announcing.breaker.may_try()


def test_a_broker_of_its_own_does_not_hold_up_announcements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two servers fail one by one, so each has a breaker; one server has one."""
    assert wake_ups.breaker_of(own_broker=False) is announcing.breaker
    monkeypatch.setattr(wake_ups, "breaker", wake_ups.breaker_of(own_broker=True))
    wake_ups.set_alarm(7, DUE)
    assert not wake_ups.breaker.may_try()
    assert announcing.breaker.may_try()
