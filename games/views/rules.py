"""The rules of the games: the list of them, each as a page, and as a part beside a table.

The rules of a game are public; those of a table are for viewers of the table.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from games.boards.family import family_of
from games.boards.rule_tables import edge_tables, manners
from games.lobby.seat_finder import tables_to_show
from games.models import Table
from games.rules.analysis.edges import NO_SEEDS, PoolTerms
from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame
from games.tables.hand_state import game_from
from games.tables.jackpots import game_at, jackpots_at, pool_terms
from games.views.table import table_of
from games.words.naming import game_name

# The folder of a language's texts below `templates/rules`.
TEXTS: Final = {"en": "en", "zh-hans": "zh_hans", "zh-hant": "zh_hant"}
# So many open tables of a game are compared, and so many of them named where they differ.
TABLES_MAX: Final = 100
TABLES_NAMED: Final = 6
# The parameter that names a table's rules, and how long a browser keeps them under it.
OF: Final = "of"
KEPT_SECONDS: Final = 600
AGAINST_THE_HOUSE: Final = _l("Against the house")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All games, by families."""
    families = [
        (family, [(key, game_name(key)) for key in keys])
        for family, keys in groupby(GAMES, lambda key: family_of(key).title or AGAINST_THE_HOUSE)
    ]
    return render(request, "rules/index.html", {"families": families})


@require_safe
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """A game as its open tables play it; where they differ, with its usual options."""
    if game not in GAMES:
        raise Http404
    open_tables = list(tables_to_show().filter(game=game).order_by("pk")[:TABLES_MAX])
    tables = {str(_pays(*_played_at(table))): table for table in open_tables}
    if len(tables) == 1:
        (table,) = tables.values()
        return _shown(request, game, *_played_at(table))
    differ = list(tables.values())[:TABLES_NAMED]
    return _shown(request, game, game_from(game, {}), NO_SEEDS, differ=differ)


@require_safe
def of_table(request: HttpRequest, table_id: int) -> HttpResponse:
    """The game of a table with the table's options, and the pools it is played for.

    A page names in the address what it depends on, so its reader need not ask again for a while.
    """
    table = table_of(request, table_id)
    answer = _shown(request, table.game, *_played_at(table), table)
    if OF in request.GET:
        answer["Cache-Control"] = f"private, max-age={KEPT_SECONDS}"
    return answer


def _played_at(table: Table) -> tuple[AnyGame, PoolTerms]:
    """The rules of a table's next hand, and how its pools begin."""
    game = game_at(table)
    pools = jackpots_at(table).values()
    return game, pool_terms(pools)


def _pays(game: AnyGame, terms: PoolTerms, table: Table | None = None) -> dict[str, object]:
    """The tables of payouts and costs, for the page."""
    family, version = family_of(game), table.profile_version if table else None
    return {
        "winnings": family.winnings(game),
        "costs": (*family.costs(game), *edge_tables(game, version, terms)),
    }


def _shown(
    request: HttpRequest,
    key: str,
    game: AnyGame,
    terms: PoolTerms,
    table: Table | None = None,
    differ: Sequence[Table] = (),
) -> HttpResponse:
    part, family = bool(HtmxDetails(request)), family_of(game)
    # An installed game may have its text in English alone.
    languages = (TEXTS[get_language() or "en"], "en")
    # A game without a text of its own has the tables of figures alone.
    text = (*(f"rules/{language}/{key}.html" for language in languages), "rules/text.html")
    context = {
        "game": game,
        "game_name": game_name(key),
        "table": table,
        "text": text,
        "examples": family.examples(game),
        **_pays(game, terms, table),
        "differ": differ,
        "limits": family.limits(game, table.currency) if table else (),
        "manners": manners(game),
        # A panel has its own heading above those of the text.
        "level": 3 if part else 2,
    }
    return render(request, text if part else "rules/page.html", context)
