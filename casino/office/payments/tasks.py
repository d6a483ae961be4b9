"""The periodic tasks of payments. Each can run twice, or late, without harm."""

import logging

from celery import shared_task
from django.utils import timezone

from casino.office.payments import advancing, offered, reconciling

log = logging.getLogger(__name__)


@shared_task
def advance_payments() -> int:
    """Ask providers about the payments that are due."""
    return advancing.advance_due(timezone.now())


@shared_task
def reconcile_payments() -> int:
    """Compare the providers' lists with the ledger."""
    if not offered.is_on():
        return 0
    standing = reconciling.reconcile(timezone.now())
    if standing:
        log.error("payments: %s differences with providers stand", standing)
    return standing
