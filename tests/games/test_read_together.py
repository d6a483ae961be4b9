"""Reads that are made together: one statement, and the same rows."""

from datetime import UTC, datetime
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Hand, Seat, ShoeSeat, Table
from games.models.combined import Read, read_together
from games.models.prepared import Query
from tests.games.house import House

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

TABLES: Final = Query(lambda table: Table.objects.filter(pk=table).select_related("currency"))
SEATS: Final = Query(
    lambda table: (
        Seat.objects.filter(table=table).select_related("player", "stack").order_by("-number")
    )
)
HANDS: Final = Query(lambda table: Hand.objects.filter(table=table).select_related("shoe"))
SHOE_SEATS: Final = Query(
    lambda since: ShoeSeat.objects.filter(shoe__sealed_at__gt=since).order_by("pk"), datetime
)
BEGINNING: Final = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def reads(house: House) -> list[Read]:
    """Of rows with all that a column can hold: JSON, times, flags, nothing, secrets."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    number = (table.pk,)
    return [(TABLES, number), (SEATS, number), (HANDS, number), (SHOE_SEATS, (BEGINNING,))]


def rows_of(reads: list[Read]) -> list[list[Any]]:
    return [query(*values) for query, values in reads]  # type: ignore[operator]


def test_the_rows_are_the_same(reads: list[Read]) -> None:
    alone = rows_of(reads)
    assert all(alone)
    with read_together(reads):
        together = rows_of(reads)
    for own, other in zip(alone, together, strict=True):
        assert [type(row) for row in own] == [type(row) for row in other]
        for row, same in zip(own, other, strict=True):
            fields = [field.attname for field in row._meta.concrete_fields]
            assert [getattr(row, name) for name in fields] == [
                getattr(same, name) for name in fields
            ]


def test_rows_come_with_what_they_refer_to(reads: list[Read]) -> None:
    with read_together(reads), CaptureQueriesContext(connection) as queries:
        _table, seats, (hand,), _shoe_seats = rows_of(reads)
        before = len(queries)
        assert [seat.player.username for seat in seats] == ["carol", "bob", "alice"]
        assert [seat.stack.balance for seat in seats] == [50_000] * 3
        assert hand.shoe.table_id == hand.table_id
        assert len(queries) == before


def test_they_are_one_statement_on_postgresql(reads: list[Read]) -> None:
    with CaptureQueriesContext(connection) as queries, read_together(reads):
        rows_of(reads)
        rows_of(reads)
    assert len(queries) == (1 if connection.vendor == "postgresql" else 2 * len(reads))


def test_other_values_are_a_statement_of_their_own(reads: list[Read], house: House) -> None:
    other = house.table("baccarat")
    with read_together(reads):
        assert TABLES.get(other.pk) == other
        assert SEATS(other.pk) == []


def test_after_the_block_the_database_answers_again(reads: list[Read]) -> None:
    _query, (table,) = reads[0]
    with read_together(reads):
        pass
    Table.objects.filter(pk=table).update(name="another")
    assert TABLES.get(table).name == "another"


def test_a_block_in_a_block_reads_only_what_is_new(reads: list[Read], house: House) -> None:
    other = (house.table("baccarat").pk,)
    more: list[Read] = [(TABLES, other), (SEATS, other)]
    with read_together(reads), CaptureQueriesContext(connection) as queries:
        with read_together([*reads, *more]):
            rows_of([*reads, *more])
        if connection.vendor == "postgresql":
            assert len(queries) == 1
            rows_of(reads)
            assert len(queries) == 1


def test_rows_that_are_not_there_are_none(house: House) -> None:
    with read_together([(TABLES, (0,)), (SEATS, (0,))]):
        assert TABLES(0) == []
        assert SEATS.first(0) is None
