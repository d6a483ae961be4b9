"""The periodic jobs of this app."""

from typing import Any, Final

from celery.schedules import crontab

TIMETABLE: Final[dict[str, dict[str, Any]]] = {
    # Finished hands since the last scan, a bounded number each time.
    "scan-hands": {"task": "casino.office.integrity.tasks.scan_hands", "schedule": 60.0},
    "forget-traces": {
        "task": "casino.office.integrity.tasks.forget_traces",
        "schedule": crontab(hour=5, minute=50),
    },
}
