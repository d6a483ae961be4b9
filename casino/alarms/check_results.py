"""The last result of each periodic check, as the condition of that name reads it."""

from datetime import datetime

from casino.alarms.models import CheckResult


def store(name: str, found: int, first: str, now: datetime, **_of_the_signal: object) -> None:
    CheckResult.objects.update_or_create(
        pk=name, defaults={"at": now, "found": found, "first": first}
    )
