"""The look of a sweeper: in a thread of its own, so that no table waits for a mail server."""

import logging
import threading
from typing import Final

from django.utils import timezone

from casino.alarms import delivering, watch
from wallets.database_connections import renew_connections

EVERY_SECONDS: Final = 5.0

log = logging.getLogger(__name__)


def start() -> threading.Event:
    """Begin to look; setting the event ends it."""
    ends = threading.Event()
    threading.Thread(target=keep_looking, args=(ends,), name="alarms", daemon=True).start()
    return ends


def keep_looking(ends: threading.Event) -> None:
    """Look every few seconds; if the database is down, log it once."""
    failing = False
    while not ends.wait(EVERY_SECONDS):
        renew_connections()
        try:
            now = timezone.now()
            watch.look(now)
            delivering.send_due(now)
            failing = False
        except Exception:
            if not failing:
                log.exception("the look for alarms failed")
            failing = True
        finally:
            renew_connections()
