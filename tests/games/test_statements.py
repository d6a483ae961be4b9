"""How many statements play takes: a budget, as counts do not depend on the machine.

Every statement counts, `BEGIN` and `COMMIT` too, and so does the one by which PostgreSQL posts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Table
from games.rules.catalogue import game_type
from games.tables import clock, device_links, hand_verbs
from games.tables.table_cache import TABLE_CACHE
from tests.games.commit_reveal import commit, sealed_table, shoe
from tests.games.house import House
from wallets.money import ledger
from wallets.of_record import triggers

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

# A game of each family, with as many people as it takes.
GAMES: Final = {
    "doudizhu": 3,
    "chinese_poker": 2,
    "thirteen_taiwan": 4,
    "blackjack": 3,
    "russian_poker": 2,
    "casino_holdem": 2,
    "baccarat": 3,
}
NAMES: Final = ("alice", "bob", "carol", "dave")
HANDS: Final = 3


class Most(NamedTuple):
    """The budget of each step; SQLite has no statement that writes to several tables."""

    act: int
    deal: int
    end: int


MOST: Final = {"postgresql": Most(act=3, deal=5, end=5), "sqlite": Most(act=6, deal=19, end=20)}


@pytest.fixture
def all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Note the statements that do not go through Django's cursor: the ledger's, the record's."""

    def noted(module: Any, name: str, sql: str) -> None:
        sends = getattr(module, name)

        def send(*given: Any) -> Any:
            connection.queries_log.append({"sql": sql, "time": "0"})
            return sends(*given)

        monkeypatch.setattr(module, name, send)

    noted(ledger, "_post_in_database", "INSERT INTO wallets_post")
    if connection.vendor == "postgresql":
        noted(triggers, "tell", "SELECT set_config")


class Counts:
    """The statements of each step of play, by kind."""

    def __init__(self) -> None:
        self.of: dict[str, list[list[str]]] = {"act": [], "deal": [], "end": [], "other": []}

    @contextmanager
    def step(self, table: Table, kind: str) -> Iterator[None]:
        before = table.hand_id
        with CaptureQueriesContext(connection) as queries:
            yield
        table.refresh_from_db()
        if before is None and table.hand_id is not None:
            kind = "deal"
        elif before is not None and table.hand_id is None:
            kind = "end"
        self.of[kind].append([query["sql"][:60] for query in queries.captured_queries])

    def most(self, kind: str) -> list[str]:
        return max(self.of[kind], key=len)


OPENS_ACCOUNTS: Final = ("SELECT id, kind, owner", "INSERT INTO wallets_account ")


def played(house: House, table: Table, hands: int) -> Counts:
    """Let people play these hands in one process, and count."""
    counts, acting = Counts(), hand_verbs.act

    def act(*given: Any) -> Table:
        with counts.step(table, "act"):
            return acting(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hand_verbs, "act", act)
        while table.hands_dealt <= hands:
            if not house.let_people_act(table):
                assert table.due_at is not None
                house.now = max(house.now, table.due_at)
                house.be_seen(table)
                with counts.step(table, "other"):
                    clock.tick(table.pk, house.now)
            table.refresh_from_db()
    return counts


@pytest.mark.usefixtures("all_counted")
def test_a_part_of_a_shoe_keeps_to_its_budget(house: House) -> None:
    table = sealed_table(house)
    octets, code = commit(house, table, "alice"), shoe(table).code
    alice, bob = house.person("alice"), house.person("bob")
    with CaptureQueriesContext(connection) as starts:
        device_links.start(bob, table.pk, "ab" * 32, house.now)
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    with CaptureQueriesContext(connection) as links:
        device_links.reveal(alice, table.pk, code, octets.hex(), house.now)
    # The transaction, the lock, one read of all that is needed, and the write; a start makes a
    # version.
    most = {"postgresql": 5, "sqlite": 8}[connection.vendor]
    for queries, more in ((starts, 1), (links, 0)):
        assert len(queries) <= most + more, [
            query["sql"][:60] for query in queries.captured_queries
        ]


def test_the_clock_reads_no_shoe_where_there_is_none(house: House) -> None:
    table = house.table("doudizhu")
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.WAITING)
    with CaptureQueriesContext(connection) as queries:
        clock.tick(table.pk, table.due_at or house.now)
    assert len(queries) > 1
    assert not [
        query["sql"] for query in queries.captured_queries if '"games_shoe"' in query["sql"]
    ]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.usefixtures("all_counted")
def test_play_keeps_to_its_budget(house: House, game: str) -> None:
    table = house.dealt_in(game, *NAMES[: GAMES[game]])
    counts, most = played(house, table, HANDS), MOST[connection.vendor]
    if game_type(game).feeds_pools and connection.vendor == "sqlite":
        # With the first hand of a shoe, its parts are read besides the jackpots.
        most = most._replace(deal=most.deal + 1)
    # Two accounts are looked for and opened when they are first needed, which chance decides.
    ends = [[sql for sql in end if not sql.startswith(OPENS_ACCOUNTS)] for end in counts.of["end"]]
    assert sum(map(len, counts.of["end"])) - sum(map(len, ends)) <= 4
    counts.of["end"] = ends
    for kind in ("act", "deal", "end"):
        assert len(counts.most(kind)) <= getattr(most, kind), (kind, counts.most(kind))
    if connection.vendor == "postgresql":
        # In mid-hand an act is one statement; the first bet of a round asks for holds before.
        assert not any("BEGIN" in statements for statements in counts.of["act"])
        assert all("WITH current" in statements[-1] for statements in counts.of["act"])


@pytest.mark.usefixtures("all_counted")
def test_a_process_that_does_not_know_the_table_reads_it_once(house: House) -> None:
    table = house.dealt_in("doudizhu", *NAMES[:3])
    TABLE_CACHE.clear()
    counts = Counts()
    for _act in range(2):
        with counts.step(table, "act"):
            house.let_people_act(table)
    first, second = counts.of["act"]
    assert len(first) > len(second)


@pytest.mark.parametrize("game", GAMES)
def test_the_result_of_a_hand_is_known_to_the_process_that_ended_it(
    house: House, game: str
) -> None:
    table = house.dealt_in(game, *NAMES[: GAMES[game]])
    house.until(table, lambda table: table.hand_id is None and table.hands_dealt > 0)
    copy = TABLE_CACHE.newest(table.pk)
    with CaptureQueriesContext(connection) as queries:
        ended = copy.ended
    assert not queries.captured_queries
    TABLE_CACHE.clear()
    read = TABLE_CACHE.newest(table.pk).ended
    assert ended is not None
    assert read is not None
    assert _columns(ended.hand) == _columns(read.hand)
    assert ended.state == read.state
    for rows, stored in ((ended.moves, read.moves), (ended.players, read.players)):
        assert [row.pk for row in rows] == [stored_row.pk for stored_row in stored]
        assert [_columns(row) for row in rows] == [_columns(stored_row) for stored_row in stored]


def _columns(row: Any) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
