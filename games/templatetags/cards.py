"""Cards on a page: each is a mark of the sprite `static/games/cards.svg`, with a name to be heard.

A page shows a card many times and there are few cards, so each is written once in each language.
"""

from functools import cache
from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.rules.cards import Card
from games.words.naming import card_sign

SUIT_NAMES: Final = {
    "c": _l("clubs"),
    "d": _l("diamonds"),
    "h": _l("hearts"),
    "s": _l("spades"),
}
RANK_NAMES: Final = {"A": _l("ace"), "K": _l("king"), "Q": _l("queen"), "J": _l("jack"), "T": "10"}


def card_name(text: str) -> str:
    """A card in words, for those who hear the page."""
    if text in ("BJ", "RJ"):
        return card_sign(text)
    rank = RANK_NAMES.get(text[0], text[0])
    return _("{rank} of {suit}").format(rank=rank, suit=SUIT_NAMES[text[1]])


def card(told: Card | str) -> SafeString:
    """One card, face up. `data-card` says which, so that a test can find every card of a page."""
    return _face_up(_text(told), get_language())


def card_as(joker: Card | str, other: Card | str) -> SafeString:
    """A joker, with the card that it stands for in its corner."""
    return _standing_for(_text(joker), _text(other), get_language())


def card_back() -> SafeString:
    """A card that the viewer may not see."""
    return _face_down(get_language())


@cache
def dealer_button() -> SafeString:
    """The mark of who deals; what stands beside it says so in words."""
    return format_html(
        '<svg class="dealer-button" aria-hidden="true"><use href="{}#dealer"/></svg>', _sprite()
    )


def _text(told: Card | str) -> str:
    return told if isinstance(told, str) else told.text


def _kind(text: str) -> str:
    """What the colour of a card follows."""
    return f"joker-{text}" if text in ("BJ", "RJ") else f"suit-{text[1]}"


@cache
def _sprite() -> str:
    return static("games/cards.svg")


@cache
def _face_up(text: str, _language: str) -> SafeString:
    return format_html(
        '<svg class="card {}" role="img" aria-label="{}" data-card="{}">'
        '<use href="{}#card-{}"/></svg>',
        _kind(text),
        card_name(text),
        text,
        _sprite(),
        text,
    )


@cache
def _standing_for(text: str, other: str, _language: str) -> SafeString:
    # The other card is no card of the page: it is said by its sign, and has no `data-card`.
    return format_html(
        '<svg class="card {}" role="img" aria-label="{}" data-card="{}"><use href="{}#card-{}"/>'
        '<g class="stands-for {}"><rect x="47%" y="3%" width="50%" height="50%" rx="8%"/>'
        '<use x="47%" y="3%" width="50%" height="50%" href="{}#card-{}"/></g></svg>',
        _kind(text),
        _("{joker}, as {card}").format(joker=card_name(text), card=card_sign(other)),
        text,
        _sprite(),
        text,
        _kind(other),
        _sprite(),
        other,
    )


@cache
def _face_down(_language: str) -> SafeString:
    return format_html(
        '<svg class="card back" role="img" aria-label="{}"><use href="{}#card-back"/></svg>',
        _("not seen"),
        _sprite(),
    )
