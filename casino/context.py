"""Template context for the frame of all pages."""

from functools import cache

from django.http import HttpRequest

from casino.accounts.preferences import PREFERENCES
from games.lobby.seat_offers import offers_guests, refusal_to_play


def frame(request: HttpRequest) -> dict[str, object]:
    """The server writes theme and deck into the page, so it never flashes in another theme."""
    look = [(preference, preference.value(request)) for preference in PREFERENCES]
    return {
        "look": {preference.name: value for preference, value in look},
        "preferences": look,
        "page_address": request.get_full_path,
        "offers_guests": lambda: offers_guests(request.user),
    }


def not_admitted(request: HttpRequest) -> dict[str, object]:
    """Return why the reader may not play, as a code and a sentence; pages then offer no seats.

    The rules are asked only if a page needs the answer, and once.
    """

    return {"not_admitted": cache(lambda: refusal_to_play(request.user))}
