"""The periodic job of this app."""

from typing import Any, Final

TIMETABLE: Final[dict[str, dict[str, Any]]] = {
    # Bots enter the event of the evening one after the other.
    "enter-evening": {"task": "tournaments.tasks.enter_evening", "schedule": 900.0},
}
