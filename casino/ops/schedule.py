"""The schedule of periodic jobs, which also records that beat is alive."""

from celery.beat import PersistentScheduler, ScheduleEntry

from casino.ops import existence, health
from wallets.values.days import zone_name


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    def tick(self, *args: object, **kwargs: object) -> object:
        health.note_heartbeat("beat")
        self._keep_to_the_zone()
        return super().tick(*args, **kwargs)

    def _keep_to_the_zone(self) -> None:
        """The hours of jobs are those on the clock of the house."""
        zone = zone_name()
        if str(self.app.conf.timezone) != zone:
            self.app.conf.timezone = zone
            # Celery remembers it.
            self.app.__dict__.pop("timezone", None)
            self._heap = None

    def apply_entry(self, entry: ScheduleEntry, producer: object = None) -> None:
        """Send a job, unless the database says that there is nothing to do."""
        if existence.is_wanted(entry.name):
            super().apply_entry(entry, producer)

    def adjust(self, n: float, drift: float = 0.001) -> float:
        """Sleep until a job is due; by itself Celery wakes 10 ms before, and asks until then."""
        adjusted: float = super().adjust(n, drift)
        return adjusted
