"""Every verb that changes what a copy of a table holds raises the table's version.

Modules about verbs at tables ask for `versions_watched`, and so does the simulated world; here are
the watch itself, the columns that it leaves out, and the verbs of staff.
"""

from collections.abc import Callable
from typing import Final
from uuid import uuid4

import pytest
from django.db import transaction

from games.models import Seat, Table
from games.rules.catalogue import GAMES
from games.rules.contract import most_seats
from games.tables import clock
from games.tables.hand_state import game_from
from games.tables.lock import lock_table, store_table
from games.tables.table_cache import TABLE_CACHE
from tests.casino.floor_scene import member
from tests.casino.test_floor_staff import VERBS
from tests.games.house import House
from tests.games.test_back_office import settings
from tests.people import client_of
from tests.versions import UNVERSIONED, Unraised, versioned, watched
from wallets.money.ledger import Leg, post

pytestmark = pytest.mark.django_db


# Of all games together: a hand that ends after the first act or two has more.
VERSIONS_AN_ACT_MAX: Final = 1.3
HANDS: Final = 1
PLAYERS_MAX: Final = 4


@pytest.fixture
def table(house: House) -> Table:
    return house.dealt_in("doudizhu", "alice", "bob", "carol")


def played(house: House, game: str) -> tuple[int, int]:
    """The acts and the versions of some hands at a table that is full, or nearly so."""
    seats = most_seats(game_from(game, GAMES[game].stakes.options))
    names = [f"{list(GAMES).index(game)}-{number}" for number in range(min(seats, PLAYERS_MAX))]
    table = house.dealt_in(game, *names)
    first, acts = table.version, 0
    while table.hands_dealt <= HANDS:
        if house.let_people_act(table):
            acts += 1
        else:
            assert table.due_at is not None
            house.now = max(house.now, table.due_at)
            house.be_seen(table)
            clock.tick(table.pk, house.now)
        table.refresh_from_db()
    return acts, table.version - first


def test_an_act_makes_one_version_and_a_hand_one_more(house: House) -> None:
    """The end of a hand is the version of its last act; presence and commits make none."""
    evening = {game: played(house, game) for game in GAMES}
    for game, (acts, versions) in evening.items():
        assert versions == acts + HANDS, game
    acts, versions = map(sum, zip(*evening.values(), strict=True))
    assert versions <= VERSIONS_AN_ACT_MAX * acts


@pytest.mark.parametrize("model", [Table, Seat])
def test_every_column_belongs_to_a_version_or_says_why_not(model: type[Table | Seat]) -> None:
    columns = {field.attname for field in model._meta.concrete_fields}
    assert set(UNVERSIONED[model]) < columns
    assert {*versioned(model), *UNVERSIONED[model]} == columns


def by_itself(_house: House, table: Table) -> None:
    Seat.objects.filter(table=table, number=1).update(auto_play=True)


def in_a_transaction(_house: House, table: Table) -> None:
    with transaction.atomic():
        Table.objects.filter(pk=table.pk).update(decision_seconds=99)


def of_money(house: House, table: Table) -> None:
    stack = Seat.objects.get(table=table, number=1).stack_id
    legs = [Leg(house.wallet(house.person("bob")).pk, 5), Leg(stack, -5)]
    post(uuid4(), "test", legs, book="test", actor="test", reason="test")


@pytest.mark.parametrize("change", [by_itself, in_a_transaction, of_money])
def test_a_change_without_a_version_is_noticed(
    house: House, table: Table, change: Callable[[House, Table], None]
) -> None:
    with pytest.raises(Unraised), watched():
        change(house, table)


def test_what_raises_the_version_or_is_seen_by_no_copy_passes(house: House, table: Table) -> None:
    with watched(), transaction.atomic():
        locked = lock_table(table.pk)
        Seat.objects.filter(table=table, number=1).update(auto_play=True)
        store_table(locked)
    with watched():
        house.be_seen(table)


@pytest.mark.parametrize("name", VERBS)
@pytest.mark.usefixtures("versions_watched")
def test_verbs_of_the_floor_raise_it(house: House, table: Table, name: str) -> None:
    boss = member(house, "managers", "mona")
    before = VERBS["halt"] if name == "lift" else VERBS["close"] if name == "open" else None
    if before is not None:
        before(boss, table, house.now)
    if name == "retry":
        assert table.due_at is not None
        house.now = table.due_at
    VERBS[name](boss, table, house.now)


@pytest.mark.usefixtures("versions_watched")
def test_new_settings_of_a_table_raise_it(house: House, table: Table) -> None:
    """Or an act would give the next turn the old time."""
    client = client_of(member(house, "managers", "mona"))
    known = TABLE_CACHE.newest(table.pk).version
    form = settings(name="Yard")
    answer = client.post(f"/admin/games/table/{table.pk}/change/", form)
    assert answer.status_code == 302, answer.content.decode()
    copy = TABLE_CACHE.newest(table.pk)
    assert (copy.version, copy.table.name) == (known + 1, "Yard")


@pytest.mark.usefixtures("versions_watched")
def test_a_void_raises_it(house: House, table: Table) -> None:
    known = TABLE_CACHE.newest(table.pk)
    assert known.live is not None
    house.void(table, "a test")
    copy = TABLE_CACHE.newest(table.pk)
    assert copy.version > known.version
    assert (copy.live, copy.ended) == (None, None)
