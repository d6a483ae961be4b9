"""The clock of the session, in the bar of every page."""

from typing import Any

from django import template
from django.utils import timezone

from casino.accounts.models import Player
from casino.care import reality

register = template.Library()


@register.simple_tag(takes_context=True)
def session_of(context: dict[str, Any], player: object) -> reality.Session | None:
    """The session that runs; visitors and bots have none."""
    now = context.get("frame_at") or timezone.now()
    return reality.session_of(player, now) if isinstance(player, Player) else None
