"""The periodic tasks of messages. Each can run twice, or late, without harm."""

import threading
from typing import Final

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from casino.community.messages import letters, outbox

# A mail server that hangs holds up one thread of a worker.
_sending: Final = threading.Lock()


@shared_task
def gather() -> int:
    return outbox.gather(timezone.now()) if settings.MESSAGES else 0


@shared_task
def send() -> int:
    if not _sending.acquire(blocking=False):
        return 0
    try:
        return outbox.send_due(timezone.now())
    finally:
        _sending.release()


@shared_task
def mail_yesterday() -> int:
    return letters.enqueue_yesterday(timezone.now())


@shared_task
def mail_alarms() -> int:
    return letters.enqueue_alarms(timezone.now())


@shared_task
def note_returns() -> int:
    return outbox.note_returns(timezone.now())


@shared_task
def forget_sendings() -> None:
    outbox.forget_old(timezone.now())
