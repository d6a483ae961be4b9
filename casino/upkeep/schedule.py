"""The schedule of periodic jobs, which also records that beat is alive."""

from typing import Any

from celery.beat import PersistentScheduler

from casino.upkeep import heartbeats


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    def tick(self, *args: Any, **kwargs: Any) -> Any:
        heartbeats.note("beat")
        return super().tick(*args, **kwargs)
