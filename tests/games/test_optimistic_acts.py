"""Acts on a cached table: of several writes on one version exactly one is stored.

Another process is another `TableCache`; two acts at the same moment are two threads with a
connection each.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from games.models import Hand, Move, Table
from games.tables import hand_in_play, hand_verbs, optimistic_act, table_cache
from games.tables.carried import Carried
from games.tables.decisions import Decision
from games.tables.lock import lock_table, store_table
from games.tables.table_cache import TableCache
from tests.games.commit_reveal import Device, sealed_table
from tests.games.house import House
from tests.games.simultaneous import at_once
from wallets.values.errors import Refused, Stale

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

NAMES = ("alice", "bob", "carol")


@pytest.fixture
def table(house: House) -> Table:
    return house.dealt_in("doudizhu", *NAMES)


@contextmanager
def process(remembers: TableCache) -> Iterator[None]:
    """Inside, this is a process that remembers these copies."""
    with (
        patch.object(table_cache, "TABLE_CACHE", remembers),
        patch.object(optimistic_act, "TABLE_CACHE", remembers),
        patch.object(hand_in_play, "TABLE_CACHE", remembers),
    ):
        yield


@contextmanager
def before_the_write(happens: Callable[[], object]) -> Iterator[None]:
    """Once, let something happen after the rules have been applied and before the write."""
    write, waiting = optimistic_act.WRITE_MOVES, [happens]

    def late(*args: Any) -> bool:
        while waiting:
            waiting.pop()()
        return write(*args)

    with patch.object(optimistic_act, "WRITE_MOVES", late):
        yield


def to_act(house: House, table: Table) -> tuple[Player, int, int, int]:
    """Who is to act in a game with turns: the player, the hand, the turn and the seat."""
    table.refresh_from_db()
    ((number, turn),) = table.turns.items()
    player = table.seats.get(number=number, left_at=None).player
    assert table.hand_id is not None
    return player, table.hand_id, turn, int(number)


def call(points: int) -> dict[str, object]:
    return {"do": "call", "points": points}


def numbers(hand: int) -> list[int]:
    return list(Move.objects.filter(hand=hand).order_by("number").values_list("number", flat=True))


@pytest.mark.parametrize("carries", [False, True])
def test_an_act_takes_one_statement(house: House, carries: bool) -> None:
    """Also with a link for the next shoe."""
    table = sealed_table(house)
    devices = {name: Device(house, table, name) for name in NAMES}
    for device in devices.values():
        device.start()
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    for device in devices.values():
        device.answer()
    lying = table.next_shoe
    table_cache.TABLE_CACHE.clear()
    assert lying is not None
    for made in range(2):
        player, hand, turn, seat = to_act(house, table)
        carried = Carried(devices[player.username].link_for(lying) if carries else "")
        with CaptureQueriesContext(connection) as queries:
            sent = (player, table.pk, Decision(hand, turn), [call(0)], house.now, carried)
            hand_verbs.act_all(*sent)
        assert numbers(hand) == list(range(made + 1))
        assert bool(lying.seats.exclude(reveal="").filter(number=seat)) == carries
    statements = [query["sql"].split()[0] for query in queries.captured_queries]
    if connection.vendor == "postgresql":
        assert statements == ["WITH"]
    else:
        update = ["UPDATE"] * (1 + carries)
        assert statements == ["BEGIN", *update, "INSERT", "COMMIT"]


def test_the_answer_is_the_row_as_it_is_stored(house: House, table: Table) -> None:
    for _move in range(3):
        player, hand, turn, _seat = to_act(house, table)
        answered = hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
        stored = Table.objects.get(pk=table.pk)
        for field in Table._meta.concrete_fields:
            assert getattr(answered, field.attname) == getattr(stored, field.attname), field.name
        if stored.hand_id is None:
            break


def test_of_two_acts_for_one_turn_one_is_stored(house: House, table: Table) -> None:
    """Two requests of one player with different moves, many times over."""
    for _turn in range(6):
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        player, hand, turn, seat = to_act(house, table)
        made = table.moves_made
        best = house.best_action(table, player.username)
        other = call(0) if best != call(0) else call(1)
        if best["do"] != "call":
            other = {"do": "pass"}
        answers = at_once(
            *[
                partial(hand_verbs.act, player, table.pk, hand, turn, action, house.now)
                for action in (best, other, best)
            ]
        )
        assert Move.objects.filter(hand=hand, number=made, seat=seat, turn=turn).count() == 1
        assert any(isinstance(answer, Table) for answer in answers), answers
        assert numbers(hand) == list(range(len(numbers(hand))))


def test_nobody_is_refused_because_others_act_at_once(house: House) -> None:
    """Everybody bets in one betting round, each in a thread of their own."""
    names = ("alice", "bob", "carol", "dave", "erin", "frank", "grace")
    table = house.dealt_in("baccarat", *names, betting_seconds=60)
    table.refresh_from_db()
    hand, bet = table.hand_id, {"do": "bet", "on": "player", "amount": 500}
    assert hand is not None
    acts = [
        partial(hand_verbs.act, house.person(name), table.pk, hand, 0, bet, house.now)
        for name in names
    ]
    assert all(isinstance(answer, Table) for answer in at_once(*acts))
    assert sorted(Move.objects.values_list("seat", flat=True)) == [1, 2, 3, 4, 5, 6, 7]
    assert numbers(hand) == [0, 1, 2, 3, 4, 5, 6]


def test_an_old_copy_is_no_reason_to_refuse(house: House, table: Table) -> None:
    """Two processes take turns: each finds its copy old, and reads what is new."""
    here, there = TableCache(), TableCache()
    for move in range(12):
        table.refresh_from_db()
        if table.hand_id is None:
            break
        player, hand, turn, _seat = to_act(house, table)
        action = house.best_action(table, player.username)
        with process(here if move % 2 else there):
            hand_verbs.act(player, table.pk, hand, turn, action, house.now)
    assert numbers(hand) == list(range(move + (table.hand_id is not None)))


def test_a_copy_learns_only_what_is_committed(house: House, table: Table) -> None:
    player, hand, turn, _seat = to_act(house, table)
    before = table_cache.TABLE_CACHE.newest(table.pk)
    with before_the_write(lambda: store_again(table.pk)):
        hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
    known = table_cache.TABLE_CACHE.known(table.pk)
    assert known is not None
    assert known.standing is not None
    assert (known.version, len(known.standing.moves)) == (before.version + 2, 1)
    assert known.table.turns == Table.objects.get(pk=table.pk).turns
    # The copy that was read before is still what it was.
    assert (before.table.moves_made, before.standing and before.standing.moves) == (0, ())


def store_again(table_id: int, **fields: object) -> None:
    """A verb of the office: it changes a row under its lock, and so raises its version."""
    with transaction.atomic():
        table = lock_table(table_id)
        for name, value in fields.items():
            setattr(table, name, value)
        table.save(update_fields=list(fields) or None)
        store_table(table)


def test_an_act_is_stored_after_what_the_office_has_changed(house: House, table: Table) -> None:
    player, hand, turn, _seat = to_act(house, table)
    change = partial(store_again, table.pk, notice="Last hands, please.", decision_seconds=90)
    with before_the_write(change):
        answered = hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
    table.refresh_from_db()
    assert table.notice == answered.notice == "Last hands, please."
    assert table.deadline is not None
    # The next turn has the new time.
    assert (table.deadline - house.now).total_seconds() == 90
    assert numbers(hand) == [0]


def test_a_hand_that_was_voided_in_between_gets_no_move(house: House, table: Table) -> None:
    player, hand, turn, _seat = to_act(house, table)
    void = partial(hand_verbs.void, hand, "a test", "operator:1", house.now)
    with before_the_write(void), pytest.raises(Stale) as refused:
        hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
    assert refused.value.code == "hand_over"
    assert numbers(hand) == []
    assert Hand.objects.get(pk=hand).status == Hand.Status.VOID


def test_a_seat_that_was_given_up_in_between_makes_no_move(house: House) -> None:
    """A player without a bet leaves in one tab and bets in another."""
    table = house.dealt_in("baccarat", "alice", "bob")
    house.act(table, "bob", {"do": "bet", "on": "player", "amount": 500})
    alice, bet = house.person("alice"), {"do": "bet", "on": "player", "amount": 500}
    table.refresh_from_db()
    assert table.hand_id is not None
    leaves = partial(house.leave, alice, table)
    with before_the_write(leaves), pytest.raises(Refused) as refused:
        hand_verbs.act(alice, table.pk, table.hand_id, 0, bet, house.now)
    assert refused.value.code == "not_seated_here"
    assert not Move.objects.filter(seat=1, action__do="bet").exists()


def test_an_answer_that_was_lost_is_given_again(house: House, table: Table) -> None:
    player, hand, turn, _seat = to_act(house, table)
    first = hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
    for remembers in (table_cache.TABLE_CACHE, TableCache()):
        with process(remembers):
            again = hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
            assert (again.version, again.moves_made) == (first.version, 1)
            with pytest.raises(Stale) as refused:
                hand_verbs.act(player, table.pk, hand, turn, call(1), house.now)
            assert refused.value.code == "turn_over"
    assert numbers(hand) == [0]


@pytest.mark.parametrize("step", ["before the write", "after the write"])
def test_a_process_that_ends_loses_nothing_acknowledged(
    house: House, table: Table, step: str
) -> None:
    """It ends at the write or before it has learned: the same act, sent again, is done once."""
    player, hand, turn, _seat = to_act(house, table)
    write = optimistic_act.WRITE_MOVES

    def dies(*args: Any) -> bool:
        if step == "after the write":
            write(*args)
        raise SystemError("the process ends here")

    with patch.object(optimistic_act, "WRITE_MOVES", dies), pytest.raises(SystemError):
        hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
    assert numbers(hand) == ([0] if step == "after the write" else [])
    with process(TableCache()):
        hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
    assert numbers(hand) == [0]
    table.refresh_from_db()
    assert table.moves_made == 1
    house.until(table, lambda table: table.hand_id is None)


def test_an_act_that_always_comes_second_is_decided_under_the_lock(
    house: House, table: Table
) -> None:
    player, hand, turn, _seat = to_act(house, table)
    with patch.object(optimistic_act, "WRITE_MOVES", lambda *_args: False):
        hand_verbs.act(player, table.pk, hand, turn, call(0), house.now)
    assert numbers(hand) == [0]


def test_an_act_waits_for_a_verb_that_holds_the_lock(house: House, table: Table) -> None:
    """A verb and an act at the same moment: both are done, whichever is first."""
    for _round in range(4):
        table.refresh_from_db()
        if table.hand_id is None:
            break
        player, hand, turn, _seat = to_act(house, table)
        made, version = table.moves_made, table.version
        action = house.best_action(table, player.username)
        answers: Sequence[Any] = at_once(
            partial(hand_verbs.act, player, table.pk, hand, turn, action, house.now),
            partial(store_again, table.pk, notice=f"after {made}"),
        )
        assert isinstance(answers[0], Table), answers
        table.refresh_from_db()
        assert (table.notice, table.version) == (f"after {made}", version + 2)
        assert len(numbers(hand)) == made + 1


def test_what_a_transaction_reads_is_not_remembered(house: House, table: Table) -> None:
    """It may be taken back, and another transaction may get the same version."""
    with transaction.atomic():
        store_again(table.pk, deadline=None)
        assert table_cache.TABLE_CACHE.newest(table.pk).table.deadline is None
        transaction.set_rollback(True)
    known = table_cache.TABLE_CACHE.known(table.pk)
    assert known is None or known.table.deadline is not None
    assert table_cache.TABLE_CACHE.newest(table.pk).table.deadline is not None
