"""Viewers of a table: their requests, the responses, and the cards they may see."""

from typing import Any

from django.test import Client
from django.utils import translation

from casino.accounts import staff
from games.models import Hand, Table
from games.rules.catalogue import game_type
from games.tables.hand_state import cards_of, game_of, state_of
from tests.games.house import House
from tests.games.markup import CARD, cards_in
from tests.people import HTMX, client_of

NAMES = ("alice", "bob", "carol", "dave")


def people_of(game: str) -> tuple[str, ...]:
    return NAMES[: max(2, game_type(game).seats[0])]


def staffed(house: House) -> dict[str, Client]:
    """A stranger, a spectator, and staff, each with a browser."""
    clients = {"anonymous": Client(), "eve": client_of(house.player("eve", 0))}
    for group in ("managers", "auditors"):
        player = house.player(f"one-of-{group}", 0)
        staff.appoint(player, group)
        clients[group] = client_of(player)
    return clients


def board_of(client: Client, table: Table, requested: str = "") -> str:
    help_ = f"?help={requested}" if requested else ""
    return client.get(f"/tables/{table.pk}/board/{help_}", headers=HTMX).text


def shown_to(hand: Hand, seat: int | None) -> set[str]:
    """The names of the cards that lie open to a seat, or to everybody."""
    game = game_of(hand)
    state = state_of(hand, game, hand.moves.order_by("number"))
    cards = cards_of(hand)
    named = getattr(game.view(state, seat), "sides", None)
    extra = {getattr(named, name, None) for name in ("bonus_card", "wheel_card", "lucky_card")}
    return {cards[place].text for place in game.shown(state, seat)} | {
        card.text for card in extra if card
    }


def cards_named(answer: Any, language: str) -> set[str]:
    """The cards that an answer names in its text, its headers or its cookies."""
    headers = " ".join(f"{name}: {value}" for name, value in answer.items())
    text = f"{answer.text} {headers} {answer.cookies.output()}"
    with translation.override(language):
        cards = cards_in(text)
    # In Chinese a joker is called as its rank is, which the card counter names.
    return cards if language == "en" else cards - {"BJ", "RJ"} | set(CARD.findall(text))
