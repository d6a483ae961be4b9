"""What a reader of a table is answered: names of cards, and how much work an answer takes."""

import re
from typing import NamedTuple, cast

from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.boards.pieces import engine
from games.boards.table_version import VERSIONS
from games.live.packing import Packing
from games.live.parts import NOTHING, UNSENT, Audience, Reader, Wanted
from games.models import Hand, Table
from games.rules.catalogue import GAMES
from games.shoes import custody
from games.tables.table_cache import TABLE_CACHE
from games.views.stream_parts import make_parts
from tests.games.viewers import cards_named, shown_to
from tests.people import HTMX
from wallets.values.player import Viewer

# What help one can ask for, by family; that of all others is the strategy.
HELP = {"thirteen": "best_expected", "doudizhu": "0"}
# A look takes a third of the pairs of a reader and an address; the next part takes the next third.
PARTS = 3

# Django masks this one anew in each answer, always at the same length.
FORM_TOKEN = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ?")\w{64}')
# A top-up's form has a fresh key.
KEY = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def look(
    table: Table, clients: dict[str, Client], seats: dict[str, int], part: int, *, everywhere: bool
) -> None:
    """Search the answers to all viewers for cards that they may not see.

    Pages that are not of this table or hand are asked for when everything is.
    """
    hand = Hand.objects.select_related("shoe").filter(table=table).latest("pk")
    gets, posts = addresses_of(table, hand, everywhere=everywhere)
    for reader, (name, client) in enumerate(clients.items()):
        allowed = shown_to(hand, seats.get(name))
        for number, address in enumerate(gets):
            if (reader + number) % PARTS != part:
                continue
            # Each address in both languages, and each reader.
            language = ("en", "zh-hans")[(table.version + reader + number) % 2]
            answer = client.get(address, headers=HTMX | {"Accept-Language": language})
            cards = cards_named(answer, language)
            assert cards <= allowed, (name, address, hand.status, cards - allowed)
        for number, address in enumerate(posts):
            if (reader + number) % PARTS != part:
                continue
            # The answer to a guess repeats no more than the guess.
            answer = client.post(address, {"cards": "3c", "place-4c": "front"}, headers=HTMX)
            cards = cards_named(answer, "en") - {"3c", "4c"}
            assert cards <= allowed, (name, address, hand.status, cards - allowed)


def addresses_of(table: Table, hand: Hand, *, everywhere: bool) -> tuple[list[str], list[str]]:
    """What is asked for, and what is posted to."""
    here, there = f"/tables/{table.pk}/", f"/history/{hand.pk}/"
    help_ = HELP.get(GAMES[table.game].family, "strategy")
    gets = [here, f"{here}board/", f"{here}board/?help={help_}"]
    if everywhere:
        gets += ["/", "/history/", "/lobby/", "/running/"]
    gets += [f"{there}{name}" for name in ("", "record/", "coach/")]
    posts = [f"{here}reading/", f"{here}rows/"]
    if hand.status != Hand.Status.LIVE:
        gets += [f"{here}{name}/" for name in ("chat", "roads", "shoes")]
        gets += [f"{there}step/0/", "/history/profit/", "/private/"]
        posts += [f"{there}share/", f"{there}open/"]
    return gets, posts


def forget_everything(table: Table) -> None:
    """Clear all that a process knows of hands and does not read from the database."""
    VERSIONS.forget(table)
    TABLE_CACHE.forget(table)
    custody.forget_opened()
    for var in vars(engine).values():
        if hasattr(var, "cache_clear"):
            var.cache_clear()


class Answer(NamedTuple):
    body: bytes
    length: int
    queries: int


def answers(table: Table, client: Client) -> list[Answer]:
    """What a process that remembers nothing of the table answers, and how often it asks for it.

    The last is the first event of a stream, with its length as it is sent.
    """
    answers = []
    for address in (
        f"/tables/{table.pk}/",
        f"/tables/{table.pk}/board/",
        f"/api/v1/tables/{table.pk}/",
    ):
        VERSIONS.forget(table)
        TABLE_CACHE.forget(table)
        with CaptureQueriesContext(connection) as queries:
            body = client.get(address, headers=HTMX).content
        plain = KEY.sub(b"", FORM_TOKEN.sub(b"", body))
        answers.append(Answer(plain, len(body), len(queries)))
    return [*answers, streamed(table, get_user(cast(HttpRequest, client)))]


def streamed(table: Table, viewer: Viewer) -> Answer:
    VERSIONS.forget(table)
    TABLE_CACHE.forget(table)
    reader = Reader(0, Audience("html", "en", viewer), NOTHING)
    with CaptureQueriesContext(connection) as queries:
        made = make_parts(Wanted(table.pk, table.version, (reader,)))
    event = made.parts[0].event(UNSENT)
    return Answer(event, len(Packing().packed(event)), len(queries))
