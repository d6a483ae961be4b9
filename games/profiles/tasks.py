"""Celery tasks of profiles: calculations, on their own queue, and waking idle tables."""

from celery import shared_task
from django.utils import timezone

from games.profiles import public_figures, publishing, reckoning


@shared_task
def reckon(row_id: int) -> bool:
    """Reckon what a version of a profile does."""
    return reckoning.run(row_id)


@shared_task
def reckon_main_bets() -> int:
    """Have the main bets of open tables computed that have no figures yet."""
    return public_figures.ask_for_tables(timezone.now())


@shared_task
def follow_profiles() -> int:
    """Have idle tables follow versions that are in force by now."""
    return publishing.follow_due(timezone.now())
