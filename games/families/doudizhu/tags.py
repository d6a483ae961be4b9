"""Template tags for hands and plays of Dou Dizhu: whole rows at once, for speed."""

from collections.abc import Iterable
from typing import Any, Final

from django import template
from django.utils.safestring import SafeString

from games.families.doudizhu import play_names
from games.families.doudizhu.help import Counted
from games.rules.cards import Card
from games.rules.doudizhu.ranks import digit_of, in_order
from games.rules.doudizhu.state import Turn
from games.templatetags.cards import card, card_back
from games.templatetags.remembered import joined, remembered

register = template.Library()
register.filter(play_names.reason_to_double)
register.filter(play_names.doublings)

# Three backs read as a hand of cards; more would only take room.
BACKS_MAX: Final = 3


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
def play_name(turn: Turn) -> str:
    """Return the name that stands below a play."""
    return play_names.play_name(turn.reading) if turn.reading else ""


@register.simple_tag
def backs(left: int) -> SafeString:
    """Some cards that nobody else may see; how many they are is a number beside them."""
    return joined([card_back()] * min(left, BACKS_MAX))


@register.filter
def is_blast(turn: Turn) -> bool:
    """Whether a play doubles what the hand is worth."""
    return turn.reading is not None and turn.reading.kind in ("bomb", "rocket")


@register.simple_tag
def counter_ranks(counter: Iterable[Counted]) -> SafeString:
    """Each rank, and how many of it are out."""
    return joined(
        remembered("games/families/doudizhu/counter_rank.html", rank=one.rank, left=one.left)
        for one in counter
    )


@register.filter
def cards_out(counter: Iterable[Counted]) -> int:
    """Return how many cards the others hold in all."""
    return sum(one.left for one in counter)


@register.filter
def held(hand: Any) -> list[Card]:
    """Cards in the order in which one holds them."""
    return list(in_order(hand))
