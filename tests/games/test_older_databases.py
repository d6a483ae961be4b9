"""A house that was played in when it was older has the same rows after an upgrade."""

from typing import Any, Final

import pytest
from django.db import connection, transaction

from games.models import Hand, Seat
from games.records import audit
from games.tables import play
from tests.append_only import triggers_set_aside
from tests.games.house import House
from tests.older_databases import empty_database, migrate_one_by_one, rows, upgrade
from wallets import guards

Rows = dict[str, list[dict[str, Any]]]

# Before columns got the names of the glossary, and void hands columns for their reasons.
OLDER: Final = ("games", "0015_table_organiser")
EARLIER_NAMES: Final = {
    "games_seat": {
        "reserved_for_id": "heir_id",
        "reserved_buy_in": "heir_buy_in",
        "auto_play": "trustee",
        "shown_offline": "told_offline",
    },
    "games_table": {
        "stack_min": "purse_min",
        "overflow_max": "twins_max",
        "overflow_of_id": "twin_of_id",
    },
    "games_handseat": {"starting_stack": "purse"},
}


def played_in(house: House) -> None:
    first = house.table("baccarat", overflow_max=3)
    table = house.table("baccarat", overflow_of=first, stack_min=1_234)
    seat = house.sit(house.player("alice"), table, 1)
    Seat.objects.filter(pk=seat.pk).update(
        reserved_for=house.player("bert"), reserved_buy_in=7_000, auto_play=True, shown_offline=True
    )
    house.dealt_in("doudizhu", "carl", "dora", "emil")
    spilt = house.dealt_in("baccarat", "frank")
    assert spilt.hand_id is not None
    play.void(spilt.hand_id, "a spilt drink", "operator:1", house.now)


def as_it_was(table: str, row: dict[str, Any]) -> dict[str, Any]:
    earlier = EARLIER_NAMES.get(table, {})
    older = {earlier.get(column, column): value for column, value in row.items()}
    if table == "games_hand":
        older["void_reason"] = ": ".join(filter(None, [row["void_by"], row["void_text"]]))
    return older


def store(present: Rows) -> None:
    """Store the rows as this older database has room for them."""
    introspection = connection.introspection
    with connection.cursor() as cursor, transaction.atomic(), triggers_set_aside(connection):
        for table in set(present) & set(introspection.table_names(cursor)):
            columns = [column.name for column in introspection.get_table_description(cursor, table)]
            names = ", ".join(f'"{column}"' for column in columns)
            places = ", ".join(["%s"] * len(columns))
            for row in present[table]:
                older = as_it_was(table, row)
                cursor.execute(
                    f"INSERT INTO {table} ({names}) VALUES ({places})",
                    [older[column] for column in columns],
                )


@pytest.mark.release
@pytest.mark.django_db
def test_an_older_house_keeps_its_rows(house: House) -> None:
    played_in(house)
    present = rows()
    with empty_database():
        migrate_one_by_one(OLDER)
        store(present)
        upgrade()
        assert guards.missing() == []
        upgraded = rows()
        assert [found for _hand, found in audit.audit(Hand.objects.filter(status="void"))] == [[]]
    # Faces came later: a migration gives each player one by the number, and a new player draws one.
    for player in [*present["players_player"], *upgraded["players_player"]]:
        del player["face"]
    assert upgraded.keys() == present.keys()
    assert {name: found for name, found in upgraded.items() if found != present[name]} == {}
