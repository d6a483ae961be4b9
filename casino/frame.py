"""The frame of all pages: its context, its facts in one statement, and its fixed parts made once.

The parts of the frame come from several packages, and each asks for what it shows: the wallet, the
clock of the session, friends who wait, seats, jackpots, whether hands may begin.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib import import_module
from secrets import token_hex
from types import ModuleType
from typing import Any, Final

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.base import Variable, render_value_in_context
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from casino.accounts.models import Player
from casino.accounts.preferences import chosen
from casino.care import reality, rules
from casino.optional_apps import brought
from games.lobby import status_strip
from games.lobby.seat_offers import offers_guests, refusal_to_play
from games.models.combined import Read, read_together
from games.models.prepared import Query
from games.tables import admission
from wallets.models import Account
from wallets.models.holders import held_by, player_reference
from wallets.values import house
from wallets.values.player import Viewer

register = template.Library()
FULLEST_FIRST: Final = Query(lambda owner: held_by(owner).order_by("-balance", "currency_id"), str)

# Placeholders in kept markup for the values of each reader. An address, which a reader
# chooses, is filled in last.
OWN: Final = {name: token_hex() for name in ("csrf_token", "page_address")}
# In how many ways a part is kept: a line of the lobby differs for each table and language.
KEPT_MAX: Final = 512


def reads(reader: Viewer, now: datetime) -> list[Read]:
    """The frame's content for this reader."""
    reads = [*admission.reads_of_holds(), *status_strip.reads(reader, now)]
    if isinstance(reader, Player):
        reads.append((FULLEST_FIRST, (player_reference(reader.pk),)))
        reads += [*reality.reads(reader, now), *rules.reads(reader)]
        modules = [module for module in of_optional_apps() if hasattr(module, "reads")]
        reads += [read for module in modules for read in module.reads(reader)]
    return reads


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


class Kept(template.Node):
    """A page part that is the same for all readers with these values."""

    def __init__(self, inside: template.NodeList, values: Sequence[template.base.FilterExpression]):
        self.inside = inside
        self._values = values
        self._made: dict[tuple[object, ...], str] = {}

    def render(self, context: Any) -> str:
        if "house_key" not in context:
            return self.inside.render(context)
        values = [value.resolve(context, ignore_failures=True) for value in self._values]
        said = context.get("LANGUAGE_CODE") or get_language()
        key = (said, context["house_key"](), *values)
        text = self._made.get(key)
        if text is None:
            with context.push(**OWN):
                text = self.inside.render(context)
            if len(self._made) >= KEPT_MAX:
                self._made.clear()
            self._made[key] = text
        for name, place in OWN.items():
            if place in text:
                own = Variable(name).resolve(context)
                text = text.replace(place, render_value_in_context(own, context))
        return mark_safe(text)  # noqa: S308 - rendered above, and what is filled in is escaped


@register.tag
def kept(parser: template.base.Parser, token: template.base.Token) -> Kept:
    """`{% kept VALUE … %}…{% endkept %}`: made once for each language and these values.

    Nothing inside may depend on anything else, except `csrf_token` and `page_address`.
    """
    values = [parser.compile_filter(word) for word in token.split_contents()[1:]]
    inside = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(inside, values)


@register.simple_tag
def main_wallet(player: Player) -> Account | None:
    """The wallet in the bar of every page: the fullest."""
    return FULLEST_FIRST.first(player_reference(player.pk))


@cache
def of_optional_apps() -> list[ModuleType]:
    return [import_module(name) for name in brought(settings.OPTIONAL_APPS, "context")]


def facts(request: HttpRequest) -> dict[str, object]:
    """What a page may ask for, made once a request: the office renders parts by themselves.

    The server writes theme and deck into the page, so it never flashes in another theme. Rules of
    admission are asked only if a page needs the answer, a code and a sentence.
    """
    kept: dict[str, object] | None = getattr(request, "_frame", None)
    if kept is None:
        preferences = cache(lambda: chosen(request))
        kept = {
            "look": cache(lambda: {preference.name: value for preference, value in preferences()}),
            "preferences": preferences,
            "page_address": request.get_full_path,
            "house_key": cache(lambda: house.current().key),
            "offers_guests": lambda: offers_guests(request.user),
            "not_admitted": cache(lambda: refusal_to_play(request.user)),
        }
        for module in of_optional_apps():
            kept |= module.frame(request)
        request._frame = kept  # type: ignore[attr-defined]
    return kept
