"""URLs under `/players/`: a page for each name, and what players arrange with one another."""

from functools import cache
from typing import Final

from django.urls import URLResolver, get_resolver, path, register_converter
from django.urls.converters import StringConverter

from casino.community.social import pages

ROOT: Final = "players/"


@cache
def _words_of_pages() -> frozenset[str]:
    """The first words of all addresses under `/players/`."""
    words = set()
    for pattern in get_resolver().url_patterns:
        whole = str(pattern.pattern)
        if isinstance(pattern, URLResolver) and whole == ROOT:
            words |= {str(page.pattern).partition("/")[0] for page in pattern.url_patterns}
        elif whole.startswith(ROOT):
            words.add(whole.removeprefix(ROOT).partition("/")[0])
    return frozenset(words)


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
