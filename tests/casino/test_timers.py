"""A web process does itself what is due after its own changes; workers do what it has missed."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from casino.accounts.models import Player
from games.live import announcing, wake_ups
from games.live.wake_ups import DUE, MISSED_AFTER
from games.models import Move, Table
from games.words.strengths import STRONG
from tests.casino.web_process import Page, Program, Web, web_process
from tests.games.house import House
from tests.valkey import Valkey
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture
def web(redis: Valkey, house: House) -> Iterator[Web]:
    with web_process() as process:
        yield process


def due_for_workers(table: Table) -> datetime | None:
    """When a worker would take the table."""
    score = announcing.client().zscore(DUE, str(table.pk))
    return None if score is None else datetime.fromtimestamp(float(score), table.due_at.tzinfo)


def ring(web: Web, table: Table) -> None:
    """The timer's time has come."""

    async def ring() -> None:
        web.application.timers.ring(table.pk)

    web.run(ring)


def test_the_process_that_acts_is_there_when_the_next_turn_is_over(web: Web, house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    actors = {
        str(at): Program(web, house, table, name) for at, name in enumerate(("alice", "bob"), 1)
    }
    while (number := next(iter(table.turns))) in actors:
        actors[number].act({"do": "call", "points": 0})
        table.refresh_from_db()
    assert table.due_at is not None
    until(lambda: due_for_workers(table) == table.due_at + MISSED_AFTER)
    # Carol is away: her time is up.
    house.now = table.due_at + timedelta(seconds=60)
    made = table.moves_made
    ring(web, table)
    until(lambda: Table.objects.get(pk=table.pk).moves_made > made)
    assert Move.objects.filter(hand=table.hand_id, seat=3).exclude(by=Move.By.PLAYER).exists()


def test_a_bot_that_has_to_think_does_so_in_a_worker(web: Web, house: House) -> None:
    house.bots(2)
    Player.objects.filter(is_bot=True).update(strength=STRONG)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: "1" in table.turns)
    # Whoever calls may have to act again.
    Page(web, house, table, "alice").act({"do": "call", "points": 0})
    table.refresh_from_db()
    assert table.due_at is not None
    until(lambda: due_for_workers(table) == table.due_at + MISSED_AFTER)
    house.now, made = table.due_at, table.moves_made
    ring(web, table)
    until(lambda: due_for_workers(table) == house.now)
    assert Table.objects.get(pk=table.pk).moves_made == made


def test_a_process_that_has_ended_leaves_its_tables_to_workers(redis: Valkey, house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    with web_process():
        wake_ups.set_alarm(table.pk, house.now)
        assert due_for_workers(table) == house.now + MISSED_AFTER
    wake_ups.set_alarm(table.pk, house.now)
    assert due_for_workers(table) == house.now
