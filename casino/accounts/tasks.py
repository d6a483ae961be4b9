"""Scheduled tasks for players."""

from celery import shared_task
from django.utils import timezone

from casino.accounts import devices, freezing, session_store, tokens


@shared_task
def forget_tokens() -> int:
    return tokens.forget_expired(timezone.now())


@shared_task
def forget_sessions() -> int:
    return session_store.forget_expired(timezone.now())


@shared_task
def end_freezes() -> int:
    """Let in again whose freeze is over."""
    return freezing.end_expired(timezone.now())


@shared_task
def forget_devices() -> int:
    """Delete devices unused for so long that their cookies have expired."""
    return devices.forget_unused(timezone.now())
