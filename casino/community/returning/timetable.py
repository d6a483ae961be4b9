"""The periodic jobs of this app."""

from typing import Any, Final

from celery.schedules import crontab

TIMETABLE: Final[dict[str, dict[str, Any]]] = {
    # Finished hands for play money, in the order in which they ended. A hand is counted once it has
    # been over for a minute, and the page promises it a minute or two after its end.
    "count-hands": {"task": "casino.community.returning.tasks.count_hands", "schedule": 60.0},
    "forget-counted-hands": {
        "task": "casino.community.returning.tasks.forget_hands",
        "schedule": crontab(hour=5, minute=55),
    },
}
