"""Periodic tasks of the chat."""

from celery import shared_task
from django.utils import timezone

from games.chat import chat_verbs


@shared_task
def forget_chat() -> int:
    """Delete lines that are older than thirty days."""
    return chat_verbs.forget(timezone.now())
