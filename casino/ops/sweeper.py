"""The one-second sweep, in a separate process without a broker: `python -m casino.ops.sweeper`.

Workers learn from Redis when something is due at a table. If that was lost, or Redis is down, the
sweep finds the table a moment later. It also finds all other duties of the house
(`casino/ops/due_work.py`). Any number of sweepers may run, and none depends on broker or workers: a
sweeper needs only the database.
"""

import logging
import select
import signal
import socket
from collections.abc import Callable
from typing import Final

import django

from wallets.storage.database_connections import renew_connections

SWEEP_SECONDS: Final = 1.0

log = logging.getLogger(__name__)


def keep_sweeping(sweep: Callable[[], object], wait: Callable[[], bool]) -> None:
    """Sweep until the wait between two sweeps says that it is time to end.

    If the database is down, log it once and retry every second.
    """
    failing = False
    while not wait():
        renew_connections()
        try:
            sweep()
            failing = False
        except Exception:
            if not failing:
                log.exception("the sweep failed")
            failing = True


def stop_signal() -> Callable[[], bool]:
    """Return a function that waits a second and returns True once a signal has arrived.

    The signal is noted immediately and acted on between two sweeps, so no sweep is interrupted.
    """
    wakes, woken = socket.socketpair()
    for end in (wakes, woken):
        end.setblocking(False)
    signal.set_wakeup_fd(woken.fileno())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)

    def wait() -> bool:
        readable, _, _ = select.select([wakes], [], [], SWEEP_SECONDS)
        return bool(readable)

    # The other end must remain open while a writer may still use it.
    wait.ends = (wakes, woken)  # type: ignore[attr-defined]
    return wait


def main() -> None:
    wait = stop_signal()
    django.setup()
    # Models can be imported only now.
    from casino.ops import due_work, health, made_at_start  # noqa: PLC0415
    from casino.ops.metrics import processes  # noqa: PLC0415
    from wallets.storage.database_time import house_now  # noqa: PLC0415

    def sweep_and_tell() -> None:
        due_work.sweep(house_now())
        health.note_heartbeat("sweeper")

    made_at_start.build()
    ends = due_work.start_threads()
    processes.start("sweeper")
    keep_sweeping(sweep_and_tell, wait)
    for end in ends:
        end.set()
    processes.stop()


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    main()
