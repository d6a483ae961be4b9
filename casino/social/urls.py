"""URLs under `/players/`: a page for each name, and what players arrange with one another."""

from functools import cache

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from casino.care.urls import urlpatterns as care_patterns
from casino.players.urls import urlpatterns as players_patterns
from casino.returning.urls import urlpatterns as returning_patterns
from casino.social import pages


@cache
def _words_of_pages() -> frozenset[str]:
    """The first words of all other addresses under `/players/`."""
    others = (*players_patterns, *care_patterns, *returning_patterns)
    return frozenset(str(one.pattern).partition("/")[0] for one in others) | {"friends"}


class PlayerName(StringConverter):
    """A name in any spelling; one that a page has too is written in upper case."""

    def to_url(self, value: str) -> str:
        return value.upper() if value in _words_of_pages() else value


register_converter(PlayerName, "player_name")

urlpatterns = [
    path("friends/", pages.my_friends, name="my-friends"),
    *(
        path(f"friends/{name}/", pages.verb, {"name": name}, name=f"friends-{name}")
        for name in pages.VERBS
    ),
    path("<player_name:name>/", pages.player_page, name="player"),
]
