"""The icons of the house: `{% icon "lock" %}` is a mark of the sprite `static/casino/icons.svg`."""

from django import template
from django.utils.safestring import SafeString

from games.templatetags.remembered import remembered

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """Silent: what stands beside it, or around it, says in words what it means."""
    return remembered("frame/icon.html", name=name)
