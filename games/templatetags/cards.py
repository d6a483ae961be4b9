"""Cards on a page: each is a mark of the sprite `static/games/cards.svg`, with a name to be heard.

A page shows a card many times and there are few cards, so each is rendered once in each language.
"""

from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.rules.cards import Card
from games.templatetags.remembered import remembered
from games.words.naming import card_sign

SUIT_NAMES: Final = {
    "c": _l("clubs"),
    "d": _l("diamonds"),
    "h": _l("hearts"),
    "s": _l("spades"),
}
RANK_NAMES: Final = {"A": _l("ace"), "K": _l("king"), "Q": _l("queen"), "J": _l("jack"), "T": "10"}
JOKERS: Final = ("BJ", "RJ")


def card(shown: Card | str) -> SafeString:
    """One card, face up."""
    return remembered("games/card.html", text=shown if isinstance(shown, str) else shown.text)


def card_back() -> SafeString:
    """A card that the viewer may not see."""
    return remembered("games/back.html")


def card_name(text: str) -> str:
    """A card in words, for those who hear the page."""
    if text in JOKERS:
        return card_sign(text)
    rank = RANK_NAMES.get(text[0], text[0])
    return _("{rank} of {suit}").format(rank=rank, suit=SUIT_NAMES[text[1]])


def card_kind(text: str) -> str:
    """The class of a card, which sets its colour."""
    return f"joker-{text}" if text in JOKERS else f"suit-{text[1]}"
