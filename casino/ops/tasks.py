import logging

from celery import shared_task
from django.utils import timezone

from casino.ops import health, released_code

logger = logging.getLogger(__name__)


@shared_task
def note_worker() -> None:
    """A worker that runs this task also runs all others."""
    health.note_heartbeat("worker")


@shared_task
def check_code() -> None:
    """Compare the code with the release's; findings go to the log."""
    for sentence in released_code.check(timezone.now()) or ():
        logger.error("code: %s", sentence)
