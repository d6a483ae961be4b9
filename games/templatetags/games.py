"""Cards, lines of a settlement, and lookups in templates."""

from typing import Any, Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.lines import sentence_of_line
from games.rules.cards import Card
from wallets.models import Currency

register = template.Library()

SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SUIT_NAMES: Final = {
    "c": _l("clubs"),
    "d": _l("diamonds"),
    "h": _l("hearts"),
    "s": _l("spades"),
}
RANK_NAMES: Final = {"A": _l("ace"), "K": _l("king"), "Q": _l("queen"), "J": _l("jack"), "T": "10"}


def card_name(text: str) -> str:
    """A card in words, for those who hear the page."""
    if text == "BJ":
        return _("small joker")
    if text == "RJ":
        return _("big joker")
    rank = RANK_NAMES.get(text[0], text[0])
    return _("{rank} of {suit}").format(rank=rank, suit=SUIT_NAMES[text[1]])


@register.filter
def card(told: Card | str) -> SafeString:
    """One card, face up."""
    text = told if isinstance(told, str) else told.text
    if text in ("BJ", "RJ"):
        face = format_html('<b aria-hidden="true">{}</b>', "★" if text == "RJ" else "☆")
        kind = "joker-red" if text == "RJ" else "joker-black"
    else:
        rank = "10" if text[0] == "T" else text[0]
        face = format_html(
            '<b aria-hidden="true">{}</b><i aria-hidden="true">{}</i>', rank, SUITS[text[1]]
        )
        kind = f"suit-{text[1]}"
    name = card_name(text)
    return format_html(
        '<span class="card {}">{}<span class="hidden">{}</span></span>', kind, face, name
    )


@register.filter
def join_cards(value: Any) -> str:
    """What an action says in one field, as text."""
    return " ".join(str(part) for part in value) if isinstance(value, list) else str(value)


@register.filter
def at(mapping: Any, key: Any) -> Any:
    """What a mapping holds for a key."""
    return mapping.get(key) if hasattr(mapping, "get") else None


@register.simple_tag
def line(told: dict[str, Any], seats: dict[int, str], currency: Currency) -> str:
    """A settlement line as a sentence."""
    return sentence_of_line(told, seats, currency)
