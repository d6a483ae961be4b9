"""How many statements the streams of a process take to show a new version to its viewers.

A process that made the version itself knows most of it. Any other reads it, and then serves all of
its viewers, whether they use pages or programs, from what it has read.
"""

from typing import Any, Final, NamedTuple

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.live.parts import NOTHING, Audience, Reader, Wanted
from games.models import Table
from games.rules.catalogue import game_type
from games.tables import clock
from games.tables.hand_in_play import HandInPlay
from games.tables.table_cache import TABLE_CACHE
from games.views.stream_parts import make_parts
from tests.games.house import House
from tests.games.markup import Page
from tests.games.program import Program, best
from tests.games.test_statements import GAMES, NAMES
from tests.people import HTMX, client_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

HANDS: Final = 3
FORMS: Final = ("html", "json")


def wanted(house: House, table: Table, names: tuple[str, ...]) -> Wanted:
    """All players of a table, by turns with a page and with a program, and a visitor."""
    viewers: list[Any] = [*map(house.person, names), AnonymousUser()]
    readers = tuple(
        Reader(number, Audience(FORMS[number % len(FORMS)], "en", viewer), NOTHING)
        for number, viewer in enumerate(viewers)
    )
    return Wanted(table.pk, table.version, readers)


def shown(house: House, game: str) -> dict[str, list[list[str]]]:
    """The statements for each version of some hands, by what made the version."""
    names = NAMES[: GAMES[game]]
    table = house.dealt_in(game, *names)
    make_parts(wanted(house, table, names))
    statements: dict[str, list[list[str]]] = {"act": [], "deal": [], "end": []}
    while table.hands_dealt <= HANDS:
        before = table.hand_id
        if not house.let_people_act(table):
            assert table.due_at is not None
            house.now = max(house.now, table.due_at)
            house.be_seen(table)
            clock.tick(table.pk, house.now)
        table.refresh_from_db()
        kind = "act" if table.hand_id == before else "deal" if table.hand_id else "end"
        request = wanted(house, table, names)
        with CaptureQueriesContext(connection) as queries:
            made = make_parts(request)
        assert (made.version, len(made.parts)) == (table.version, len(names) + 1)
        statements[kind].append([query["sql"] for query in queries])
    return statements


class Most(NamedTuple):
    """The most statements for a version, by what made it."""

    act: int
    deal: int
    end: int


# SQLite answers each question by itself.
MOST: Final = {
    "postgresql": {"here": Most(0, 2, 2), "elsewhere": Most(1, 3, 3)},
    "sqlite": {"here": Most(1, 5, 10), "elsewhere": Most(5, 9, 13)},
}


@pytest.mark.always
@pytest.mark.parametrize("made", ["here", "elsewhere"])
@pytest.mark.parametrize("game", GAMES)
def test_a_version_is_read_once_for_all_its_viewers(
    house: House, game: str, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if made == "elsewhere":
        # As if another process played: this one learns nothing from the writes.
        monkeypatch.setattr(HandInPlay, "learn_on_commit", lambda playing: None)
        monkeypatch.setattr(TABLE_CACHE, "learn_ended", lambda ended, version: None)
    most = MOST[connection.vendor][made]
    if game_type(game).feeds_pools and made == "here":
        # What a bonus bet adds to the pools is no part of a copy.
        most = most._replace(act=most.act + 1)
    if not game_type(game).against_house and made == "here":
        # Nothing has come before the deal but what this process has made itself.
        most = most._replace(deal=0)
    for kind, versions in shown(house, game).items():
        for statements in versions:
            assert len(statements) <= getattr(most, kind), (kind, statements)


def test_an_act_whose_board_comes_by_the_stream_reads_nothing(house: House) -> None:
    """Who sends it is remembered where Redis tells of changes, and traces are collected."""
    table = house.dealt_in("chinese_poker", "alice", "bob", "carol")
    page, program = client_of(house.person("alice")), Program("bob")
    form = Page(page.get(f"/tables/{table.pk}/?help=best_expected").text).forms["act-arrange"]
    view = program.get(f"tables/{table.pk}/")
    body = {"hand": table.hand_id, "turn": view["turn"], "action": best(view)}
    shows = HTMX | {"Stream-Version": str(table.version)}
    with CaptureQueriesContext(connection) as queries:
        answer = page.post(f"/tables/{table.pk}/act/", form.sent(form.buttons[0]), headers=shows)
        program.post(f"tables/{table.pk}/act/?streamed=true", body)
    assert (answer.status_code, program.status) == (204, 204)
    of_play = [query["sql"] for query in queries if '"games_' in query["sql"]]
    most = {"postgresql": 2, "sqlite": 4}[connection.vendor]
    assert len(of_play) <= most, of_play
