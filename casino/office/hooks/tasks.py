"""The periodic tasks of webhooks. Each can run twice, or late, without harm."""

from celery import shared_task
from django.utils import timezone

from casino.office.hooks import sending


@shared_task
def tell() -> int:
    """Find what has happened, and send what is due."""
    now = timezone.now()
    sending.look(now)
    return sending.send_due(now)


@shared_task
def forget_hooks() -> None:
    sending.forget_old(timezone.now())
