"""A web process does itself what is due after its own changes; workers do what it has missed."""

from datetime import UTC, datetime, timedelta

import pytest

from casino.accounts.models import Player
from games.live import announcing, wake_ups
from games.live.wake_ups import DUE, MISSED_AFTER
from games.models import Move, Table
from games.words.players import STRONG
from tests.casino.web_process import Program, Web, web_process
from tests.games.house import House
from tests.valkey import Valkey
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

NAMES = ("alice", "bob", "carol")


def due_for_workers(table: Table) -> datetime | None:
    """When a worker would take the table."""
    score = announcing.client().zscore(DUE, str(table.pk))
    return None if score is None else datetime.fromtimestamp(float(score), UTC)


def ring(web: Web, table: Table) -> None:
    """The timer's time has come."""

    async def ring() -> None:
        web.application.timers.ring(table.pk)

    web.run(ring)


def test_the_process_that_acts_is_there_when_the_next_turn_is_over(
    redis: Valkey, house: House
) -> None:
    # Before there is a process whose timers would ring while the table is prepared.
    table = house.dealt_in("doudizhu", *NAMES)
    with web_process() as web:
        (first,) = table.turns
        Program(web, house, table, NAMES[int(first) - 1]).act({"do": "call", "points": 0})
        table.refresh_from_db()
        (number,) = table.turns
        due, made = table.due_at, table.moves_made
        assert due is not None
        until(lambda: due_for_workers(table) == due + MISSED_AFTER)
        # The next player is away, and the time of the turn is up.
        house.now = due + timedelta(seconds=60)
        ring(web, table)
        until(lambda: Table.objects.get(pk=table.pk).moves_made > made)
    moves = Move.objects.filter(hand=table.hand_id, seat=int(number))
    assert moves.exclude(by=Move.By.PLAYER).exists()


def test_a_bot_that_has_to_think_does_so_in_a_worker(redis: Valkey, house: House) -> None:
    house.bots(2)
    Player.objects.filter(is_bot=True).update(strength=STRONG)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: "2" in table.turns)
    due, made = table.due_at, table.moves_made
    assert due is not None
    house.now = due
    with web_process() as web:
        ring(web, table)
        until(lambda: due_for_workers(table) == due)
    assert Table.objects.get(pk=table.pk).moves_made == made


def test_a_process_that_has_ended_leaves_its_tables_to_workers(redis: Valkey, house: House) -> None:
    table = house.dealt_in("doudizhu", *NAMES)
    with web_process():
        wake_ups.set_alarm(table.pk, house.now)
        assert due_for_workers(table) == house.now + MISSED_AFTER
    wake_ups.set_alarm(table.pk, house.now)
    assert due_for_workers(table) == house.now
