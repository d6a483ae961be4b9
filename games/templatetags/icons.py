"""The icons of the house: `{% icon "lock" %}` is a mark of the sprite `static/casino/icons.svg`."""

from django import template

from games.boards.pieces.functions import icon

register = template.Library()
register.simple_tag(icon)
