"""Sums of closed days that packages above the games keep: written with the day, rebuilt with it.

The games know no report. A package registers how it writes the sums of a day that is being closed,
and how it compares them with the hands; the closing, the audit and the rebuilding of a day do it.
"""

from collections.abc import Iterator
from datetime import date
from typing import Protocol


class DaySums(Protocol):
    """The sums that a package keeps of each closed day."""

    def write(self, day: date) -> None:
        """Write the sums of a day in place of those that are there."""

    def differences(self, day: date) -> Iterator[str]:
        """Differences between stored sums and hands, as sentences; nothing if none are stored."""
        ...

    def lacking(self) -> list[date]:
        """The closed days without sums: those from before the package was there."""
        ...


_kept: list[DaySums] = []


def register(kept: DaySums) -> None:
    if kept not in _kept:
        _kept.append(kept)


def write(day: date) -> None:
    for kept in _kept:
        kept.write(day)


def differences(day: date) -> Iterator[str]:
    for kept in _kept:
        yield from kept.differences(day)


def complete(at_most: int) -> None:
    """Write the sums of some days that lack them, the newest first."""
    for kept in _kept:
        for day in kept.lacking()[:at_most]:
            kept.write(day)
