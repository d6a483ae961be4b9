"""The time by which the house acts: that of its database, not of a machine's clock.

Deadlines stand in rows, and several machines read and write them. A sweeper whose clock is an hour
ahead would end every turn and store times that the others reach an hour later. Each process
therefore measures from time to time how far its clock and the database's are apart, and adds the
difference where it decides what is due. SQLite has no clock.
"""

from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

# So often the clocks are compared.
COMPARED_EVERY_SECONDS: Final = 10.0
# Clocks that are closer than this agree: a busy database answers late.
TOLERATED: Final = timedelta(seconds=1)
# A statement that the database begins later than this has been given up: `wallets.storage.silence`.
BEGUN_WITHIN: Final = timedelta(seconds=2)
# The condition for that on PostgreSQL; its value is `begun_by()`.
IN_TIME: Final = "clock_timestamp() < %s"


def machine_now() -> datetime:
    """The clock of this machine."""
    return datetime.now(UTC)


def clocks_apart() -> timedelta:
    """Return how far the database's clock is ahead of this machine's; negative if behind."""
    statement = (
        "SELECT clock_timestamp()"
        if connection.vendor == "postgresql"
        else "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')"
    )
    with connection.cursor() as cursor:
        before = machine_now()
        cursor.execute(statement)
        (there,) = cursor.fetchone()
        after = machine_now()
    if isinstance(there, str):
        there = datetime.fromisoformat(there).replace(tzinfo=UTC)
    # The answer was given somewhere between the two.
    apart: timedelta = there - (before + (after - before) / 2)
    return apart


class Correction:
    """The amount that a process adds to its machine's clock; measured anew every ten seconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._apart, self._compared_at = timedelta(), float("-inf")

    def forget(self) -> None:
        """Begin as a new process does: compare the clocks the next time."""
        self._apart, self._compared_at = timedelta(), float("-inf")

    def now(self) -> timedelta:
        with self._lock:
            if monotonic() - self._compared_at >= COMPARED_EVERY_SECONDS:
                apart = clocks_apart()
                self._apart = apart if abs(apart) > TOLERATED else timedelta()
                self._compared_at = monotonic()
            return self._apart

    def latest(self) -> timedelta:
        """The same as it was measured last, however long ago."""
        return self._apart

    def known(self) -> timedelta | None:
        """The same without asking the database; None where it has to be measured anew."""
        recent = monotonic() - self._compared_at < COMPARED_EVERY_SECONDS
        return self._apart if recent else None


CORRECTION: Final = Correction()


def house_now() -> datetime:
    """The time by which the house decides what is due."""
    now = timezone.now()
    return now + CORRECTION.now() if _compares() else now


def known_house_now() -> datetime | None:
    """The same where no database may be asked; None where it would have to be."""
    apart = CORRECTION.known() if _compares() else timedelta()
    return None if apart is None else timezone.now() + apart


def begun_by() -> datetime:
    """The time on the database's clock after which a statement that is sent now must do nothing.

    A database that was frozen takes up what it was sent before, and its sender has been refused.
    """
    return machine_now() + CORRECTION.latest() + BEGUN_WITHIN


def _compares() -> bool:
    return connection.vendor == "postgresql" and bool(settings.COMPARE_CLOCKS)
