"""Periodic jobs of players' care."""

from celery import shared_task
from django.utils import timezone

from casino.care import exclusions


@shared_task
def carry_out_exclusions() -> None:
    exclusions.carry_out_all(timezone.now())
