"""The reports of periodic checks: a name, how much they found, and the first finding in words.

The checks do not know the readers of their reports. A package above them connects to `checked`; a
reader that fails is logged, and fails no check.
"""

from datetime import datetime

from django.dispatch import Signal

# Sent with `name`, `found`, `first` and `now`.
checked = Signal()


def report(name: str, found: int, first: str, now: datetime) -> None:
    """Report that a check has run to its end; `first` says what it found first."""
    checked.send_robust(sender=__name__, name=name, found=found, first=first, now=now)
