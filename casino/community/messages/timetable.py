"""The periodic jobs of this app; the first three run while there is something to do."""

from typing import Final

from celery.schedules import crontab

TIMETABLE: Final[dict[str, object]] = {
    "gather-messages": {
        "task": "casino.community.messages.tasks.gather",
        "schedule": 20.0,
        "options": {"expires": 20.0},
    },
    "send-messages": {
        "task": "casino.community.messages.tasks.send",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
    "mail-alarms": {
        "task": "casino.community.messages.tasks.mail_alarms",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "mail-yesterday": {
        "task": "casino.community.messages.tasks.mail_yesterday",
        "schedule": crontab(hour=6, minute=5),
    },
    "note-returns": {
        "task": "casino.community.messages.tasks.note_returns",
        "schedule": crontab(minute=20),
    },
    "forget-sendings": {
        "task": "casino.community.messages.tasks.forget_sendings",
        "schedule": crontab(hour=5, minute=20),
    },
}
