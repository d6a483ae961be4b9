"""Periodic tasks of the API."""

from celery import shared_task
from django.utils import timezone

from games.web import idempotency


@shared_task
def forget_answers() -> int:
    """Delete expired idempotency keys."""
    return idempotency.forget(timezone.now())
