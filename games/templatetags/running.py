"""The strip of every page, where the page itself is made."""

from typing import Any

from django import template

from games.lobby.running import Running, running
from games.views.running import table_at

register = template.Library()


@register.simple_tag(takes_context=True)
def strip_here(context: dict[str, Any]) -> Running | None:
    """What the strip shows; on the answer to a page's own question it has been told already."""
    if "strip" in context:
        told: Running = context["strip"]
        return told
    request = context.get("request")
    if request is None or not hasattr(request, "user"):
        return None
    return running(request.user, table_at(request.path))
