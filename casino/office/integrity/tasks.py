"""The periodic tasks: scanning what has ended, and deleting old traces."""

from celery import shared_task
from django.utils import timezone

from casino.office.integrity import suspicions, traces


@shared_task
def scan_hands() -> None:
    suspicions.scan(timezone.now())


@shared_task
def forget_traces() -> None:
    traces.delete_old(timezone.now())
