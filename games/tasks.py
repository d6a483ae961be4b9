"""The Celery tasks of tables: what is done every so often, and by no table's clock."""

import logging

from celery import shared_task
from django.utils import timezone

from games.lobby import private_tables
from games.records import audit_house, card_index, closed_days
from games.shoes import anchors, chain
from wallets.audit.findings import report
from wallets.values.days import ONE_DAY, day_of

logger = logging.getLogger(__name__)


@shared_task
def link_chain() -> int:
    """Link new entries to the public chain; from time to time its head is anchored."""
    linked = chain.link()
    anchors.when_due(timezone.now())
    return linked


@shared_task
def index_cards() -> int:
    """Let auditors find the hands that have ended by their cards."""
    return card_index.index_recent(timezone.now())


@shared_task
def close_days() -> int:
    """Close the days that are over."""
    return len(closed_days.close_days(timezone.now()))


@shared_task
def audit_day() -> int:
    """Audit the hands of the past day, and the house; findings go to the log."""
    count, first = 0, ""
    for sentence in audit_house.audit_day(day_of(timezone.now()) - ONE_DAY):
        count += 1
        first = first or sentence
        logger.error("audit: %s", sentence)
    report("audit", count, first, timezone.now())
    return count


@shared_task
def close_deserted() -> int:
    """Close private and overflow tables without players."""
    return private_tables.close_deserted(timezone.now())
