"""Scheduled tasks for players."""

from celery import shared_task
from django.utils import timezone

from casino.players import tokens


@shared_task
def forget_tokens() -> int:
    """Delete expired tokens."""
    return tokens.forget_expired(timezone.now())
