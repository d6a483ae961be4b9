"""The schedule of periodic jobs, which also records that beat is alive."""

from celery.beat import PersistentScheduler

from casino.upkeep import heartbeats


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    def tick(self, *args: object, **kwargs: object) -> object:
        heartbeats.note("beat")
        return super().tick(*args, **kwargs)
