"""Statements that are compiled once give and store what the ORM would."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import NotSupportedError, connection, models, transaction
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from games.models import HandSeat, Move, Seat, Shoe, Table
from games.models.prepared import Insert, Prepared, Query, Update, UpdateRows
from games.tables.hand_cache import hand_with_shoe, last_hand_of, moves_between, players_in_hand
from games.tables.lock import LIVE_FIELDS, LOCKED, ROW, SEATS
from tests.games.house import House
from wallets.storage.database_connections import prepared_cursor

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(house: House) -> Table:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.let_people_act(table)
    table.refresh_from_db()
    return table


def columns(row: models.Model | None) -> dict[str, Any]:
    assert row is not None
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_rows_are_those_of_the_queryset(table: Table) -> None:
    assert table.hand_id is not None
    for row in (LOCKED.get(table.pk), ROW.get(table.pk)):
        assert columns(row) == columns(Table.objects.get(pk=table.pk))
        assert columns(row.currency) == columns(table.currency)
        assert table.hand is not None
        assert columns(row.shoe) == columns(table.hand.shoe)
    seats = table.seats.order_by("number")
    assert [columns(seat) for seat in SEATS(table.pk)] == [columns(seat) for seat in seats]
    for seat, read in zip(SEATS(table.pk), seats, strict=True):
        assert columns(seat.player) == columns(read.player)
        assert columns(seat.stack) == columns(read.stack)
    hand = hand_with_shoe.get(table.hand_id)
    assert table.hand is not None
    with CaptureQueriesContext(connection) as queries:
        assert columns(hand.shoe) == columns(table.hand.shoe)
    assert len(queries) == 0
    assert columns(hand) == columns(table.hand)
    moves = Move.objects.filter(hand=hand).order_by("number")
    assert [columns(move) for move in moves_between(hand.pk, 0, 9)] == [*map(columns, moves)]
    assert moves_between(hand.pk, 1, 9) == list(moves[1:])
    players = players_in_hand(hand.pk)
    assert [*map(columns, players)] == [*map(columns, hand.seats.all())]
    assert [player.player.username for player in players] == ["alice", "bob", "carol"]
    last = last_hand_of.first(table.pk)
    assert columns(last) == columns(table.hand)


def test_values_are_those_of_the_queryset(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    house.until(table, lambda table: table.hand_id is None)

    def sums(player: int, since: datetime) -> models.QuerySet[HandSeat, tuple[str, int]]:
        hands = HandSeat.objects.filter(player=player, ended_at__gte=since)
        return hands.order_by("currency").values_list("currency").annotate(net=Sum("net"))

    alice, long_ago = house.person("alice").pk, house.now - timedelta(days=1)
    read = Prepared(sums, int, datetime).read
    assert [tuple(row) for row in read(alice, long_ago)] == list(sums(alice, long_ago))
    assert len(read(alice, long_ago)) == 1
    assert read(alice, house.now + timedelta(days=1)) == []


def test_a_table_without_a_shoe_has_none(house: House) -> None:
    table = house.table("doudizhu")
    assert LOCKED.get(table.pk).shoe is None
    assert SEATS(table.pk) == []


def test_a_row_that_is_missing_is_said_to_be(table: Table) -> None:
    assert ROW.first(table.pk + 1) is None
    assert ROW.first(10**30) is None
    with pytest.raises(Table.DoesNotExist):
        ROW.get(table.pk + 1)


def test_rows_are_found_by_text_and_by_time(table: Table) -> None:
    sealed = Query(lambda code, at: Shoe.objects.filter(code=code, sealed_at__gt=at), str, datetime)
    shoe = table.hand.shoe if table.hand else None
    assert shoe is not None
    before = shoe.sealed_at - timedelta(microseconds=1)
    assert columns(sealed.first(shoe.code, before)) == columns(shoe)
    assert sealed(shoe.code, shoe.sealed_at) == []
    for other in ("", "it's", "\0", "%s", shoe.code.lower() + " "):
        assert sealed(other, before) == []


def test_some_fields_of_several_rows_are_written(table: Table) -> None:
    rows = list(HandSeat.objects.filter(hand=table.hand_id).order_by("number"))
    for row in rows[:2]:
        row.net, row.status, row.starting_stack = -row.number, "it's %s", 0
        row.ended_at = row.hand.started_at
    UpdateRows(HandSeat, ("net", "status", "ended_at"))(rows[:2])
    kept = {row.pk: row for row in HandSeat.objects.filter(hand=table.hand_id)}
    for row in rows:
        stored = kept[row.pk]
        assert stored.starting_stack > 0
        assert (stored.net, stored.status, stored.ended_at) == (row.net, row.status, row.ended_at)
    with CaptureQueriesContext(connection) as queries:
        UpdateRows(HandSeat, ("net",))([])
    assert len(queries) == 0


@pytest.mark.postgresql
def test_a_field_of_several_rows_is_emptied(table: Table) -> None:
    table.seats.update(next_bets=[{"do": "bet"}])
    seats = list(table.seats.all())
    for seat in seats:
        seat.next_bets = None
    UpdateRows(Seat, ("next_bets",))(seats)
    assert table.seats.filter(next_bets__isnull=True).count() == len(seats) == 3


def test_some_fields_of_one_row_are_written(house: House, table: Table) -> None:
    other = columns(house.table("baccarat"))
    table.moves_made, table.turns, table.deadline, table.name = 7, {"2": 7}, None, "not written"
    table.phase = Table.Phase.REVEAL
    Update(Table, LIVE_FIELDS)(table)
    stored = Table.objects.get(pk=table.pk)
    assert stored.name != "not written"
    assert {**columns(stored), "name": table.name} == columns(table)
    assert columns(Table.objects.get(pk=other["id"])) == other


@pytest.mark.always
def test_inserted_rows_have_their_keys(table: Table) -> None:
    made = [
        Move(
            hand_id=table.hand_id,
            number=50 + number,
            seat=1,
            action={"do": "pass", "note": "'; --"},
            turn=4,
            by=Move.By.BOT,
            at=table.hand.started_at if table.hand else None,
        )
        for number in range(3)
    ]
    Insert(Move)(made)
    stored = Move.objects.filter(number__gte=50).order_by("number")
    assert [columns(move) for move in stored] == [columns(move) for move in made]
    with CaptureQueriesContext(connection) as queries:
        Insert(Move)([])
    assert len(queries) == 0


def test_a_row_keeps_the_key_that_it_was_given(table: Table) -> None:
    shoe = table.hand.shoe if table.hand else None
    assert shoe is not None
    shoe.code = "T1-another"
    Insert(Shoe)([shoe])
    assert columns(Shoe.objects.get(pk="T1-another")) == columns(shoe)


@pytest.mark.always
@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_inside_a_transaction_only(house: House) -> None:
    locking = Query(lambda key: Seat.objects.select_for_update().filter(pk=key))
    with transaction.atomic():
        locking(1)
    if connection.features.has_select_for_update:
        with pytest.raises(transaction.TransactionManagementError):
            locking(1)
    else:
        assert locking(1) == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_type_that_a_migration_changes_costs_each_connection_one_read() -> None:
    if connection.vendor != "postgresql":
        return
    migration = connection.copy()
    with migration.cursor() as cursor:
        cursor.execute("CREATE TABLE counted (number integer)")
    try:
        for _ in range(9):
            assert _counted() == []
        with migration.cursor() as cursor:
            cursor.execute("ALTER TABLE counted ALTER number TYPE bigint")
        with pytest.raises(NotSupportedError):
            _counted()
        assert _counted() == []
    finally:
        with migration.cursor() as cursor:
            cursor.execute("DROP TABLE counted")
        migration.close()


def _counted() -> list[tuple[int]]:
    with prepared_cursor() as cursor:
        cursor.execute("SELECT number FROM counted WHERE number > %s", [0])
        rows: list[tuple[int]] = cursor.fetchall()
        return rows
