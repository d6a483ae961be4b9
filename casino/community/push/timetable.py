"""The periodic jobs of this app."""

from typing import Any, Final

from celery.schedules import crontab

TIMETABLE: Final[dict[str, dict[str, Any]]] = {
    # Run if a player has subscribed.
    "call-players": {
        "task": "casino.community.push.tasks.call_players",
        "schedule": 5.0,
        # The next one looks anew.
        "options": {"expires": 5.0},
    },
    "forget-calls": {
        "task": "casino.community.push.tasks.forget_calls",
        "schedule": crontab(minute=45),
    },
}
