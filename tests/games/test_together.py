"""Prepared writes that wait for the end of a block and are sent together."""

from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.db import DataError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Shoe, Table
from games.models.combined import CannotPlan, Plan, planned, send_waiting, together
from games.models.prepared import Insert, Update, UpdateRows
from games.tables.lock import WRITE_LIVE
from tests.games.house import House
from wallets.models import Currency, Transaction
from wallets.money.ledger import Leg, post
from wallets.storage.database_connections import prepared_cursor
from wallets.values.errors import Overdrawn

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

INSERT_TABLES, INSERT_SHOES = Insert(Table), Insert(Shoe)
WRITE_NAMES, WRITE_PLACES = UpdateRows(Table, ("name",)), Update(Table, ("places",))


def new_table(house: House, name: str) -> Table:
    amounts = {"buy_in_min": 1, "buy_in_max": 2, "stack_min": 1}
    return Table(name=name, game="baccarat", currency=house.currency, places=1, **amounts)


def new_shoe(house: House, table: Table) -> Shoe:
    named: dict[str, Any] = dict.fromkeys(("secret", "seal", "key", "x_0"), "")
    return Shoe(code="one", table=table, decks=1, jokers=False, sealed_at=house.now, **named)


def test_they_are_one_statement_on_postgresql(house: House) -> None:
    tables = [house.table("baccarat") for _table in range(2)]
    with CaptureQueriesContext(connection) as queries, together():
        tables[0].name, tables[1].name = "first", "it's %s"
        WRITE_NAMES(tables)
        INSERT_TABLES([new_table(house, "new")])
        assert not queries.captured_queries
    assert len(queries) == (1 if connection.vendor == "postgresql" else 2)
    assert set(Table.objects.values_list("name", flat=True)) == {"first", "it's %s", "new"}


def test_a_row_gets_the_key_of_one_that_is_written_with_it(house: House) -> None:
    table = new_table(house, "new")
    shoe = new_shoe(house, table)
    with together():
        INSERT_TABLES([table])
        INSERT_SHOES([shoe])
    assert table.pk is not None
    assert shoe.table_id == Shoe.objects.get().table_id == table.pk


def test_several_updates_of_a_row_become_one_with_its_last_values(house: House) -> None:
    table, other = house.table("baccarat"), house.table("baccarat")
    with together():
        table.name, other.name = "first", "other"
        WRITE_NAMES([table, other])
        table.name, table.places = "last", 3
        WRITE_PLACES(table)
    stored = Table.objects.in_bulk([table.pk, other.pk])
    assert (stored[table.pk].name, stored[table.pk].places) == ("last", 3)
    assert (stored[other.pk].name, stored[other.pk].places) == ("other", other.places)


def test_an_update_of_a_row_that_is_inserted_goes_with_it(house: House) -> None:
    table = new_table(house, "new")
    with together():
        INSERT_TABLES([table])
        table.places = 5
        WRITE_PLACES(table)
    assert Table.objects.get().places == 5


def test_a_read_sends_them_first(house: House) -> None:
    table = house.table("baccarat", name="before")
    with together():
        table.name = "after"
        WRITE_NAMES([table])
        assert Table.objects.get(name="after") == table
        new = new_table(house, "new")
        INSERT_TABLES([new])
        send_waiting()
        assert new.pk is not None


def test_they_are_dropped_where_the_block_fails(house: House) -> None:
    table = house.table("baccarat", name="before")

    def fails() -> None:
        with together():
            table.name = "after"
            WRITE_NAMES([table])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fails()
    assert Table.objects.get().name == "before"
    WRITE_NAMES([table])
    assert Table.objects.get().name == "after"


def test_a_row_that_is_missing_is_noticed(house: House) -> None:
    table, gone = house.table("baccarat"), new_table(house, "gone")
    gone.pk = table.pk + 1

    def writes() -> None:
        with together():
            WRITE_PLACES(gone)
            WRITE_NAMES([table])

    with pytest.raises(AssertionError):
        writes()


