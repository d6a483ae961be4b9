"""The Celery tasks of tournaments: rehearsals, on the queue of long work, and a demonstration."""

from celery import shared_task
from django.utils import timezone

from tournaments.rehearsal import rehearsing
from tournaments.running import demo


@shared_task
def rehearse(number: int) -> bool:
    """Have bots play the event of a rehearsal."""
    return rehearsing.perform(number)


@shared_task
def enter_evening() -> None:
    """A bot of a demonstration enters the event of the evening, and bots a sit-and-go."""
    now = timezone.now()
    demo.enter_evening(now)
    demo.play_first(now)
