"""Ending a hand: all of it or nothing of it, at any failure; and voiding hands."""

from typing import Any

import pytest

from games.models import Hand, HandSeat, Move, Seat, Shoe, Table
from games.records.audit import differences
from games.shoes import custody
from games.tables import clock, hand_in_play, hand_verbs, lock, next_shoe, settle
from tests.games.house import House
from wallets.models import Account, Entry, Transaction
from wallets.values.errors import Stale

# Where the work of ending a hand can break off, in the order in which it is done.
STEPS: tuple[tuple[Any, str], ...] = (
    (hand_in_play, "end_hand"),
    (settle, "legs_of"),
    (settle, "post"),
    (settle, "store_results"),
    (settle, "put_shoe_aside"),
    (settle, "publish"),
    (next_shoe, "take_next"),
    (hand_in_play, "store_table"),
)
# The same for dealing a hand, with which the next shoe is sealed.
STEPS_OF_DEAL: tuple[tuple[Any, str], ...] = (
    (custody, "mix"),
    (next_shoe, "prepare"),
    (custody, "seal"),
    (hand_in_play, "store_table"),
)


class Crash(Exception):
    """The process ends here."""


def last_move(house: House) -> Table:
    """A round of baccarat in which bets lie and only the close is missing.

    Whatever is dealt, some of them is won or lost.
    """
    table = house.dealt_in("baccarat", "alice")
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    house.act(table, "alice", {"do": "bet", "on": "tie", "amount": 300})
    table.refresh_from_db()
    return table


def stored(table: Table) -> tuple[Any, ...]:
    """Everything that a crash must leave as it was."""
    return (
        list(Table.objects.filter(pk=table.pk).values()),
        list(Hand.objects.order_by("pk").values()),
        list(HandSeat.objects.order_by("pk").values()),
        list(Move.objects.order_by("pk").values()),
        list(Shoe.objects.order_by("pk").values()),
        list(Account.objects.order_by("pk").values()),
        Transaction.objects.count(),
        Entry.objects.count(),
    )


@pytest.mark.parametrize(("module", "step"), STEPS, ids=[step for _, step in STEPS])
def test_a_crash_between_two_steps_leaves_the_hand_as_it_was(
    house: House, monkeypatch: pytest.MonkeyPatch, module: Any, step: str
) -> None:
    table = _last_call(house) if module is next_shoe else last_move(house)
    assert table.deadline is not None
    house.now = table.deadline
    _tick_despite_crash(house, table, monkeypatch, module, step)
    hand = Hand.objects.get()
    assert hand.status == Hand.Status.FINISHED
    assert list(differences(hand)) == []
    assert house.total() == 0


@pytest.mark.parametrize(("module", "step"), STEPS_OF_DEAL, ids=[step for _, step in STEPS_OF_DEAL])
def test_a_crash_while_a_hand_is_dealt_leaves_the_table_as_it_was(
    house: House, monkeypatch: pytest.MonkeyPatch, module: Any, step: str
) -> None:
    table = house.table("doudizhu")
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    assert table.due_at is not None
    house.now = table.due_at
    _tick_despite_crash(house, table, monkeypatch, module, step)
    table.refresh_from_db()
    assert (table.phase, table.hands_dealt) == (Table.Phase.PLAY, 1)
    assert table.next_shoe is not None
    assert table.next_shoe.status == Shoe.Status.SEALED


def _tick_despite_crash(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch, module: Any, step: str
) -> None:
    """The clock breaks off at a step, which leaves everything as it was, and then goes on."""
    before = stored(table)

    def crash(*_args: Any, **_options: Any) -> None:
        raise Crash

    with monkeypatch.context() as broken:
        broken.setattr(module, step, crash)
        with pytest.raises(Crash):
            clock.tick(table.pk, house.now)
    assert stored(table) == before
    clock.tick(table.pk, house.now)


