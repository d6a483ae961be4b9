"""Scheduled tasks for the accounts of players."""

from celery import shared_task
from django.utils import timezone

from casino.office.players import closing


@shared_task
def close_idle_guests() -> int:
    """Close guests who have not been here for long."""
    return closing.close_idle(timezone.now())
