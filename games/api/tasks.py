"""What the clock does for the API."""

from celery import shared_task
from django.utils import timezone

from games.api import once


@shared_task
def forget_answers() -> int:
    """Delete the idempotency keys whose time is over."""
    return once.forget(timezone.now())
