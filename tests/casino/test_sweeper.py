"""The sweep is a process of its own, and minds nothing that becomes of Redis and workers."""

import signal
from datetime import UTC, datetime

import django
import pytest
from django.db import OperationalError

from casino.ops import sweeper
from casino.ops.models import Heartbeat
from games.models import Table
from tests.games.house import House
from tests.houses import open_house
from tests.houses.folder import Folder
from tests.houses.programs import Programs
from tests.houses.supervised import Supervised
from tests.waiting import until

PROGRAMS = ("casino.ops.server.web", "casino.ops.sweeper", "casino worker", "casino beat")
# Tasks for in an hour: workers hold them, and have acknowledged none.
TASKS = """
from casino.ops.tasks import note_worker
for _ in range(20):
    note_worker.apply_async(countdown=3_600)
"""


def test_sweeper_survives_a_failure_and_logs_it_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failures = [OperationalError("away")] * 3
    swept: list[None] = []

    def sweep() -> None:
        if failures:
            raise failures.pop()
        swept.append(None)

    monkeypatch.setattr(sweeper, "renew_connections", lambda: None)
    sweeper.keep_sweeping(sweep, lambda: len(swept) == 2)
    assert not failures
    assert caplog.text.count("the sweep failed") == 1


def advances(house: Folder, table: str) -> None:
    """Wait until whatever is due at a table is done."""
    version = "SELECT version FROM games_table WHERE id = ?"
    before = house.sql(version, table)
    house.sql("UPDATE games_table SET due_at = '2026-01-01 00:00:00' WHERE id = ?", table)
    until(lambda: house.sql(version, table) != before)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_between_two_sweeps(
    how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "SWEEP_SECONDS", 0)
    before = {signals: signal.getsignal(signals) for signals in (signal.SIGTERM, signal.SIGINT)}
    try:
        wait = sweeper.stop_signal()
        assert not wait()
        signal.raise_signal(how)
        assert wait()
    finally:
        signal.set_wakeup_fd(-1)
        for signals, handler in before.items():
            signal.signal(signals, handler)


@pytest.mark.django_db(transaction=True)
def test_a_sweep_does_what_is_due_without_a_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    table = House().table("doudizhu", due_at=datetime(2026, 1, 1, tzinfo=UTC))
    waits = iter([False, True])
    monkeypatch.setattr(sweeper, "stop_signal", lambda: lambda: next(waits))
    monkeypatch.setattr(django, "setup", lambda: None)
    sweeper.main()
    assert Table.objects.get(pk=table.pk).version > table.version
    assert Heartbeat.objects.filter(name="sweeper").exists()


@pytest.mark.processes
def test_it_is_a_program_that_needs_neither_broker_nor_worker() -> None:
    with open_house(Programs, only=["sweeper"]) as house:
        until(lambda: house.sql("SELECT 1 FROM upkeep_heartbeat WHERE name = 'sweeper'"))
        assert house.stop("sweeper") == 0


@pytest.mark.processes
@pytest.mark.release
def test_tables_continue_while_redis_refuses_hangs_and_returns() -> None:
    """Workers used to die of what they held when their broker went, all of them at once."""
    with open_house(Supervised, redis=True) as house:
        table = house.new_table()
        programs = {name: house.one(name) for name in PROGRAMS}
        held(house)

        house.valkey.stop()
        advances(house, table)
        house.valkey.start()
        held(house)
        advances(house, table)

        house.valkey.freeze()
        advances(house, table)
        house.valkey.thaw()
        # Beat and worker are back at their work.
        for name in ("beat", "worker"):
            heard_again(house, name)
        advances(house, table)
        assert {name: house.one(name) for name in programs} == programs
        assert "it is started again" not in house.text()


def held(house: Supervised) -> None:
    """A worker holds tasks that it has not acknowledged."""
    house.script(TASKS)
    until(lambda: house.valkey.client().hlen("unacked") >= 20)


def heard_again(house: Folder, name: str) -> None:
    """A program notes that it does its work, from now on."""
    beat = "SELECT at FROM upkeep_heartbeat WHERE name = ?"
    before = house.sql(beat, name)
    until(lambda: house.sql(beat, name) != before)
