"""The clock of the session, in the bar of every page."""

from django import template
from django.utils import timezone

from casino.care import reality
from casino.players.models import Player

register = template.Library()


@register.simple_tag
def session_of(player: object) -> reality.Session | None:
    """The session that runs; visitors and bots have none."""
    return reality.session_of(player, timezone.now()) if isinstance(player, Player) else None
