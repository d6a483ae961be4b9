"""The facts about reader and house that a page's frame needs, in one statement.

The parts of the frame come from several packages, and each asks for what it shows: the wallet, the
clock of the session, friends who wait, seats, jackpots, whether hands may begin.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from importlib import import_module
from typing import Any

from django import template
from django.conf import settings
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.templatetags import header
from casino.care import reality, rules
from casino.optional_apps import brought
from games.lobby import status_strip
from games.models.combined_reads import Read, read_together
from games.tables import admission
from wallets.values.player import Viewer

register = template.Library()


@cache
def _reads_of_optional_apps() -> list[Callable[[Player], list[Read]]]:
    modules = [import_module(name) for name in brought(settings.OPTIONAL_APPS, "context")]
    return [module.reads for module in modules if hasattr(module, "reads")]


def reads(reader: Viewer, now: datetime) -> list[Read]:
    """The frame's content for this reader."""
    found = [*admission.reads_of_holds(), *status_strip.reads(reader, now)]
    if isinstance(reader, Player):
        found += [*header.reads(reader), *reality.reads(reader, now), *rules.reads(reader)]
        found += [read for find in _reads_of_optional_apps() for read in find(reader)]
    return found


class Framed(template.Node):
    """A page part around code that needs these facts."""

    def __init__(self, inside: template.NodeList) -> None:
        self.inside = inside

    def render(self, context: Any) -> str:
        request = context.get("request")
        if request is None or not hasattr(request, "user"):
            return self.inside.render(context)
        now = timezone.now()
        # One moment for all parts, as they ask for what has happened since.
        with context.push(frame_at=now), read_together(reads(request.user, now)):
            return self.inside.render(context)


@register.tag
def framed(parser: template.base.Parser, _token: template.base.Token) -> Framed:
    """`{% framed %}…{% endframed %}`"""
    inside = parser.parse(("endframed",))
    parser.delete_first_token()
    return Framed(inside)
