"""The periodic tasks: counting what has ended, and deleting old hands."""

from celery import shared_task
from django.utils import timezone

from casino.community.returning import counting


@shared_task
def count_hands() -> None:
    counting.count(timezone.now())


@shared_task
def forget_hands() -> None:
    counting.forget_old(timezone.now())
