"""No answer shows by its length, or by the work it takes, which cards are hidden from its reader.

Two hidden cards change places, everything remembered is forgotten, and the same address answers the
same bytes after the same number of questions to the database.
"""

import re
from typing import NamedTuple

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Hand, Table
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.shoes import custody
from games.tables.live_hands import REMEMBERED
from tests.games.house import House
from tests.games.viewers import people_of, shown_to
from tests.people import HTMX, client_of

# Django masks this one anew in each answer, always at the same length.
FORM_TOKEN = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ?")\w{64}')
# A top-up's form has a fresh key.
KEY = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Answer(NamedTuple):
    body: bytes
    length: int
    queries: int


def answers(table: Table, client: Client) -> list[Answer]:
    found = []
    for address in (
        f"/tables/{table.pk}/",
        f"/tables/{table.pk}/board/",
        f"/api/v1/tables/{table.pk}/",
    ):
        REMEMBERED.forget(table)
        with CaptureQueriesContext(connection) as queries:
            body = client.get(address, headers=HTMX).content
        plain = KEY.sub(b"", FORM_TOKEN.sub(b"", body))
        found.append(Answer(plain, len(body), len(queries)))
    return found


def with_exchanged(cards: tuple[Card, ...], one: int, other: int) -> tuple[Card, ...]:
    swapped = list(cards)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    return tuple(swapped)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_answers_do_not_depend_on_hidden_cards(
    house: House, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    table = house.dealt_in(game, *people_of(game))
    hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
    cards = custody.cards(hand.shoe)

    def answers_with(order: tuple[Card, ...], client: Client) -> list[Answer]:
        assert order != cards
        with monkeypatch.context() as dealt:
            dealt.setattr(custody, "cards", lambda _shoe: order)
            return answers(table, client)

    for client, seat in ((client_of(house.person("alice")), 1), (Client(), None)):
        shown = shown_to(hand, seat)
        hidden = [place for place, card in enumerate(cards) if card.text not in shown]
        # The first visit notes that somebody is there; from then on all are alike.
        answers(table, client)
        before = answers(table, client)
        # A shoe of several decks has each card more than once.
        other = next(place for place in hidden if cards[place] != cards[hidden[0]])
        assert answers_with(with_exchanged(cards, hidden[0], other), client) == before
        if shown:
            # An exchange that the reader can see is seen here, too.
            seen = next(place for place, card in enumerate(cards) if card.text in shown)
            assert answers_with(with_exchanged(cards, seen, hidden[0]), client) != before
