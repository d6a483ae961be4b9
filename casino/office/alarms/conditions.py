"""The conditions, each an object that finds the states that stand now.

A *lasting* state is over when it is no longer true: its alarm is cleared then. An *event*, such as
a large win, has happened: its alarm is raised once, and cleared by the staff member who takes it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise

from casino.ops.existence import Rows
from wallets.values.days import with_zone
from wallets.values.registry import Registry

# The roles that handle it: the programs and machines, or the room.
OF_THE_HOUSE: Final = "upkeep.read_health"
OF_THE_ROOM: Final = "backoffice.see_floor"
# The figure of this name is an instant, which is stored in ISO's form and said in the reader's.
INSTANT: Final = "at"


class State(NamedTuple):
    """A condition that is true now: its subject, and the figures of its sentence."""

    subject: str
    figures: Mapping[str, Any]


class Moment(NamedTuple):
    """The time of this look at a condition, and that of the look before."""

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
    # Rows that exist whenever the state may stand: without one the condition is not looked for.
    may_stand: Rows | None = None
    # Figures as readers read them, such as amounts.
    shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def say(self, figures: Mapping[str, object]) -> str:
        return str(self.sentence).format(**_with_times(self.shown(figures)))


def _with_times(figures: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        moment = datetime.fromisoformat(figures[INSTANT])
    except (KeyError, ValueError):
        # A sentence without one, or with a dash in its place.
        return figures
    return {**figures, INSTANT: with_zone(moment, "SHORT_DATETIME_FORMAT")}


CONDITIONS: Final = Registry[Condition]("condition")


def register(*conditions: Condition) -> None:
    """Have conditions looked at from now on."""
    for one in conditions:
        CONDITIONS.add(one.kind, one)
