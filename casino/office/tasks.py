"""The Celery tasks of the back office: auditing ranges of hands, on the queue of long work."""

from celery import shared_task

from casino.office.frame import audit_pages


@shared_task
def audit_hands(number: int) -> bool:
    """Settle the hands of a range again."""
    return audit_pages.perform_audit(number)
