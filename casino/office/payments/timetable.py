"""The periodic jobs of this app."""

from typing import Final

from celery.schedules import crontab

TIMETABLE: Final[dict[str, object]] = {
    # Run if a payment is due.
    "advance-payments": {
        "task": "casino.office.payments.tasks.advance_payments",
        "schedule": 5.0,
        "options": {"expires": 5.0},
    },
    "reconcile-payments": {
        "task": "casino.office.payments.tasks.reconcile_payments",
        "schedule": crontab(hour=6, minute=20),
    },
}
