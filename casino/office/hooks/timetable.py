"""The periodic jobs of this app."""

from typing import Final

from celery.schedules import crontab

TIMETABLE: Final[dict[str, object]] = {
    # Run while a program listens.
    "tell-hooks": {
        "task": "casino.office.hooks.tasks.tell",
        "schedule": 5.0,
        "options": {"expires": 5.0},
    },
    "forget-hooks": {
        "task": "casino.office.hooks.tasks.forget_hooks",
        "schedule": crontab(hour=5, minute=25),
    },
}
