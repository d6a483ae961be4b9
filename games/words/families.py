"""The groups of games, as people look for them: thirteen cards, Dou Dizhu, and so on."""

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.catalogue import GAMES


class Family(NamedTuple):
    """Games that stand together; the key is that of no game, so that addresses may name either."""

    key: str
    name: str | Promise
    games: tuple[str, ...]
    # The cards of its picture: see `games.rules.declaration.Group`.
    picture: tuple[str, ...] = ()


FAMILIES: Final = tuple(
    Family(
        group.key,
        _(group.name),
        tuple(key for key, game in GAMES.items() if game.group == group),
        group.picture,
    )
    for group in dict.fromkeys(game.group for game in GAMES.values())
)

BAR_LETTERS_MAX: Final = 16

# The games whose first hand is guided: `games.views.guided`.
GUIDED: Final = tuple(key for key, game in GAMES.items() if game.is_guided)


def games_of(key: str) -> tuple[str, ...]:
    """The games of a family, or one game; none for a word that is neither."""
    if key in GAMES:
        return (key,)
    return next((family.games for family in FAMILIES if family.key == key), ())


def short_name(key: str) -> str:
    """A game after the name of its family: "Hong Kong" among thirteen cards."""
    game = GAMES[key]
    return str(_(game.short or game.name))


def name_in_a_bar(key: str) -> str:
    """A game where there is little room: a long name by its family, or after that of its family."""
    game = GAMES[key]
    name = str(_(game.name))
    if len(name) <= BAR_LETTERS_MAX:
        return name
    return str(_(game.group.name)) if game.name.startswith(game.group.name) else short_name(key)
