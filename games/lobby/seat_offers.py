"""The offers of a page to a reader without a seat, and the game that this browser played last."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from games.rules.catalogue import GAMES
from games.tables import admission
from games.words.refusals import refusal_payload
from wallets.values.player import Viewer


def offers_guests(viewer: Viewer) -> bool:
    """Whether pages show "Play as a guest"; a player who is signed in has no use for it."""
    return settings.GUESTS and not viewer.is_authenticated


def refusal_to_play(viewer: Viewer) -> dict[str, str] | None:
    """Why the reader may not play, as a code and a sentence; pages then offer no seats."""
    if not viewer.is_authenticated:
        return None
    asking = admission.Request(admission.Occasion.SIT, viewer, timezone.now())
    refusal = admission.refusal(asking)
    return refusal_payload(refusal) if refusal else None


LAST_GAME: Final = "last_game"


def last_game(request: HttpRequest) -> str:
    """The game that the cookie names, or else the first of the lobby."""
    kept = request.COOKIES.get(LAST_GAME, "")
    return kept if kept in GAMES else next(iter(GAMES))
