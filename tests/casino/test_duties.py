"""One statement finds what the sweeper has to do, and is all that an idle house costs."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from casino.ops import due_work
from games.models import Seat, Table
from tests.games.house import House
from tests.tournaments.events import Event, structure
from tournaments.models import HandEnded, Schedule, Tournament
from tournaments.running import announcing, demo
from wallets.models.staff_models import Proposal

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
SECOND = timedelta(seconds=1)


@pytest.fixture
def idle(house: House) -> House:
    """Players sit where nothing is due, and events wait for players."""
    table = house.table("chinese_poker")
    house.sit(house.player("alice"), table, 1)
    demo.seed(house.now)
    Table.objects.update(due_at=house.now + SECOND)
    assert due_work.due(house.now) == []
    return house


def test_an_idle_house_costs_one_statement(idle: House) -> None:
    due_work.sweep(idle.now)
    with CaptureQueriesContext(connection) as statements:
        due_work.sweep(idle.now)
    assert len(statements) == 1


def recurring(house: House) -> None:
    event = Event(house)
    template = event.announce(structure()).template
    Schedule.objects.create(
        template=template,
        kind=Schedule.Kind.RECURRING,
        next_at=house.now + timedelta(seconds=100),
        ahead_seconds=99,
    )


def announced(house: House) -> None:
    """One of the events that are always open is under way."""
    Tournament.objects.filter(pk=Tournament.objects.first().pk).update(  # type: ignore[union-attr]
        state=Tournament.State.CANCELLED
    )


def entered(house: House) -> None:
    """A person waits for the time after which bots come."""
    event = Event(house)
    event.number = Tournament.objects.filter(state="announced").first().pk  # type: ignore[union-attr]
    event.enter([house.player("bob")])


def ended(house: House) -> None:
    event = Event(house)
    event.announce(structure())
    table = house.dealt_in("baccarat", "carl")
    HandEnded.objects.create(
        tournament=event.row, table=table, hand_id=table.hand_id, level=1, at=house.now
    )
    Table.objects.update(due_at=None)


def proposed(house: House) -> None:
    Proposal.objects.create(
        key=uuid4(), verb="x", subject="x", arguments={}, maker="player:1", reason="x",
        state={}, made_at=house.now, expires_at=house.now + SECOND,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("duty", "seconds", "come_due"),
    [
        ("tables", 1, lambda house: None),
        ("presence", 12.001, lambda house: Table.objects.update(due_at=None)),
        ("presence", 0, lambda house: Seat.objects.update(shown_offline=True)),
        ("schedules", 1, recurring),
        ("schedules", 0, announced),
        ("schedules", demo.BOTS_AFTER_SECONDS, entered),
        ("tournaments", 1, lambda house: Tournament.objects.update(due_at=house.now + SECOND)),
        ("tournaments", 0, ended),
        ("proposals", 1, proposed),
        (
            "freezes",
            1,
            lambda house: Player.objects.filter(username="alice").update(
                frozen_until=house.now + SECOND
            ),
        ),
    ],
)
def test_each_duty_is_found_when_it_is_due_and_not_before(
    idle: House, duty: str, seconds: float, come_due: Callable[[House], object]
) -> None:
    come_due(idle)
    due = idle.now + timedelta(seconds=seconds)
    assert duty in due_work.due(due)
    if seconds:
        assert duty not in due_work.due(due - timedelta(milliseconds=2))


def test_a_schedule_is_done_after_it_was_run(idle: House) -> None:
    announced(idle)
    recurring(idle)
    idle.pass_time(1)
    assert announcing.run(idle.now) == 2
    assert not announcing.due_schedules(idle.now).exists()
