"""The duties of the sweeper: each duty of the house, and the rows that say that it is due.

One statement asks for all of them, so a house where nothing is due is asked once a second.
"""

from collections.abc import Callable
from datetime import datetime
from threading import Event
from typing import Final, NamedTuple

from casino.accounts import freezing
from casino.ops.existence import Rows, WhichExist
from casino.ops.metrics.counting import swept
from games.tables import clock, presence
from tournaments.running import announcing
from tournaments.running import announcing as tournaments
from wallets.staff import approvals


class Duty(NamedTuple):
    """Work of the house, and the queries of the present time that find a row while it is due."""

    do: Callable[[datetime], object]
    due: tuple[Rows, ...]


DUTIES: Final[dict[str, Duty]] = {
    "tables": Duty(lambda now: swept(lambda: clock.sweep(now)), (clock.due_tables,)),
    "presence": Duty(presence.show_changes, (presence.changed_seats,)),
    "schedules": Duty(announcing.run, (announcing.due_schedules,)),
    "tournaments": Duty(
        tournaments.advance, (tournaments.due_tournaments, tournaments.hands_to_act_on)
    ),
    "proposals": Duty(approvals.expire_due, (approvals.proposals_to_expire,)),
    "freezes": Duty(freezing.end_expired, (freezing.freezes_that_ended,)),
}
_FOUND: Final = WhichExist(
    {
        f"{name} {number}": rows
        for name, duty in DUTIES.items()
        for number, rows in enumerate(duty.due)
    }
)


def due(now: datetime) -> list[str]:
    """The names of the duties that are due, in the order in which they are done."""
    names = {name.partition(" ")[0] for name in _FOUND(now)}
    return [name for name in DUTIES if name in names]


def sweep(now: datetime) -> None:
    for name in due(now):
        DUTIES[name].do(now)


# Starters of work for which no table may wait, in a thread; the event ends it.
_threads: list[Callable[[], Event]] = []


def register_thread(start: Callable[[], Event]) -> None:
    """Have each sweeper do other work in parallel with the sweep."""
    _threads.append(start)


def start_threads() -> list[Event]:
    """Start the work in parallel with the sweep; setting the events ends it."""
    return [start() for start in _threads]
