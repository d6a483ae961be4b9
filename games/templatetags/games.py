"""Cards, words of the rules, lines of a settlement, and lookups in templates."""

from collections import Counter
from typing import Any, Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.lines import sentence_of_line
from games.naming import SUITS
from games.naming import term as word_of
from games.rules.cards import ACE, Card
from games.rules.doudizhu.ranks import in_order
from wallets.models import Currency

register = template.Library()

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
    """One card, face up. `data-card` says which, so that a test can find every card of a page."""
    text = told if isinstance(told, str) else told.text
    if text in ("BJ", "RJ"):
        rank, suit = "★" if text == "RJ" else "☆", _("Joker")
        kind = "joker-red" if text == "RJ" else "joker-black"
    else:
        rank, suit = "10" if text[0] == "T" else text[0], SUITS[text[1]]
        kind = f"suit-{text[1]}"
    return format_html(
        '<span class="card {}" data-card="{}"><b aria-hidden="true">{}</b>'
        '<i aria-hidden="true">{}</i><span class="hidden">{}</span></span>',
        kind,
        text,
        rank,
        suit,
        card_name(text),
    )


@register.filter
def held(cards: Any) -> list[Card]:
    """Cards in the order in which one holds them."""
    return list(in_order(cards))


@register.filter
def grouped(cards: Any) -> list[Card]:
    """The cards of a row: what is held most often first, then the highest."""
    often = Counter(card.rank for card in cards)
    return sorted(cards, key=lambda card: (often[card.rank], card.rank, card.suit), reverse=True)


@register.filter
def term(word: object) -> str:
    """A word of the rules."""
    return word_of(word)


@register.filter
def join_names(seats: Any) -> str:
    """The players of some seats, one behind the other."""
    return _(", ").join(seat.player for seat in seats)


@register.filter
def blackjack_total(cards: Any) -> str:
    """What cards count at blackjack, spelt: `soft 17`."""
    least = sum(1 if card.rank == ACE else min(card.rank, 10) for card in cards)
    if least <= 11 and any(card.rank == ACE for card in cards):
        return _("soft {points}").format(points=least + 10)
    return str(least)


@register.filter
def at(mapping: Any, key: Any) -> Any:
    """What a mapping holds for a key."""
    return mapping.get(key) if hasattr(mapping, "get") else None


@register.filter
def of_seat(things: Any, seat: int) -> list[Any]:
    """Those of some things that belong to a seat."""
    return [thing for thing in things if thing.seat == seat]


@register.filter
def of_box(things: Any, box: int) -> list[Any]:
    """Those of some things that belong to a box."""
    return [thing for thing in things if thing.box == box]


@register.filter
def staked_by(hand: Any, box: Any) -> list[tuple[Any, int]]:
    """The players of a box with what they have on one of its hands; who has nothing is left out."""
    staked = zip(box.players, hand.stakes, strict=True)
    return [(player, stake) for player, stake in staked if stake]


@register.filter
def get(thing: Any, name: str) -> Any:
    """An attribute whose name is a value; `None` where there is none."""
    return getattr(thing, name, None)


@register.simple_tag
def line(told: dict[str, Any], seats: dict[int, str], currency: Currency) -> str:
    """A settlement line as a sentence."""
    return sentence_of_line(told, seats, currency)
