"""Whether the frame of a page links to a player's week."""

from django import template

from casino.returning.access import is_open_to
from wallets.player import Viewer

register = template.Library()


@register.simple_tag
def has_my_week(user: Viewer) -> bool:
    return is_open_to(user)
