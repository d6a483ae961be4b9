"""When something is due at a table: one time for each, taken by one worker when it has come."""

from datetime import UTC, datetime, timedelta

import pytest

from games.live import announcing, wake_ups
from tests.waiting import PATIENCE_SECONDS

DUE = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.mark.usefixtures("redis")
def test_a_table_has_one_time_which_a_newer_one_replaces() -> None:
    client = announcing.client()
    for table, seconds in ((7, 60), (8, 3), (7, 2)):
        wake_ups.set_alarm(table, DUE + seconds * SECOND)
    assert wake_ups.take(client, DUE, 9) == ([], (DUE + 2 * SECOND).timestamp())
    assert wake_ups.take(client, DUE + 2 * SECOND, 9) == ([7], (DUE + 3 * SECOND).timestamp())
    assert wake_ups.take(client, DUE + 9 * SECOND, 9) == ([8], None)
    assert wake_ups.take(client, DUE + 9 * SECOND, 9) == ([], None)


@pytest.mark.usefixtures("redis")
def test_a_worker_takes_no_more_than_it_has_threads() -> None:
    for table in (1, 2, 3):
        wake_ups.set_alarm(table, DUE + table * SECOND)
    later = DUE + 9 * SECOND
    taken = wake_ups.take(announcing.client(), later, 2)
    assert taken == ([1, 2], (DUE + 3 * SECOND).timestamp())


@pytest.mark.usefixtures("redis")
def test_the_bell_is_rung_where_a_table_becomes_the_earliest() -> None:
    client = announcing.client()

    def rings(table: int, seconds: int) -> bool:
        wake_ups.set_alarm(table, DUE + seconds * SECOND)
        return bool(client.delete(wake_ups.BELL))

    assert rings(1, 60)
    assert not rings(2, 90)
    assert rings(3, 5)
    assert rings(2, 2)
    # A bell without a listener is rung once.
    for seconds in (1, 0):
        wake_ups.set_alarm(1, DUE + seconds * SECOND)
    assert client.llen(wake_ups.BELL) == 1
    wake_ups.sleep(client, PATIENCE_SECONDS)
    assert client.llen(wake_ups.BELL) == 0


def test_without_redis_there_is_one_attempt_and_one_log_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The settings of the tests name a Redis that is not there; it is not asked again soon."""
    monkeypatch.setattr(announcing, "breaker", announcing.Breaker())
    monkeypatch.setattr(announcing, "REST_SECONDS", 86_400)
    for _ in range(10):
        wake_ups.set_alarm(7, DUE)
    assert not announcing.breaker.may_try()
    assert caplog.text.count("the sweeper does what is due") == 1
