"""What the clock does for the chat."""

from celery import shared_task
from django.utils import timezone

from games.chat import talking


@shared_task
def forget_chat() -> int:
    """Delete the lines that were kept long enough."""
    return talking.forget(timezone.now())
