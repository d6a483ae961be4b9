"""The sweep is a process of its own, and minds nothing that becomes of Redis and workers."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError

from casino import sweeper
from tests.casino.processes import KEYS, NEW_TABLE, DemoServer, demo_server, environment, manage
from tests.valkey import Valkey, valkey
from tests.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.processes

PROGRAMS = ("casino.web", "casino.sweeper", "casino worker", "casino beat")
# So many turns that end in an hour: workers hold them, and have acknowledged none.
ALARMS = """
from datetime import timedelta
from django.utils import timezone
from games.live.announcing import breaker
from games.live.wake_ups import set_alarm
from tests.waiting import until
count = 0
while count < 20:
    until(breaker.may_try)
    set_alarm({table}, timezone.now() + timedelta(hours=1))
    # On a busy machine the broker may answer too late for one of them.
    count += breaker.may_try()
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

    monkeypatch.setattr(sweeper, "close_old_connections", lambda: None)
    sweeper.keep_sweeping(sweep, lambda: len(swept) == 2)
    assert not failures
    assert caplog.text.count("the sweep failed") == 1


def value_in(folder: Path, sql: str, *values: str) -> str:
    """Query a house's database directly, not through the house."""
    with sqlite3.connect(folder / "house.sqlite3", timeout=PATIENCE_SECONDS) as database:
        row = database.execute(sql, values).fetchone()
    return str(row[0]) if row else ""


def advances(folder: Path, table: str) -> None:
    """Wait until whatever is due at a table is done."""
    version = "SELECT version FROM games_table WHERE id = ?"
    before = value_in(folder, version, table)
    value_in(folder, "UPDATE games_table SET due_at = '2026-01-01 00:00:00' WHERE id = ?", table)
    until(lambda: value_in(folder, version, table) != before)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_needs_neither_broker_nor_worker_and_ends_at_a_signal(
    migrated_folder: Path, how: signal.Signals
) -> None:
    nobody = f"unix://{migrated_folder}/nobody.sock"
    variables = environment(migrated_folder, DEMO="1", REDIS_URL=nobody, **KEYS)
    table = manage(NEW_TABLE, variables)
    running = subprocess.Popen([sys.executable, "-m", "casino.sweeper"], env=variables)
    try:
        advances(migrated_folder, table)
        running.send_signal(how)
        assert running.wait(PATIENCE_SECONDS) == 0
    finally:
        running.kill()
        running.wait()


@pytest.fixture
def server() -> Iterator[Valkey]:
    with valkey() as running:
        yield running


@pytest.mark.long
def test_tables_continue_while_redis_refuses_hangs_and_returns(
    migrated_folder: Path, server: Valkey
) -> None:
    """Workers used to die of what they held when their broker went, all of them at once."""
    with demo_server(migrated_folder, REDIS_URL=server.url) as house:
        house.wait_until_open()
        table = house.manage(NEW_TABLE, REDIS_URL=server.url)
        programs = {name: house.one(name) for name in PROGRAMS}
        held(house, server, table)

        server.stop()
        advances(house.folder, table)
        server.start()
        held(house, server, table)
        advances(house.folder, table)

        server.freeze()
        advances(house.folder, table)
        server.thaw()
        # Beat and worker are back at their work.
        for name in ("beat", "worker"):
            heard_again(house.folder, name)
        advances(house.folder, table)
        assert {name: house.one(name) for name in programs} == programs
        assert "it is started again" not in house.text()


def held(house: DemoServer, server: Valkey, table: str) -> None:
    """A worker holds alarms that it has not acknowledged."""
    house.manage(ALARMS.format(table=table), REDIS_URL=server.url)
    until(lambda: server.client().hlen("unacked") >= 20)


def heard_again(folder: Path, name: str) -> None:
    """A program notes that it does its work, from now on."""
    beat = "SELECT at FROM upkeep_heartbeat WHERE name = ?"
    before = value_in(folder, beat, name)
    until(lambda: value_in(folder, beat, name) != before)
