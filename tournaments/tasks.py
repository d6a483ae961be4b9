"""Tasks of tournaments. Each can run twice, or late, without harm."""

from celery import shared_task
from django.utils import timezone

from tournaments.sweep import sweep as sweep_events


@shared_task
def sweep() -> int:
    """Take the steps that are due at any event; the sweeper does so every second."""
    return sweep_events(timezone.now())
