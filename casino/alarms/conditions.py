"""The conditions, each an object that finds the states that stand now.

A *lasting* state is over when it no longer stands: its alarm is cleared then. An *event*, such as a
large win, has happened: its alarm is raised once ever, and cleared by whoever takes it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise

from casino.upkeep.which_exist import Rows

# Whose work it is: the programs and machines, or the room.
OF_THE_HOUSE: Final = "upkeep.read_health"
OF_THE_ROOM: Final = "backoffice.see_floor"


class State(NamedTuple):
    """Something that stands now: what it is about, and the figures of the sentence."""

    subject: str
    figures: Mapping[str, Any]


class Moment(NamedTuple):
    """The time at which a condition is looked at, and the time since which nobody has."""

    now: datetime
    since: datetime


@dataclass(frozen=True)
class Condition:
    """A condition that staff must know about: how to find it, and how to say it."""

    kind: str
    words: str | Promise
    sentence: str | Promise
    # Readers need this permission as well: each role sees the alarms of its own work.
    permission: str
    find: Callable[[Moment], Iterable[State]]
    lasting: bool = True
    # The shortest time between two looks.
    every_seconds: int = 5
    # Rows that exist whenever the state may stand: without one nobody need look for it.
    may_stand: Rows | None = None
    # Figures as readers read them, such as amounts.
    shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def say(self, figures: Mapping[str, object]) -> str:
        return str(self.sentence).format(**self.shown(figures))


known: dict[str, Condition] = {}


def register(condition: Condition) -> Condition:
    """Have a condition looked at from now on; one of this kind is replaced."""
    known[condition.kind] = condition
    return condition


def registered() -> Mapping[str, Condition]:
    return dict(known)
