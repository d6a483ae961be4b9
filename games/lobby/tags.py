"""The strip of every page, where the page itself is made."""

from typing import Any, Final

from django import template
from django.utils import timezone

from games.lobby.seat_offers import last_game
from games.lobby.status_strip import StatusStrip, strip_for, table_at

register = template.Library()

# The attribute of a request that keeps its strip.
MADE: Final = "strip_of_page"


@register.simple_tag(takes_context=True, name="last_game")
def last_game_of(context: dict[str, Any]) -> str:
    return last_game(context["request"])


@register.simple_tag(takes_context=True)
def status_strip(context: dict[str, Any]) -> StatusStrip | None:
    """The strip of this page; a view that answers the strip's own request has made it already."""
    if "strip" in context:
        strip: StatusStrip = context["strip"]
        return strip
    request = context.get("request")
    if request is None or not hasattr(request, "user"):
        return None
    # A page may show its seats as well as the bar.
    made: StatusStrip | None = vars(request).get(MADE)
    if made is None:
        now, mine = context.get("frame_at") or timezone.now(), context.get("my_seats")
        made = strip_for(request.user, table_at(request.path), now, mine)
        setattr(request, MADE, made)
    return made
