"""Asking a worker to look at a table when something is due there."""

import logging
from datetime import datetime
from typing import Final

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from games.live import announcing

log = logging.getLogger(__name__)


def breaker_of(*, own_broker: bool) -> announcing.Breaker:
    """A broker of its own may be away while announcements go on, and the other way round."""
    return announcing.Breaker() if own_broker else announcing.breaker


breaker: Final = breaker_of(own_broker=settings.HAS_BROKER)


def set_alarm(table_id: int, due_at: datetime) -> None:
    """Set a task that checks the table's clock at this time; without a broker, the sweeper does."""
    if not breaker.may_try():
        return
    try:
        current_app.send_task("games.tasks.tick", (table_id,), eta=due_at)
    except (OperationalError, OSError) as problem:
        if breaker.failed():
            log.warning("no broker, the sweeper does what is due: %s", problem)
