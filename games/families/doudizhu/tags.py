"""How hands and plays of Dou Dizhu are written: whole rows at once, as its pages are made often."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.safestring import SafeString

from games.families.doudizhu.help import Counted, words_of
from games.rules.cards import Card
from games.rules.doudizhu.ranks import digit_of, in_order
from games.rules.doudizhu.state import Turn
from games.templatetags.cards import card
from games.templatetags.remembered import joined, remembered

register = template.Library()


@register.simple_tag
def cards_row(cards: Iterable[Card]) -> SafeString:
    """Cards beside one another, as they come."""
    return joined(map(card, cards))


@register.filter
def as_played(turn: Turn) -> list[Card]:
    """The cards of a play: those that decide before those that are carried."""
    main = turn.reading.main if turn.reading else 0
    return sorted(in_order(turn.cards), key=lambda one: not main & digit_of(one))


@register.filter
def play_words(turn: Turn) -> str:
    """What a play is called."""
    return words_of(turn.reading) if turn.reading else ""


@register.filter
def is_blast(turn: Turn) -> bool:
    """Whether a play doubles what the hand is worth."""
    return turn.reading is not None and turn.reading.kind in ("bomb", "rocket")


@register.simple_tag
def counter_ranks(counter: Iterable[Counted]) -> SafeString:
    """The heads of the card counter's columns."""
    return joined(
        remembered("games/families/doudizhu/counter_rank.html", rank=one.rank) for one in counter
    )


@register.simple_tag
def counter_numbers(counter: Iterable[Counted]) -> SafeString:
    """How many of each rank are out."""
    return joined(
        remembered("games/families/doudizhu/counter_number.html", left=one.left) for one in counter
    )


@register.filter
def held(hand: Any) -> list[Card]:
    """Cards in the order in which one holds them."""
    return list(in_order(hand))
