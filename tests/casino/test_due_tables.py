"""Workers do what is due at the tables by taking them from one set, without a task."""

import threading
from collections.abc import Iterator

import pytest
from celery import current_app

from casino.ops import due_work
from casino.ops.due_work import DueTables
from games.live import announcing, wake_ups
from games.models import Table
from games.tables import clock
from tests.games.house import House
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def worker(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[DueTables]:
    monkeypatch.setattr(due_work, "house_now", lambda: house.now)
    looking = DueTables()
    yield looking
    looking.end()


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    sent: list[object] = []
    monkeypatch.setattr(current_app, "send_task", lambda *task, **_options: sent.append(task))
    return sent


def test_a_hand_sends_no_task_and_has_one_time(
    house: House, worker: DueTables, tasks: list[object]
) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    client = announcing.client()
    while table.hand_id is not None:
        assert client.zcard(wake_ups.DUE) == 1
        house.let_people_act(table)
        table.refresh_from_db()
    assert table.due_at is not None
    assert client.zrange(wake_ups.DUE, 0, -1, withscores=True) == [
        (str(table.pk).encode(), table.due_at.timestamp())
    ]
    assert not tasks


def test_a_table_is_advanced_when_it_is_due_and_not_before(house: House, worker: DueTables) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    due, version = table.due_at, table.version
    assert due is not None
    assert worker.look() == min(due_work.SLEEP_SECONDS_MAX, due.timestamp() - house.now.timestamp())
    house.now = due
    worker.look()
    until(lambda: Table.objects.get(pk=table.pk).version > version)


def test_a_table_that_fails_is_left_to_the_sweeper(
    house: House,
    worker: DueTables,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(clock, "tick", fail)
    for table in range(1, 3 * due_work.THREADS):
        wake_ups.set_alarm(table, house.now)
    while worker.look() <= 0:
        pass
    until(lambda: caplog.text.count("could not be advanced") == 3 * due_work.THREADS - 1)


@pytest.mark.always
def test_a_worker_that_stops_wakes_up_and_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """A thread that went on would log what fails once its process has closed what it uses."""
    due_work.start_worker()
    until(lambda: blocked_clients() == 1)
    due_work.stop_worker()
    assert not [thread for thread in threading.enumerate() if thread.name == "due tables"]
    assert not caplog.records


def blocked_clients() -> int:
    return int(announcing.client().info("clients")["blocked_clients"])
