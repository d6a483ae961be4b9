"""A process that is killed at any statement loses nothing, and pays and seats nobody twice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from tests.games.house import MONEY
from tests.tournaments.events import Event, structure
from tournaments import cancelling, progress
from tournaments.models import Entry, HandEnded, Payout, Tournament
from tournaments.organiser import locked
from wallets.models import Transaction

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """Nothing in the house catches this, as nothing catches a lost machine."""


@contextmanager
def killed_after(statements: int) -> Iterator[None]:
    left = statements

    def count(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        yield


def stored(event: Event) -> tuple[object, ...]:
    """Whatever a committed step changes."""
    row = event.row
    return row.state, row.version, row.tables_opened, Payout.objects.exclude(paid_at=None).count()


def survive(event: Event, until: Callable[[], bool]) -> int:
    """Kill the house at every statement of every step; how often that was."""
    kills, reach, before = 0, 1, stored(event)
    while not until():
        try:
            with killed_after(reach):
                progress.step(event.number, event.house.now)
        except Killed:
            kills += 1
        after = stored(event)
        # A step that is committed is not tried again: the next one is killed at its beginning.
        reach, before = (1 if after != before else reach + 1), after
        assert reach < 2_000
    return kills


def test_a_start_survives_at_every_statement(event: Event) -> None:
    event.open(structure(guarantee=4_000), 3)
    assert event.row.starts_at is not None
    event.house.now = event.row.starts_at
    assert survive(event, event.is_running) > 40
    event.check()
    assert event.row.tables.count() == 1
    assert Entry.objects.filter(state="playing", seat__isnull=False).count() == 3
    event.play()
    event.check()


def test_prizes_survive_at_every_statement(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    players = event.open(structure(levels=[{"point": 500}], guarantee=2_500), 2)
    event.until(event.is_running)
    # What follows a hand is lost, and no sweep comes by.
    with monkeypatch.context() as patched:
        patched.setattr(progress, "step", lambda *_: None)
        event.until(lambda: HandEnded.objects.filter(acted_at=None).exists())
    assert event.row.state == Tournament.State.RUNNING
    assert survive(event, event.is_over) > 40
    event.check()
    assert (
        sum(event.house.wallet(player).balance for player in players) == 2 * (MONEY - 1_100) + 2_500
    )
    posted = Transaction.objects.filter(kind="tournament_prize")
    assert posted.count() == Payout.objects.count() == 2


def test_a_cancellation_survives_at_every_statement(event: Event) -> None:
    players = event.open(structure(guarantee=4_000), 3)
    event.until(event.is_running)
    with transaction.atomic():
        cancelling.begin(locked(event.number), "player:1", "a test", event.house.now)
    assert survive(event, event.is_over) > 40
    event.check()
    assert {event.house.wallet(player).balance for player in players} == {MONEY}
    refunds = Payout.objects.filter(kind="refund")
    assert refunds.count() == refunds.exclude(paid_at=None).count() == 3
