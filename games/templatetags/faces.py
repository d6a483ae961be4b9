"""The faces of players: `{% face player.face %}` is a symbol of `static/casino/faces.svg`."""

from django import template

from games.boards.pieces.functions import face

register = template.Library()
register.simple_tag(face)
