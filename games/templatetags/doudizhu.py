"""How hands and plays of Dou Dizhu are written: whole rows at once, as its pages are made often."""

from collections.abc import Iterable
from functools import cache
from typing import Final

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.boards.doudizhu_help import Counted, words_of
from games.boards.help import Filled
from games.rules.cards import Card
from games.rules.doudizhu.ranks import digit_of, in_order
from games.rules.doudizhu.state import Turn
from games.templatetags.cards import card

register = template.Library()

# None of a rank is out, or all four: then it may be a bomb.
CELLS: Final = {0: ' class="none"', 4: ' class="all"'}
JOKER_HEAD: Final = '<span aria-hidden="true">{}</span><span class="hidden">{}</span>'


@register.simple_tag
def cards_row(cards: Iterable[Card]) -> SafeString:
    """Cards beside one another, as they come."""
    return mark_safe("".join(map(card, cards)))  # noqa: S308 - each is markup already


@register.simple_tag
def cards_to_pick(cards: Iterable[Card], keep: str, fill: Filled) -> SafeString:
    """Cards that can be ticked, for the play of their holder."""
    key = escape(keep)
    return mark_safe("".join([_pick(one, key, one in fill.cards) for one in cards]))  # noqa: S308


def _pick(one: Card, key: str, ticked: bool) -> str:
    text, checked = one.text, " checked" if ticked else ""
    return (
        f'<label class="pick"><input type="checkbox" id="pick-{key}-{text}" name="cards" '
        f'value="{text}" form="act-play"{checked}>{card(one)}</label>'
    )


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
def counter_rows(counter: Iterable[Counted]) -> SafeString:
    """The two rows of the card counter: ranks, and how many of each are out."""
    language = get_language()
    counter = list(counter)
    heads = "".join([_rank_head(one.rank, language) for one in counter])
    cells = "".join([f"<td{CELLS.get(one.left, '')}>{one.left}</td>" for one in counter])
    return mark_safe(f"<tr>{heads}</tr><tr>{cells}</tr>")  # noqa: S308 - numbers and known ranks


@cache
def _rank_head(rank: str, _language: str | None) -> SafeString:
    told: str = rank
    if rank == "BJ":
        told = format_html(JOKER_HEAD, "☆", _("Small joker"))
    elif rank == "RJ":
        told = format_html(JOKER_HEAD, "★", _("Big joker"))
    return format_html('<th scope="col">{}</th>', told)
