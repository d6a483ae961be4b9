"""The rules of the games: the list of them, each as a page, and as a part beside a table.

What is public of a game is public; what a table has of its own is for those who may look at it.
"""

from itertools import groupby
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from games.hands import game_from
from games.models import Table
from games.rules.catalogue import GAMES
from games.views.table import table_of
from games.words.naming import game_name
from games.words.rule_manners import manners
from games.words.rule_tables import costs, examples, limits, winnings

# Where the texts of a language stand below `templates/rules`.
TEXTS: Final = {"en": "en", "zh-hans": "zh_hans", "zh-hant": "zh_hant"}
FAMILIES: Final = {
    "thirteen": _l("Thirteen cards"),
    "doudizhu": _l("Dou Dizhu"),
}
AGAINST_THE_HOUSE: Final = _l("Against the house")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All games, by families."""
    families = [
        (family, [(key, game_name(key)) for key in keys])
        for family, keys in groupby(
            GAMES, lambda key: FAMILIES.get(GAMES[key].family, AGAINST_THE_HOUSE)
        )
    ]
    return render(request, "rules/index.html", {"families": families})


@require_safe
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """A game with its usual options."""
    if game not in GAMES:
        raise Http404
    return _shown(request, game, {}, None)


@require_safe
def of_table(request: HttpRequest, table_id: int) -> HttpResponse:
    """The game of a table with the table's options."""
    table = table_of(request, table_id)
    return _shown(request, table.game, table.options, table)


def _shown(
    request: HttpRequest, key: str, options: dict[str, Any], table: Table | None
) -> HttpResponse:
    game = game_from(key, options)
    part = bool(HtmxDetails(request))
    text = f"rules/{TEXTS[get_language() or 'en']}/{key}.html"
    context = {
        "game": game,
        "game_name": game_name(key),
        "family": GAMES[key].family,
        "table": table,
        "text": text,
        "examples": examples(game),
        "winnings": winnings(game),
        "costs": costs(game),
        "limits": limits(game, table.currency) if table else (),
        "manners": manners(game),
        # A panel has a heading of its own above those of the text.
        "level": 3 if part else 2,
    }
    return render(request, text if part else "rules/page.html", context)
