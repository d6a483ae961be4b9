"""Scheduled tasks for money. Each can run twice, or late, without harm."""

import logging

from celery import shared_task
from django.utils import timezone

from wallets.audit import chains, reconciliation
from wallets.audit.findings import report
from wallets.models import Jackpot
from wallets.money import jackpots
from wallets.of_record import chain
from wallets.staff import approvals

logger = logging.getLogger(__name__)


@shared_task
def reconcile(everything: bool = False, closing: bool = True) -> int:
    """Log every mismatch; if there is none, close the books under one hash.

    Before a closing all rows of record are compared with their record. Without `closing` it only
    looks. It then reports what it finds and not that it found nothing,
    which would clear the alarm of a run that has looked further.
    """
    count, first = 0, ""
    for finding in reconciliation.reconcile(everything=everything, rows=closing):
        count += 1
        first = first or finding.sentence
        logger.error("reconciliation: %s: %s", finding.check, finding.sentence)
    if not count and closing:
        logger.info("books closed: %s", chains.close_books().hash)
    if count or closing:
        report("reconciliation", count, first, timezone.now())
    return count


@shared_task
def link_record() -> int:
    """Give the changes of record that wait their places in its chain."""
    return chain.link_all()


@shared_task
def fill_jackpots() -> None:
    """Fill up the pools after a hit."""
    for jackpot in Jackpot.objects.filter(active=True):
        jackpots.fill_up(jackpot)


@shared_task
def expire_proposals() -> None:
    """Expire what waited too long; the sweeper does the same every second."""
    approvals.expire_due(timezone.now())
