"""The pictured tiles of the lobby and the front page: one for each family of games.

A press on a tile takes a seat at the game that it pictures, the family's liveliest. The tile says
what happens then: whether play begins at once, after bots have come, or when other people sit down.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.utils.functional import Promise

from games.lobby.listing import LobbyRow
from games.lobby.seat_finder import BEGINNINGS
from games.rules.catalogue import GAMES
from games.words.families import FAMILIES, Family, short_name

# The room of a picture, the size of a card, and how far cards of a fan and of a row are apart.
WIDTH: Final = 260
CARD: Final = (60, 84)
FAN: Final = 40
STEP: Final = 36
SMALLER: Final = 0.8
RED: Final = frozenset("hd")


class Card(NamedTuple):
    """A card of a picture, turned about its middle."""

    text: str
    is_red: bool
    x: int
    y: int
    turn: int = 0


class Offer(NamedTuple):
    """A game, with the cheapest table to play it at, if one is open."""

    key: str
    # Beside the name of its family.
    short: str
    cheapest: LobbyRow | None
    people: int


class Tile(NamedTuple):
    key: str
    name: str | Promise
    # The game that a press on the tile opens.
    first: str
    # One of `BEGINNINGS`, or empty where no table is open.
    begins: str
    people: int
    bots: int
    offers: tuple[Offer, ...]
    cards: tuple[Card, ...]
    # By how much the cards are smaller than they are drawn.
    scale: float


def tiles(listed: Sequence[LobbyRow]) -> list[Tile]:
    return [_tile(family, listed) for family in FAMILIES]


def _tile(family: Family, listed: Sequence[LobbyRow]) -> Tile:
    playable = [row for row in listed if row.game in family.games and row.state != "closing"]
    offers = tuple(_offer(game, playable) for game in family.games)
    lively = max(offers, key=lambda offer: (offer.cheapest is not None, offer.people))
    picture = GAMES[lively.key].picture or family.picture
    return Tile(
        family.key,
        family.name,
        lively.key,
        min((row.begins for row in playable), key=BEGINNINGS.index, default=""),
        sum(offer.people for offer in offers),
        sum(len(row.faces) - row.people for row in playable),
        offers,
        _in_rows(picture) if len(picture) > 1 else _fan("".join(picture)),
        SMALLER if len(picture) > 1 else 1,
    )


def _offer(game: str, playable: Iterable[LobbyRow]) -> Offer:
    tables = [row for row in playable if row.game == game]
    return Offer(
        game,
        short_name(game),
        min(tables, key=lambda row: row.buy_in_min, default=None),
        sum(row.people for row in tables),
    )


def _cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def _fan(text: str) -> tuple[Card, ...]:
    """Cards beside one another, those at the sides turned and lower."""
    cards = _cards(text)
    middle = (len(cards) - 1) / 2
    return tuple(
        Card(
            card,
            _is_red(card),
            round(WIDTH / 2 - CARD[0] / 2 + (number - middle) * FAN),
            round(16 + 3 * (number - middle) ** 2),
            round(7 * (number - middle)),
        )
        for number, card in enumerate(cards)
    )


def _in_rows(rows: Sequence[str]) -> tuple[Card, ...]:
    """Rows of cards, each upon the lower part of the row above."""
    return tuple(
        Card(
            card,
            _is_red(card),
            round(WIDTH / SMALLER / 2 + (number - len(_cards(row)) / 2) * STEP - CARD[0] / 4),
            STEP * line,
        )
        for line, row in enumerate(rows)
        for number, card in enumerate(_cards(row))
    )


def _is_red(card: str) -> bool:
    return card[1] in RED or card == "RJ"
