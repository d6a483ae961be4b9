"""Tasks of tournaments. Each can run twice, or late, without harm."""

from celery import shared_task

from tournaments.sweep import sweep as sweep_events
from wallets.database_time import house_now


@shared_task
def sweep() -> int:
    """Take the steps that are due at any event; the sweeper does so every second."""
    return sweep_events(house_now())
