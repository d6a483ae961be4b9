"""A house that was played in when it was older has the same rows after an upgrade."""

from typing import Any, Final

import pytest
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from casino.alarms.models import Alarm, Delivery
from casino.players.models import Device
from casino.push.models import Subscription
from casino.social.models import TableInvitation
from games.models import Hand, Seat, SharedHand, Table
from games.records import audit
from games.tables import play
from tests.append_only import triggers_set_aside
from tests.games.house import House
from tests.older_databases import empty_database, last, migrate_one_by_one, rows, upgrade
from wallets import guards
from wallets.encryption import unseal

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


# What is encrypted now, and how it can be read in the rows of a house.
SEALED: Final = {
    "games_table": ["invitation"],
    "games_sharedhand": ["token"],
    "push_subscription": ["endpoint", "secret"],
    "alarms_delivery": ["address"],
}
# Columns that have come since: an older house does not know what is in them.
SINCE: Final = {
    "games_table": ["next_shoe_id"],
    "games_seat": ["house_shoes", "reply_ms", "reveals", "shoes"],
}
# Before links and addresses were encrypted.
UNSEALED: Final = {
    "games": "0037_results_of_all",
    "social": "0001_friends_and_what_is_between_players",
    "push": "0001_push_subscriptions",
    "alarms": "0002_deliveries_of_anchors",
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
    """The row with the columns that it once had beside those that it has."""
    earlier = EARLIER_NAMES.get(table, {})
    older = row | {name: row[column] for column, name in earlier.items()}
    for name in SEALED.get(table, ()):
        older[name] = unseal(row[f"sealed_{name}"]).decode()
    if table == "games_seat":
        older["withheld"] = 0
    if table == "games_hand":
        older["void_reason"] = ": ".join(filter(None, [row["void_by"], row["void_text"]]))
    return older


def store(present: Rows) -> None:
    """Store the rows as this older database has room for them."""
    with connection.cursor() as cursor, transaction.atomic(), triggers_set_aside(connection):
        for table in set(present) & set(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
            columns = [column[0] for column in cursor.description]
            names = ", ".join(f'"{column}"' for column in columns)
            places = ", ".join(["%s"] * len(columns))
            for row in present[table]:
                older = as_it_was(table, row)
                cursor.execute(
                    f"INSERT INTO {table} ({names}) VALUES ({places})",
                    [older[column] for column in columns],
                )


def readable(found: Rows) -> Rows:
    """The rows as an older house has them; what is encrypted is encrypted otherwise each time."""
    return {table: [as_read(table, row) for row in each] for table, each in found.items()}


def as_read(table: str, row: dict[str, Any]) -> dict[str, Any]:
    sealed = [f"sealed_{name}" for name in SEALED.get(table, ())]
    known = {name: value for name, value in row.items() if name not in SINCE.get(table, ())}
    return known | {name: unseal(row[name]).decode() for name in sealed}


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
    assert readable(upgraded) == readable(present)


def linked_to(house: House) -> None:
    """Links and addresses of each kind that were in plain text."""
    table = house.dealt_in("baccarat", "alice")
    alice, hand = house.person("alice"), Hand.objects.get()
    SharedHand.objects.create(hand=hand, player=alice, made_at=house.now)
    TableInvitation.objects.create(
        table=table,
        friend=house.player("bert"),
        invitation_digest=Table.objects.get().invitation_digest,
        made_at=house.now,
    )
    for number in range(2):
        device = Device.objects.create(
            player=alice, digest=f"{number}", signed_in_at=house.now, seen_at=house.now
        )
        Subscription.objects.create(
            device=device,
            endpoint=f"https://push.example/{number}",
            public_key="public",
            secret="secret",
            made_at=house.now,
        )
    alarm = Alarm.objects.create(kind="sweeper", raised_at=house.now)
    Delivery.objects.create(alarm=alarm, channel="webhook", address="https://hooks.example/1")


@pytest.mark.release
@pytest.mark.postgresql
@pytest.mark.django_db
def test_links_of_an_older_house_lead_where_they_led(house: House) -> None:
    linked_to(house)
    present = rows()
    link = Table.objects.get().invitation
    with empty_database():
        targets = dict(last(MigrationLoader(None, replace_migrations=False))) | UNSEALED
        migrate_one_by_one(*targets.items())
        for row in present["social_tableinvitation"]:
            row["invitation"] = link
        store(present)
        upgrade()
        upgraded = rows()
    for row in present["social_tableinvitation"]:
        del row["invitation"]
    assert readable(upgraded) == readable(present)
