from celery import shared_task

from casino.upkeep import heartbeats


@shared_task
def note_worker() -> None:
    """A worker that runs this task also runs all others."""
    heartbeats.note("worker")
