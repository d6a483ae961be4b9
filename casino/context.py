"""Template context for the frame of all pages."""

from functools import cache

from django.http import HttpRequest
from django.utils import timezone

from casino.players import guest_page
from casino.players.views import PREFERENCES
from casino.push import subscribing
from games import admission
from games.words.refusals import refusal_payload


def frame(request: HttpRequest) -> dict[str, object]:
    """The server writes theme and deck into the page, so it never flashes in another theme."""
    look = {
        name: kept if (kept := request.COOKIES.get(name, "")) in values else values[0]
        for name, values in PREFERENCES.items()
    }
    return {
        "look": look,
        "offers_guests": lambda: guest_page.is_offered_to(request.user),
        "push": cache(lambda: subscribing.offer(request)),
    }


def not_admitted(request: HttpRequest) -> dict[str, object]:
    """Return why the reader may not play, as a code and a sentence; pages then offer no seats.

    The rules are asked only if a page needs the answer, and once.
    """

    @cache
    def refused() -> dict[str, str] | None:
        asking = admission.Request(admission.Occasion.SIT, request.user, timezone.now())
        refusal = admission.refusal(asking)
        return refusal_payload(refusal) if refusal else None

    return {"not_admitted": refused}
