"""The spots and road maps of a baccarat table, for its page."""

from typing import Any

from django import template

from games.boards.roads import ShoeMapped, shoe_shown
from games.boards.spots import SpotsTold, spots_told
from games.models import Hand, Table

register = template.Library()


@register.simple_tag(takes_context=True)
def spots(context: template.Context) -> SpotsTold:
    """The spots of the round that is shown: at a table, or looked back on."""
    board: Any = context.get("board")
    hand: Hand = board.hand if board else context["hand"]
    return spots_told(hand, context["view"], context["currency"])


@register.simple_tag
def shoe_on(table: Table) -> ShoeMapped | None:
    """The shoe that the table shows."""
    return shoe_shown(table)
