"""The pictured tiles of the lobby and the front page: one for each family of games.

A press on a tile takes a seat at the game that it pictures, the family's liveliest. The tile says
what happens then: whether play begins at once, after bots have come, or when other people sit down.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from games.lobby.listing import LobbyRow
from games.lobby.seat_finder import BEGINNINGS
from games.rules.catalogue import GAMES
from games.words.naming import FAMILIES, Family, short_name

# The room of a picture, the size of a card, and how far cards of a fan and of a row are apart.
WIDTH: Final = 260
CARD: Final = (60, 84)
FAN: Final = 40
STEP: Final = 36
SMALLER: Final = 0.8
# A fan of two cards is larger; of so many letters is the text of three.
LARGER: Final = 1.3
FEW: Final = 6
FACES: Final = 3
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
    name: str
    # The game that a press on the tile opens.
    first: str
    # One of `BEGINNINGS`, or empty where no table is open.
    begins: str
    # Short for that game.
    kind: str
    people: int
    # The faces of some who play, people first.
    faces: tuple[int, ...]
    offers: tuple[Offer, ...]
    cards: tuple[Card, ...]
    # By how much the cards are smaller than they are drawn.
    scale: float


def tiles(listed: Sequence[LobbyRow], first: str) -> list[Tile]:
    """The tiles, and before the others the one with the game that the reader has played last."""
    families = sorted(FAMILIES, key=lambda family: first not in family.games)
    return [_tile(family, listed) for family in families]


def _tile(family: Family, listed: Sequence[LobbyRow]) -> Tile:
    playable = [row for row in listed if row.game in family.games and row.state != "closing"]
    offers = tuple(_offer(game, playable) for game in family.games)
    lively = max(offers, key=lambda offer: (offer.cheapest is not None, offer.people))
    picture = GAMES[lively.key].picture or family.picture
    scale = SMALLER if len(picture) > 1 else LARGER if len(picture[0]) < FEW else 1
    return Tile(
        family.key,
        str(family.name),
        lively.key,
        min((row.begins for row in playable), key=BEGINNINGS.index, default=""),
        short_name(lively.key),
        sum(offer.people for offer in offers),
        faces_of(playable),
        offers,
        _in_rows(picture) if len(picture) > 1 else _fan(*picture, scale),
        scale,
    )


def faces_of(listed: Iterable[LobbyRow]) -> tuple[int, ...]:
    """The faces of a few who play at these tables, people first."""
    seated = sorted((face for row in listed for face in row.faces), key=lambda face: face.is_bot)
    return tuple(face.number for face in seated[:FACES])


def _offer(game: str, playable: Iterable[LobbyRow]) -> Offer:
    tables = [row for row in playable if row.game == game]
    return Offer(
        game,
        str(short_name(game)),
        min(tables, key=lambda row: row.buy_in_min, default=None),
        sum(row.people for row in tables),
    )


def _cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


@cache
def _fan(text: str, scale: float) -> tuple[Card, ...]:
    """Cards beside one another, those at the sides turned and lower."""
    cards = _cards(text)
    middle = (len(cards) - 1) / 2
    return tuple(
        Card(
            card,
            _is_red(card),
            round(WIDTH / scale / 2 - CARD[0] / 2 + (number - middle) * FAN),
            round(16 + 3 * (number - middle) ** 2),
            round(7 * (number - middle)),
        )
        for number, card in enumerate(cards)
    )


@cache
def _in_rows(rows: tuple[str, ...]) -> tuple[Card, ...]:
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


# The picture of the front page: what lies on the table, and a hand with cards that can beat it.
LYING: Final = "8c9dThJsQc"
HELD: Final = "RJ2s2hAsKhQdJcTs9h8d7s"
LIFTED: Final = "KhQdJcTs9h"


class SceneCard(NamedTuple):
    text: str
    is_red: bool
    x: int
    y: int
    turn: int
    size: float


def scene() -> list[SceneCard]:
    lying = [
        SceneCard(card, _is_red(card), 206 + 42 * at, 24, 0, 1.05)
        for at, card in enumerate(_cards(LYING))
    ]
    lifted = set(_cards(LIFTED))
    held = [
        SceneCard(card, _is_red(card), 48 + 44 * at, 204 if card in lifted else 220, 0, 1.4)
        for at, card in enumerate(_cards(HELD))
    ]
    return [*lying, *held]