def test_without_a_block_they_are_sent_at_once(house: House) -> None:
    INSERT_TABLES([new_table(house, "new")])
    assert Currency.objects.count() == 1
    assert Table.objects.get().name == "new"


def test_a_posting_goes_with_them_or_is_refused_with_them(house: House) -> None:
    table = house.table("baccarat", name="before")
    alice, bob = (house.wallet(house.player(name, 100)) for name in ("alice", "bob"))
    made = Transaction.objects.count()

    def pay(amount: int) -> None:
        table.name = f"paid {amount}"
        with transaction.atomic(), together():
            legs = [Leg(alice.pk, -amount), Leg(bob.pk, amount)]
            post(uuid4(), "hand", legs, book=table.reference, actor="house", reason="a test")
            WRITE_NAMES([table])

    pay(60)
    with pytest.raises(Overdrawn) as refused:
        pay(60)
    assert refused.value.values["account"] == alice.pk
    assert house.wallet(house.person("bob")).balance == 160
    assert Transaction.objects.count() == made + 1
    assert Table.objects.get(pk=table.pk).name == "paid 60"


def carried_out(plan: Plan) -> bool:
    sql, values = plan.statement()
    with prepared_cursor(numbered=True) as cursor:
        cursor.execute(sql, values)
        return plan.took_effect(cursor.fetchall())


def paying_plan(house: House, table: Table, names: tuple[str, str], amount: int) -> Plan:
    """A plan with a row that is changed, one that is new, and a posting."""
    payer, payee = (house.wallet(house.person(name)).pk for name in names)
    with planned(table, table.version) as plan, together():
        table.version += 1
        table.due_at = house.now
        legs = [Leg(payer, -amount), Leg(payee, amount)]
        post(uuid4(), "hand", legs, book=table.reference, actor="house", reason="a test")
        WRITE_LIVE(table)
        INSERT_SHOES([new_shoe(house, table)])
    return plan


def stored(house: House, table: Table) -> tuple[int, ...]:
    wallets = [house.wallet(house.person(name)).balance for name in ("alice", "bob")]
    version = Table.objects.values_list("version", flat=True).get(pk=table.pk)
    return version, Shoe.objects.count(), *wallets


def test_a_plan_takes_effect_as_a_whole_or_not_at_all(house: House) -> None:
    if connection.vendor != "postgresql":
        # It has no event loop's connection.
        return
    table = house.table("baccarat")
    house.player("alice", 100), house.player("bob", 100)
    plans = {
        "the row has changed": (("alice", "bob"), 60, lambda row: setattr(row, "version", 7)),
        "a posting is refused": (("bob", "alice"), 101, lambda row: None),
    }
    before = stored(house, table)
    for names, amount, change in plans.values():
        row = Table.objects.get(pk=table.pk)
        change(row)
        plan = paying_plan(house, row, names, amount)
        with suppress(DataError), transaction.atomic():
            assert not carried_out(plan)
        assert stored(house, table) == before
    again = Table.objects.get(pk=table.pk)
    assert carried_out(paying_plan(house, Table.objects.get(pk=table.pk), ("alice", "bob"), 60))
    assert stored(house, table) == (before[0] + 1, 1, 40, 160)
    # What was planned on the version before comes too late.
    assert not carried_out(paying_plan(house, again, ("bob", "alice"), 60))
    assert stored(house, table) == (before[0] + 1, 1, 40, 160)


def test_what_has_to_ask_or_is_of_record_is_not_planned(house: House) -> None:
    table = house.table("baccarat")
    with planned(table, table.version) as plan:
        INSERT_SHOES([new_shoe(house, table)])
        with pytest.raises(CannotPlan):
            send_waiting()
    with pytest.raises(CannotPlan):
        plan.statement()
    with planned(table, table.version) as plan:
        WRITE_NAMES([table])
    with pytest.raises(CannotPlan):
        plan.statement()
