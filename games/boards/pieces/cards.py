"""Cards on a page: each is a mark of the sprite `static/games/cards.svg`, with a name to be heard.

A page shows a card many times and there are few cards, so each is rendered once in each language.
"""

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup

from games.boards.pieces.engine import joined, remembered
from games.rules.cards import Card
from games.words.faces import FACES, NOBODY

JOKERS: Final = ("BJ", "RJ")


def card(shown: Card | str) -> Markup:
    """One card, face up."""
    return remembered("card.html", text=shown if isinstance(shown, str) else shown.text)


def card_back() -> Markup:
    """A card that the viewer may not see."""
    return remembered("back.html")


def card_kind(text: str) -> str:
    """The class of a card, which sets its colour."""
    return f"joker-{text}" if text in JOKERS else f"suit-{text[1]}"


def cards_row(cards: Iterable[Card]) -> Markup:
    """Cards side by side, in the given order."""
    return joined(map(card, cards))


def icon(name: str) -> Markup:
    """An icon of the house, silent: the text next to it says what it means."""
    return remembered("icon.html", name=name)


def face(number: object) -> Markup:
    """Silent: the name next to it says who that is. An unknown number has no face."""
    known = number if number in FACES else NOBODY
    return remembered("face.html", number=f"{known:02}")


def emote(name: str) -> Markup:
    """A drawn remark of the chat."""
    return remembered("emote.html", name=name)