def _last_call(house: House) -> Table:
    """A bidding in which two have passed, and no player has a time bank left."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    for _ in range(2):
        table.refresh_from_db()
        (number,) = table.turns
        name = ("alice", "bob", "carol")[int(number) - 1]
        house.act(table, name, {"do": "call", "points": 0})
    Seat.objects.update(time_bank=0)
    table.refresh_from_db()
    return table


def test_a_crash_after_the_commit_costs_no_more_than_the_news(
    house: House, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    announced: list[int] = []
    monkeypatch.setattr(lock, "announce", lambda table_id, version: announced.append(version))
    monkeypatch.setattr(lock, "set_alarm", lambda table_id, due_at: announced.append(table_id))
    table = last_move(house)
    with django_capture_on_commit_callbacks(execute=False):
        house.until_due(table)
    assert announced == []
    assert Hand.objects.get().status == Hand.Status.FINISHED


def test_a_hand_is_one_posting_that_its_lines_explain(house: House) -> None:
    table = last_move(house)
    house.until_due(table)
    hand = Hand.objects.get()
    posting = Transaction.objects.get(key=hand.posting)
    assert posting.reference == hand.reference
    assert posting.book_id == table.reference
    assert hand.settlement is not None
    stack = house.seat(table, "alice").stack_id
    moved = dict(posting.entries.values_list("account_id", "amount"))
    assert moved.get(stack, 0) == hand.settlement["net"]["1"]
    assert sum(moved.values()) == 0


def test_a_void_hand_moves_nothing_and_the_next_is_dealt(house: House) -> None:
    table = last_move(house)
    assert table.hand_id is not None
    house.void(table, "a spilt drink")
    hand = Hand.objects.get()
    assert hand.status == Hand.Status.VOID
    assert hand.void_reason == "operator:1: a spilt drink"
    assert house.stack(table, "alice") == 50_000
    assert list(differences(hand)) == []
    house.until(table, lambda table: table.hands_dealt == 2)
    assert Hand.objects.latest("pk").shoe_id != hand.shoe_id


def test_a_hand_that_has_ended_is_not_voided(house: House) -> None:
    table = last_move(house)
    house.until_due(table)
    with pytest.raises(Stale) as refused:
        hand_verbs.void(Hand.objects.get().pk, "too late", "operator:1", house.now)
    assert refused.value.code == "hand_over"


@pytest.mark.parametrize("game", ["doudizhu", "chinese_poker"])
def test_rake_is_taken_from_the_winners_alone(house: House, game: str) -> None:
    house.bots(3)
    table = house.table(game, bots_max=2)
    house.sit(house.player("alice"), table, 1)
    paid = Hand.objects.filter(rake__gt=0)
    house.until(table, lambda table: table.hands_dealt >= 2 and paid.exists())
    rake = 0
    for hand in Hand.objects.filter(status=Hand.Status.FINISHED):
        for row in hand.seats.all():
            won = row.net + row.rake
            assert row.rake == (won * 500 // 10_000 if won > 0 else 0)
            rake += row.rake
    assert rake > 0
    assert Account.objects.get(kind="rake", owner=table.reference).balance == rake


def test_the_audit_finds_what_was_edited(house: House) -> None:
    table = last_move(house)
    house.until_due(table)
    hand = Hand.objects.get()
    assert list(differences(hand)) == []
    # Writes behind the application's back.
    assert hand.settlement is not None
    hand.settlement["net"]["1"] += 1
    hand.save(update_fields=["settlement"])
    assert "its settlement is not what its cards and moves give" in list(differences(hand))
    hand.refresh_from_db()
    HandSeat.objects.filter(hand=hand).update(net=7)
    assert "the result of seat 1 is stored as 7, rake 0" in list(differences(hand))
    Shoe.objects.filter(pk=hand.shoe_id).update(lock="0" * 64)
    sentences = list(differences(Hand.objects.select_related("shoe").get()))
    sentence = "the lock is not that of the seal and the commits"
    assert f"the shoe {hand.shoe_id}: {sentence}" in sentences
    Move.objects.filter(hand=hand, number=0).update(action={"do": "bet", "on": "tie", "amount": 1})
    assert any(problem.startswith("it cannot be replayed") for problem in differences(hand))
