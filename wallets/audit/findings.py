"""A finding of reconciliation, and the report that a periodic check sends.

The checks do not know the readers of their reports. A package above them connects to `checked`; a
reader that fails is logged, and fails no check.
"""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from django.dispatch import Signal
from django.utils.functional import Promise

# Sent with `name`, `found`, `first` and `now`.
checked = Signal()


def report(name: str, found: int, first: str, now: datetime) -> None:
    """Report that a check has run to its end; `first` says what it found first."""
    checked.send_robust(sender=__name__, name=name, found=found, first=first, now=now)


class Finding(NamedTuple):
    """`check` is a stable name; `subject` is the account, transaction, book or row that is wrong.

    `values` are further words of the sentence.
    """

    check: str
    subject: str
    template: str | Promise
    values: Mapping[str, object] = MappingProxyType({})

    @property
    def sentence(self) -> str:
        return str(self.template).format(subject=self.subject, **self.values)
