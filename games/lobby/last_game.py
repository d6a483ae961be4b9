"""The game that this browser has sat down at last, which the button at a phone's foot opens."""

from typing import Final

from django.http import HttpRequest

from games.rules.catalogue import GAMES

LAST_GAME: Final = "last_game"


def last_game(request: HttpRequest) -> str:
    """The game that the cookie names, or else the first of the lobby."""
    kept = request.COOKIES.get(LAST_GAME, "")
    return kept if kept in GAMES else next(iter(GAMES))
