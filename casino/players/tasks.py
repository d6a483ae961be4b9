"""Scheduled tasks for players."""

from celery import shared_task
from django.utils import timezone

from casino.players import devices, freezing, tokens


@shared_task
def forget_tokens() -> int:
    """Delete expired tokens."""
    return tokens.forget_expired(timezone.now())


@shared_task
def end_freezes() -> int:
    """Let in again whose freeze is over."""
    return freezing.end_expired(timezone.now())


@shared_task
def forget_devices() -> int:
    """Delete devices that nobody has used for so long that their cookies have expired."""
    return devices.forget_unused(timezone.now())
