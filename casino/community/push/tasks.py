"""The periodic tasks: calling players back, and forgetting what they were called for."""

import threading
from typing import Final

from celery import shared_task
from django.utils import timezone

from casino.community.push import calling, sending
from games.live import spectators

# A push service that hangs holds up one thread of a worker, and never the one of a table.
_sending: Final = threading.Lock()


@shared_task
def call_players() -> None:
    if not sending.is_on() or not _sending.acquire(blocking=False):
        return
    try:
        watching = spectators.players_watching()
        # Without an answer it is unknown who has a page open, so no message is sent.
        if watching is not None:
            calling.call_players(watching, timezone.now())
    finally:
        _sending.release()


@shared_task
def forget_calls() -> None:
    calling.forget_old(timezone.now())
