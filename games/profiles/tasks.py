"""What Celery does for profiles: reckoning, on a queue of its own, and waking idle tables."""

from celery import shared_task
from django.utils import timezone

from games.profiles import publishing, reckoning


@shared_task
def reckon(row_id: int) -> bool:
    """Reckon what a version of a profile does."""
    return reckoning.run(row_id)


@shared_task
def follow_profiles() -> int:
    """Have idle tables follow versions that are in force by now."""
    return publishing.follow_due(timezone.now())
