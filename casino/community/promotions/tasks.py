"""Tasks: taking what has happened, and computing what a draft would cost."""

from celery import shared_task
from django.utils import timezone

from casino.community.promotions.books import preview as previews
from casino.community.promotions.books import taking_facts


@shared_task
def take_facts() -> None:
    taking_facts.take(timezone.now())


@shared_task
def preview(number: int) -> bool:
    return previews.run(number)
