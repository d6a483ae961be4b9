"""Rows of older databases keep their values.

To go back and forth takes half a minute, so that what has changed is examined on one way.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, NamedTuple

import pytest
from django.apps import apps as django_apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.models import Hand, HandSeat, Seat
from games.records import audit
from games.tables import play
from tests.games.house import House

BEFORE_THE_NAMES = ("games", "0017_no_packed_void_reason")
BEFORE_THE_REASONS = ("games", "0015_table_organiser")

# Columns that got the names of the glossary, with the names that they had.
SEAT = {
    "heir_id": "reserved_for_id",
    "heir_buy_in": "reserved_buy_in",
    "trustee": "auto_play",
    "told_offline": "shown_offline",
}
TABLE = {"purse_min": "stack_min", "twins_max": "overflow_max", "twin_of_id": "overflow_of_id"}
HAND_SEAT = {"purse": "starting_stack"}
BEFORE: Callable[[tuple[str, str]], str] = itemgetter(0)
NOW: Callable[[tuple[str, str]], str] = itemgetter(1)


class Renamed(NamedTuple):
    """A row whose columns have other names now."""

    model: str
    pk: int
    columns: dict[str, str]

    def values(self, apps: Any, name: Callable[[tuple[str, str]], str]) -> tuple[Any, ...]:
        rows = apps.get_model("games", self.model).objects.filter(pk=self.pk)
        return tuple(rows.values_list(*[name(names) for names in self.columns.items()]).get())


def rows_with_renamed_columns(house: House) -> list[Renamed]:
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
    return [
        Renamed("Seat", seat.pk, SEAT),
        Renamed("Table", table.pk, TABLE),
        Renamed("Table", first.pk, TABLE),
        Renamed("HandSeat", dealt.pk, HAND_SEAT),
    ]


def void_hand(house: House) -> Hand:
    table = house.dealt_in("baccarat", "frank")
    assert table.hand_id is not None
    return play.void(table.hand_id, "a spilt drink", "operator:1", house.now)


def migrated_to(*targets: tuple[str, str]) -> Any:
    """The models as they are after these migrations; with none, after all there are."""
    executor = MigrationExecutor(connection)
    return executor.migrate([*targets] or executor.loader.graph.leaf_nodes()).apps


@pytest.mark.django_db(transaction=True)
def test_rows_of_older_databases_keep_their_values(house: House) -> None:
    renamed, void = rows_with_renamed_columns(house), void_hand(house)
    new = [row.values(django_apps, NOW) for row in renamed]

    older = migrated_to(BEFORE_THE_NAMES)
    assert [row.values(older, BEFORE) for row in renamed] == new

    migrated_to(BEFORE_THE_REASONS)
    with connection.cursor() as cursor:
        cursor.execute("SELECT void_reason FROM games_hand WHERE id = %s", [void.pk])
        assert cursor.fetchone() == ("operator:1: a spilt drink",)

    migrated_to()
    assert [row.values(django_apps, NOW) for row in renamed] == new
    void.refresh_from_db()
    assert (void.void_by, void.void_text, void.void_code) == ("operator:1", "a spilt drink", "")
    assert [found for _hand, found in audit.audit(Hand.objects.filter(pk=void.pk))] == [[]]
