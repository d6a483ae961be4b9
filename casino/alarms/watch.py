"""The look at all conditions: it raises what stands, clears what is over, and nothing twice.

Sweepers and workers look, whichever is there; of several at once one does it, under the lock of the
condition's row. `docs/alarms.md` says more.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.dispatch import Signal

from casino.alarms import delivering
from casino.alarms.conditions import Condition, Moment, State, registered
from casino.alarms.models import Alarm, Look

# An event is looked for again for so long, in case its transaction ended late.
OVERLAP: Final = timedelta(minutes=1)
# The first look, and one after a long time without any, goes back so far.
BACK_MAX: Final = timedelta(days=1)
FIRST_BACK: Final = timedelta(minutes=10)

log = logging.getLogger(__name__)
# Sent in the transaction in which an alarm is raised, taken or cleared.
changed = Signal()


def look(now: datetime) -> int:
    """Look at each condition that is due; one that fails does not hold up the others."""
    looked = dict(Look.objects.values_list("kind", "at"))
    raised = 0
    for condition in registered().values():
        if _is_due(condition, looked.get(condition.kind), now):
            try:
                raised += _look_at(condition, now)
            except Exception:
                log.exception("the condition %s could not be looked at", condition.kind)
    return raised


def _is_due(condition: Condition, last: datetime | None, now: datetime) -> bool:
    return last is None or now - last >= timedelta(seconds=condition.every_seconds)


def _look_at(condition: Condition, now: datetime) -> int:
    with transaction.atomic():
        row, made = Look.objects.get_or_create(pk=condition.kind, defaults={"at": now})
        row = Look.objects.select_for_update().get(pk=condition.kind)
        if not made and not _is_due(condition, row.at, now):
            # Another process was quicker.
            return 0
        since = now - FIRST_BACK if made else max(row.at - OVERLAP, now - BACK_MAX)
        row.at = now
        row.save(update_fields=["at"])
        states = {state.subject: state for state in condition.find(Moment(now, since))}
        known = Alarm.objects.filter(kind=condition.kind)
        open_now = known.filter(cleared_at__isnull=True)
        before = set(
            (open_now if condition.lasting else known.filter(subject__in=states)).values_list(
                "subject", flat=True
            )
        )
        raised = sum(
            _raise(condition, state, now)
            for subject, state in states.items()
            if subject not in before
        )
        cleared = 0
        if condition.lasting:
            over = open_now.exclude(subject__in=states)
            cleared = over.update(cleared_at=now)
        if raised or cleared:
            changed.send(sender=__name__)
    return raised


def _raise(condition: Condition, state: State, now: datetime) -> bool:
    try:
        with transaction.atomic():
            alarm = Alarm.objects.create(
                kind=condition.kind,
                subject=state.subject,
                figures=dict(state.figures),
                raised_at=now,
            )
    except IntegrityError:
        # The database holds one open alarm for a state.
        return False
    delivering.enqueue(alarm, now)
    log.warning("alarm: %s: %s", condition.kind, state.subject)
    return True
