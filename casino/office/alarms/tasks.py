"""The look of the workers; sweepers look as well, and what one has done the other finds done."""

from celery import shared_task
from django.utils import timezone

from casino.office.alarms import condition_checks, delivering


@shared_task
def look() -> None:
    now = timezone.now()
    condition_checks.look(now)
    delivering.send_due(now)


@shared_task
def check_rights() -> int:
    """Compare the rights of staff with the journal and the code."""
    return condition_checks.check_rights(timezone.now())
