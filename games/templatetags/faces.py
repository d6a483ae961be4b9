"""The faces of players: `{% face player.face %}` is a symbol of `static/casino/faces.svg`."""

from django import template
from django.utils.safestring import SafeString

from games.templatetags.remembered import remembered
from games.words.faces import FACES, NOBODY

register = template.Library()


@register.simple_tag
def face(number: object) -> SafeString:
    """Silent: the name beside it says who that is. What is no number of a face is nobody's."""
    known = number if number in FACES else NOBODY
    return remembered("frame/face.html", number=f"{known:02}")
