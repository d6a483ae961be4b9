"""A process that is killed at any statement loses nothing, and pays and seats no player twice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Min, Sum

from games.models import Table
from games.tables import clock
from games.tables.hand_in_play import is_held
from tests.games.house import MONEY
from tests.tournaments.events import Event, structure
from tests.tournaments.test_duplicate import duplicate
from tests.tournaments.test_knock_out import knock_out
from tournaments.audit import whole as audit
from tournaments.event import closing
from tournaments.event.organiser import locked
from tournaments.models import Deal, Entry, HandEnded, Payout, TableChange, Tournament
from tournaments.running import progress
from tournaments.stages import step_gate
from wallets.models import Transaction

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """Nothing in the house catches this, as nothing catches a lost machine."""


@contextmanager
def killed_after(writes: int) -> Iterator[None]:
    """Kill the house at a statement that writes: at those that read, nothing else is lost."""
    left = writes

    def count(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal left
        left -= not sql.startswith("SELECT")
        if left < 0:
            raise Killed
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        yield


def stored(event: Event) -> tuple[object, ...]:
    """What a committed step changes."""
    row = event.row
    return row.state, row.version, row.tables_opened, Payout.objects.exclude(paid_at=None).count()


# Every how many statements the house is killed.
@pytest.fixture(params=[9, pytest.param(1, marks=pytest.mark.release)])
def apart(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def survive(event: Event, apart: int, until: Callable[[], bool]) -> None:
    """Kill the house at every statement, or at some, of every step."""
    kills, reach, before = 0, 1, stored(event)
    while not until():
        try:
            with killed_after(reach):
                progress.step(event.number, event.house.now)
        except Killed:
            kills += 1
        after = stored(event)
        # A step that is committed is not tried again: the next one is killed at its beginning.
        reach, before = (1 if after != before else reach + apart), after
        assert reach < 2_000
    assert kills * apart > 20


def no_findings(event: Event) -> bool:
    return not [str(finding) for finding in audit.audit([event.number])]


def without_steps(event: Event, monkeypatch: pytest.MonkeyPatch, until: Callable[[], bool]) -> None:
    """Tables play on, but what follows a hand is lost, and no sweep comes by."""
    with monkeypatch.context() as patched:
        patched.setattr(progress, "step", lambda *_: None)
        while not until():
            tables = Table.objects.filter(organiser=event.row.reference)
            due = tables.aggregate(at=Min("due_at"))["at"]
            assert due is not None, "no table has anything to do"
            event.house.now = max(event.house.now, due)
            clock.sweep(event.house.now)


def test_a_start_survives_at_every_statement(event: Event, apart: int) -> None:
    event.open(structure(guarantee=4_000), 3)
    assert event.row.starts_at is not None
    event.house.now = event.row.starts_at
    survive(event, apart, event.is_running)
    event.check()
    assert event.row.tables.count() == 1
    assert Entry.objects.filter(state="playing", seat__isnull=False).count() == 3
    event.until(lambda: event.hands() > 1)
    event.check()


def test_prizes_survive_at_every_statement(
    event: Event, apart: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = event.open(structure(levels=[{"point": 500}], guarantee=2_500), 2)
    event.until(event.is_running)
    without_steps(event, monkeypatch, lambda: HandEnded.objects.filter(acted_at=None).exists())
    assert event.row.state == Tournament.State.RUNNING
    survive(event, apart, event.is_over)
    event.check()
    balances = [event.house.wallet(player).balance for player in players]
    assert sum(balances) == 2 * (MONEY - 1_100) + 2_500
    posted = Transaction.objects.filter(kind="tournament_prize")
    assert posted.count() == Payout.objects.count() == 2


def test_moves_survive_at_every_statement(
    event: Event, apart: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    event.open(structure(levels=[{"point": 1_000}]), 5)
    event.until(event.is_running)
    waiting = HandEnded.objects.filter(tournament=event.number, acted_at=None)
    # A player is out at both tables: one of them is broken, and its players move.
    without_steps(event, monkeypatch, lambda: waiting.count() == 2)
    moved = TableChange.objects.filter(tournament=event.number).exclude(why="start")
    assert not moved.exists()
    survive(event, apart, lambda: not waiting.exists() and not event.row.moves_due)
    event.check()
    assert event.sizes() == [event.row.players_left]
    assert moved.count() == moved.values("entry").distinct().count() > 0
    assert no_findings(event)


def test_seats_of_a_round_survive_at_every_statement(
    event: Event, apart: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first round everybody's chips are exchanged, too."""
    high = {"levels": [{"point": 100}], "knock_out": {"line_points": 9, "until": 2}}
    small = {"game": "chinese_poker", "table_size": 2, "field_min": 3}
    event.open(knock_out("swiss", **small, **high), 3)
    event.until(event.is_running)
    without_steps(event, monkeypatch, lambda: step_gate.is_over(event.row))
    assert (event.row.stage, event.row.round) == (1, 0)
    survive(event, apart, lambda: event.row.round == 1)
    event.check()
    assert event.row.stage == 2
    assert TableChange.objects.filter(why="round", to_table__isnull=False).count() == 2
    assert event.sizes() == [2]
    assert no_findings(event)


def test_a_deal_survives_at_every_statement(
    event: Event, apart: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is settled and compared, and when the next one is laid."""
    played = duplicate(table_size=2, field_min=4, duplicate={"rounds": 1, "deals": 2})
    event.open(played, 5)
    event.until(event.is_running)
    tables = Table.objects.filter(organiser=event.row.reference)
    without_steps(event, monkeypatch, lambda: all(is_held(table) for table in tables.all()))
    assert not Entry.objects.exclude(points=0, chips_won=0).exists()
    survive(event, apart, Deal.objects.filter(number=2, began_at__isnull=False).exists)
    event.check()
    # Two points for each of two seats at two tables, and one for the player who rests.
    points = Entry.objects.aggregate(points=Sum("points"), chips=Sum("chips_won"))
    assert points == {"points": 5, "chips": 0}
    assert no_findings(event)


def test_a_cancellation_survives_at_every_statement(event: Event, apart: int) -> None:
    players = event.open(structure(guarantee=4_000), 3)
    event.until(event.is_running)
    with transaction.atomic():
        closing.begin(locked(event.number), "player:1", "a test", event.house.now)
    survive(event, apart, event.is_over)
    event.check()
    assert {event.house.wallet(player).balance for player in players} == {MONEY}
    refunds = Payout.objects.filter(kind="refund")
    assert refunds.count() == refunds.exclude(paid_at=None).count() == 3
