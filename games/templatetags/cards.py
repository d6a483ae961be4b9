"""Cards on a page: each is a mark of the sprite `static/games/cards.svg`, with a name to be heard.

A page shows a card many times and there are few cards, so each is rendered once in each language.
"""

from typing import Final

from django.utils.safestring import SafeString

from games.rules.cards import Card
from games.templatetags.remembered import remembered

JOKERS: Final = ("BJ", "RJ")


def card(shown: Card | str) -> SafeString:
    """One card, face up."""
    return remembered("games/card.html", text=shown if isinstance(shown, str) else shown.text)


def card_back() -> SafeString:
    """A card that the viewer may not see."""
    return remembered("games/back.html")


def card_kind(text: str) -> str:
    """The class of a card, which sets its colour."""
    return f"joker-{text}" if text in JOKERS else f"suit-{text[1]}"
