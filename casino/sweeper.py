"""The one-second sweep: a thread of every worker, which asks no broker.

A turn's end is a task of Celery set for its deadline. What was lost on the way, or could not be set
because Redis was away, is found here a moment later. Any number of sweepers may run.
"""

import logging
import threading
from typing import Any, Final

from celery import bootsteps
from django.db import close_old_connections

SWEEP_SECONDS: Final = 1.0
STOP_SECONDS_MAX: Final = 2.0

log = logging.getLogger(__name__)


class Sweeper(bootsteps.StartStopStep):  # type: ignore[misc]
    """A step of the worker itself, so that it runs while the worker waits for its broker."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)

    def start(self, _worker: Any) -> None:
        self._thread.start()

    def stop(self, _worker: Any) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS_MAX)

    def _run(self) -> None:
        # The models can be read only once the worker has set Django up.
        from games.tasks import sweep  # noqa: PLC0415

        failing = False
        while not self._stop.wait(SWEEP_SECONDS):
            close_old_connections()
            try:
                sweep()
                failing = False
            except Exception:
                # A database that is away is told of once, and tried again every second.
                if not failing:
                    log.exception("the sweep failed")
                failing = True
