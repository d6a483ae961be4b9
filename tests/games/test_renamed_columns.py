"""Columns that got the names of the glossary: a table and a seat of an older database keep them."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import pytest
from django.apps import apps as django_apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.models import HandSeat, Seat
from tests.games.house import House

BEFORE = ("games", "0017_no_packed_void_reason")
SEAT = {
    "heir_id": "reserved_for_id",
    "heir_buy_in": "reserved_buy_in",
    "trustee": "auto_play",
    "told_offline": "shown_offline",
}
TABLE = {"purse_min": "stack_min", "twins_max": "overflow_max", "twin_of_id": "overflow_of_id"}
HAND_SEAT = {"purse": "starting_stack"}


def values(model: type[Any], pk: int, columns: list[str]) -> tuple[Any, ...]:
    row = model.objects.filter(pk=pk).values_list(*columns)
    return tuple(row.get())


@pytest.mark.django_db(transaction=True)
def test_rows_of_an_older_database_keep_their_values(house: House) -> None:
    first = house.table("baccarat", overflow_max=3)
    table = house.table("baccarat", overflow_of=first, stack_min=1_234)
    seat = house.sit(house.player("alice"), table, 1)
    Seat.objects.filter(pk=seat.pk).update(
        reserved_for=house.player("bert"), reserved_buy_in=7_000, auto_play=True, shown_offline=True
    )
    dealt = HandSeat.objects.filter(
        hand__table=house.dealt_in("doudizhu", "carl", "dora", "emil")
    ).latest("pk")
    assert dealt.starting_stack > 0
    rows = (
        ("Seat", seat.pk, SEAT),
        ("Table", table.pk, TABLE),
        ("Table", first.pk, TABLE),
        ("HandSeat", dealt.pk, HAND_SEAT),
    )

    def in_columns_of(apps: Any, column: Callable[[tuple[str, str]], str]) -> list[Any]:
        return [
            values(apps.get_model("games", model), pk, [column(names) for names in pairs.items()])
            for model, pk, pairs in rows
        ]

    before, now = itemgetter(0), itemgetter(1)
    new = in_columns_of(django_apps, now)
    older = MigrationExecutor(connection).migrate([BEFORE]).apps
    old = in_columns_of(older, before)
    assert old == new
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    assert in_columns_of(django_apps, now) == old
