"""Template context for the frame of all pages."""

from functools import cache
from importlib import import_module
from types import ModuleType

from django.conf import settings
from django.http import HttpRequest

from casino.accounts.preferences import chosen
from casino.optional_apps import brought
from games.lobby.seat_offers import offers_guests, refusal_to_play
from wallets.values import house


@cache
def of_optional_apps() -> list[ModuleType]:
    return [import_module(name) for name in brought(settings.OPTIONAL_APPS, "context")]


def frame(request: HttpRequest) -> dict[str, object]:
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
