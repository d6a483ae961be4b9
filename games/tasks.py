"""What Celery does for the tables. A lost task does no harm: the sweeper comes every second."""

from celery import shared_task
from django.utils import timezone

from games import accounting, chain, clock
from games.lobby import opening


@shared_task
def tick(table_id: int) -> None:
    """Do what is due at one table."""
    clock.tick(table_id, timezone.now())


def sweep() -> int:
    """Do what is due anywhere; `casino.sweeper` calls it every second."""
    return clock.sweep(timezone.now())


@shared_task
def link_chain() -> int:
    """Put what was published since in line."""
    return chain.link()


@shared_task
def close_days() -> int:
    """Close the days that are over."""
    return len(accounting.close_days(timezone.now()))


@shared_task
def close_deserted() -> int:
    """Close the tables that were opened as they were wanted and that nobody uses."""
    return opening.close_deserted(timezone.now())
