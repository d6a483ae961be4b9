"""The periodic task: taking what has happened, and posting what is due."""

from celery import shared_task
from django.utils import timezone

from casino.community.promotions.books import taking


@shared_task
def take_facts() -> None:
    taking.take(timezone.now())
