"""What Celery does for the tables. A lost task does no harm: the sweeper comes every second."""

from celery import shared_task
from django.utils import timezone

from games import clock


@shared_task
def tick(table_id: int) -> None:
    """Do what is due at one table."""
    clock.tick(table_id, timezone.now())


@shared_task
def sweep() -> int:
    """Do what is due anywhere."""
    return clock.sweep(timezone.now())
