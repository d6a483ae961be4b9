"""A machine whose clock is wrong acts by the clock of the database."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from datetime import timezone as timezones

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from casino.ops.models import Heartbeat
from wallets.storage import database_time
from wallets.storage.database_time import CORRECTION, clocks_apart, house_now

pytestmark = pytest.mark.django_db

MACHINE = datetime(2026, 3, 1, 12, tzinfo=UTC)
Ahead = Callable[[timedelta], None]
SECOND = timedelta(seconds=1)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ahead]:
    """Set this machine's clock apart from the database's, which stands still at noon."""

    def ahead(by: timedelta) -> None:
        monkeypatch.setattr(database_time, "clocks_apart", lambda: -by)
        monkeypatch.setattr(timezone, "now", lambda: MACHINE + by)
        CORRECTION.forget()

    monkeypatch.setattr(settings, "COMPARE_CLOCKS", True)
    yield ahead
    CORRECTION.forget()


HOUR = timedelta(hours=1)


@pytest.mark.parametrize("by", [HOUR, -HOUR, 2 * SECOND], ids=["ahead", "behind", "a little"])
def test_a_wrong_clock_is_corrected_where_the_database_has_one(
    machine: Ahead, by: timedelta
) -> None:
    machine(by)
    expected = MACHINE if connection.vendor == "postgresql" else MACHINE + by
    assert house_now() == expected


def test_clocks_that_nearly_agree_are_left_alone(machine: Ahead) -> None:
    machine(SECOND / 2)
    assert house_now() == MACHINE + SECOND / 2


def test_how_far_the_clocks_are_apart_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    right = database_time.machine_now
    monkeypatch.setattr(database_time, "machine_now", lambda: right() + HOUR)
    assert abs(clocks_apart() + HOUR) < timedelta(minutes=1)


def test_times_are_stored_in_utc() -> None:
    assert (settings.USE_TZ, settings.TIME_ZONE) == (True, "UTC")
    assert connection.timezone_name == "UTC"
    there = datetime(2026, 3, 1, 20, tzinfo=timezones(timedelta(hours=8)))
    Heartbeat.objects.create(name="worker", at=there)
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(at AS varchar(40)) FROM upkeep_heartbeat")
        assert cursor.fetchone()[0].startswith("2026-03-01 12:00:00")
    assert Heartbeat.objects.get().at == datetime(2026, 3, 1, 12, tzinfo=UTC)
