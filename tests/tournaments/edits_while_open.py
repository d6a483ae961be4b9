"""Edits of events that are not over: announced, being played, or being paid.

Their names are those of the events in which they are made (`open_events`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from unittest.mock import patch

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from tests.games.falsified import delete, sql, update
from tests.tournaments.edits import edit, exchange, placed
from tests.tournaments.events import structure
from tournaments.mathematics.structure import Structure
from tournaments.models import Entry, Tournament
from tournaments.rehearsal import entropy
from tournaments.rehearsal.play import Rehearsal
from tournaments.running import control, progress

ANNOUNCED, RUNNING, PAYING = OPEN = ("announced", "running", "paying")
MINUTE = timedelta(minutes=1)


def open_events() -> None:
    """One event in each of these states, named after it; the running one was paused once."""
    made = {name: structure(name=name, guarantee=30_000, levels=LEVELS[name]) for name in OPEN}
    stopped(made[ANNOUNCED], lambda _event: True)
    running = stopped(made[RUNNING], lambda event: event.level == 2)
    manager = pauline()
    control.pause(manager, running.number, "the light went out", running.now)
    running.now += MINUTE
    control.resume(manager, running.number, "it is back", running.now)
    with in_single_steps(running, is_late(running)):
        while not is_late(running)(running.row):
            list(running.step(running.row))
    stopped(made[PAYING], lambda event: event.state == Tournament.State.PAYING)


def pauline() -> Player:
    """A manager."""
    manager = Player.objects.filter(username="pauline").first()
    if manager is None:
        appoint(Player.objects.create_user("pauline"), "managers")
    return Player.objects.get(username="pauline")


SLOW = [{"point": 20, "seconds": 10}, {"point": 100, "seconds": 600}, {"point": 400}]
# One that is to be paid is played to its end.
LEVELS = {ANNOUNCED: SLOW, RUNNING: SLOW, PAYING: [*SLOW[:1], {"point": 2_000}]}


def is_late(running: Rehearsal) -> Callable[[Tournament], bool]:
    """Whether hands have been played at the second level."""
    return lambda event: event.hands_ended.filter(level=2).count() >= 2


def stopped(played: Structure, reached: Callable[[Tournament], bool]) -> Rehearsal:
    """An event of five bots, played until it is as wanted."""
    with entropy.seeded("open"):
        rehearsal = Rehearsal(played, 5, "open")
        list(rehearsal.enter())
        with in_single_steps(rehearsal, reached):
            while not reached(rehearsal.row):
                list(rehearsal.step(rehearsal.row))
    return rehearsal


@contextmanager
def in_single_steps(rehearsal: Rehearsal, reached: Callable[[Tournament], bool]) -> Iterator[None]:
    """Inside, an event stops between two steps of the house where it is as wanted."""
    single = progress.single_step

    def step(number: int, now: object) -> None:
        while not reached(rehearsal.row) and single(number, now):  # type: ignore[arg-type]
            pass

    with patch.object(progress, "step", step):
        yield


def entry_of(event: Tournament, number: int = 1) -> Entry:
    return Entry.objects.get(tournament=event, number=number)


def stranger() -> int:
    return Player.objects.create_user("a stranger").pk


def given_away(event: Tournament) -> None:
    update(entry_of(event), player_id=stranger())


def unpaid(event: Tournament) -> None:
    """A copy of an entry, for a player who has paid nothing."""
    row = entry_of(event, event.numbers_given)
    row.pk, row.number, row.player_id, row.drawn, row.seat_id = (
        None,
        row.number + 1,
        stranger(),
        None,
        None,
    )
    row.save(force_insert=True)
    sql(
        "UPDATE tournaments_tournament SET entrants = entrants + 1, entries = entries + 1, "
        "numbers_given = numbers_given + 1, stakes = stakes + %s, fees = fees + %s WHERE id = %s",
        row.stake_paid,
        row.fee_paid,
        event.pk,
    )


def raised(event: Tournament, name: str) -> None:
    update(event, **{name: getattr(event, name) + 1})


for name in OPEN:
    edit(f"an entry is given to another player ({name})", "paid_in", kind=name)(given_away)
    edit(f"a paid entry is deleted ({name})", "posting_strange", "sum", kind=name)(
        lambda event: delete(entry_of(event))
    )
    edit(f"an entry without a payment, and all sums ({name})", "paid_in", kind=name)(unpaid)
    for column in ("stakes", "fees", "entrants"):
        edit(f"the {column} of an event ({name})", "sum", kind=name)(partial(raised, name=column))
    edit(f"the structure and its template ({name})", "structure", kind=name)(
        lambda event: [
            update(row, structure=row.structure | {"pause_seconds": 9})
            for row in (event, event.template)
        ]
    )  # fmt: skip


@edit("when an event starts", "structure", kind=ANNOUNCED)
def _(event: Tournament) -> None:
    assert event.starts_at is not None
    update(event, starts_at=event.starts_at + MINUTE)


edit("what an event is called", "structure", kind=ANNOUNCED)(
    lambda event: update(event, name="another")
)
edit("an announced event has begun", "clock", kind=ANNOUNCED)(
    lambda event: update(event, state="running")
)
edit("the guarantee of an event", "sum", kind=ANNOUNCED)(partial(raised, name="guarantee"))

# The clock.

edit("the level of an event is raised", "level", kind=RUNNING)(partial(raised, name="level"))
edit("the level of an event falls", "level", kind=RUNNING)(lambda event: update(event, level=1))


def moved(event: Tournament, name: str, by: timedelta) -> None:
    update(event, **{name: getattr(event, name) + by})


edit("when a level ends", "level", kind=RUNNING)(partial(moved, name="level_ends_at", by=MINUTE))
edit("when a level began", "level", kind=RUNNING)(partial(moved, name="level_began_at", by=-MINUTE))
edit("when an event began", "level", kind=RUNNING)(partial(moved, name="started_at", by=MINUTE))
edit("an event is on a break", "level", kind=RUNNING)(lambda event: update(event, on_break=True))
edit("the clock of an event stands still", "level", kind=RUNNING)(
    lambda event: update(event, level_ends_at=None, left_milliseconds=5)
)
edit("an event is paused", "pause", kind=RUNNING)(
    lambda event: update(event, paused_at=event.started_at)
)
edit("registration is open again", "registration", kind=RUNNING)(
    lambda event: update(event, registration_closed_at=None)
)
edit("the stage of an event", "stage", kind=RUNNING)(lambda event: update(event, stage=2))

# The end.


@edit("the winner and the second are exchanged before they are paid", "place", kind=PAYING)
def _(event: Tournament) -> None:
    first, second = placed(event, 1), placed(event, 2)
    exchange(first, second, "place", "prize")
    paid, less = event.payouts.order_by("place")[:2]
    exchange(paid, less, "entry_id")


@edit("the amount of a prize that is not paid yet", "prize", "payout", kind=PAYING)
def _(event: Tournament) -> None:
    update(placed(event, 1), prize=7)
    update(event.payouts.get(place=1), amount=7)
