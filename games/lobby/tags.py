"""The strip of every page, where the page itself is made."""

from typing import Any

from django import template
from django.utils import timezone

from games.lobby.status_strip import StatusStrip, strip_for, table_at

register = template.Library()


@register.simple_tag(takes_context=True)
def status_strip(context: dict[str, Any]) -> StatusStrip | None:
    """The strip of this page; a view that answers the strip's own request has made it already."""
    if "strip" in context:
        strip: StatusStrip = context["strip"]
        return strip
    request = context.get("request")
    if request is None or not hasattr(request, "user"):
        return None
    now = context.get("frame_at") or timezone.now()
    return strip_for(request.user, table_at(request.path), now)
