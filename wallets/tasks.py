"""What the clock does with money. Every task can be run twice, or late, without harm."""

import logging

from celery import shared_task

from wallets import closings, jackpots, reconciliation
from wallets.models import Jackpot

logger = logging.getLogger(__name__)


@shared_task
def reconcile(everything: bool = False) -> int:
    """Name in the log what does not fit; where all fits, close the books under one hash."""
    found = 0
    for finding in reconciliation.reconcile(everything=everything):
        found += 1
        logger.error("reconciliation: %s: %s", finding.check, finding.sentence)
    if not found:
        logger.info("books closed: %s", closings.close().hash)
    return found


@shared_task
def fill_jackpots() -> None:
    """After a hit the house fills the pool up again."""
    for jackpot in Jackpot.objects.filter(active=True):
        jackpots.fill_up(jackpot)
