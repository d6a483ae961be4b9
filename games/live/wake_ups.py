"""Asking a worker to look at a table when something is due there."""

import logging
from datetime import datetime

from celery import current_app
from kombu.exceptions import OperationalError

from games.live.announcing import breaker

log = logging.getLogger(__name__)


def set_alarm(table_id: int, due_at: datetime) -> None:
    """Set a task that checks the table's clock at this time; without a broker, the sweeper does."""
    if not breaker.may_try():
        return
    try:
        current_app.send_task("games.tasks.tick", (table_id,), eta=due_at)
    except (OperationalError, OSError) as problem:
        if breaker.failed():
            log.warning("no broker, the sweeper does what is due: %s", problem)
