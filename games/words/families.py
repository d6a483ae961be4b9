"""The families of games, as people look for them: thirteen cards, Dou Dizhu, and so on."""

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.catalogue import GAMES


class Family(NamedTuple):
    """Games that stand together; the key is that of no game, so that addresses may name either."""

    key: str
    name: str | Promise
    rooms: tuple[str, ...]

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(game for game, entry in GAMES.items() if entry.family in self.rooms)


FAMILIES: Final = (
    Family("all-thirteen", _("Thirteen cards"), ("thirteen",)),
    Family("all-doudizhu", _("Dou Dizhu"), ("doudizhu",)),
    Family("all-poker", _("Blackjack and poker"), ("blackjack", "russian_poker", "casino_holdem")),
    Family("all-baccarat", _("Baccarat"), ("baccarat",)),
)

# The games whose first hand is guided: `games.views.guided`.
GUIDED: Final = ("chinese_poker", "doudizhu")


def games_of(key: str) -> tuple[str, ...]:
    """The games that a family or a game stands for; none for a word that is neither."""
    if key in GAMES:
        return (key,)
    return next((family.games for family in FAMILIES if family.key == key), ())
