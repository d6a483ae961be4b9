"""The icons of the house: `{% icon "lock" %}` is a mark of the sprite `static/casino/icons.svg`."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """Silent: what stands beside it, or around it, says in words what it means."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("casino/icons.svg"),
        name,
    )
