"""The periodic jobs of this app."""

from typing import Final

TIMETABLE: Final[dict[str, object]] = {
    # Progress is shown a minute or two after the end of a hand.
    "take-promotions": {
        "task": "casino.community.promotions.tasks.take_facts",
        "schedule": 60.0,
    },
}
