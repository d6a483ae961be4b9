"""Asking a worker to look at a table when something is due there."""

import logging
from datetime import datetime

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def set_alarm(table_id: int, due_at: datetime) -> None:
    """Have the clock of a table looked at in time; without a broker the sweeper does it."""
    try:
        current_app.send_task("games.tasks.tick", (table_id,), eta=due_at)
    except (OperationalError, OSError):
        log.warning("no broker: the sweeper will look after table %s", table_id)
