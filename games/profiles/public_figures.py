"""The house's share of each bet of a game, as far as it is known without waiting.

Exact shares come from the rules, by the functions that the operator's preview uses. The main bets
of games in which a player decides take a worker minutes: those of the usual rules are reckoned
already, and a table with other rules shows them once a worker has reckoned such rules.
"""

import json
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from games.models import ProfileVersion, Reckoning, Table
from games.profiles import figures, reckoning
from games.rules.analysis.edges import NO_SEEDS, PoolTerms
from games.rules.analysis.figures import decisive_options, has_main_bet
from games.rules.catalogue import GAMES, against_house
from games.rules.contract import AnyGame
from games.rules.house.figure import MAIN, Figure
from games.tables.hand_state import game_from
from games.tables.jackpots import game_at
from wallets.values.errors import Refused

# Of the usual rules, by `python -m bench.main_bets`. Few options decide a main bet; limits,
# bonus bets and pools do not.
FILE: Final = Path(__file__).with_name("main_bets.json")
# Of other rules than the usual ones, so many reckonings are looked through, the newest first.
LOOKED_AT: Final = 50
# So many sets of options stay in memory: each is reckoned in a third of a second.
GAMES_KEPT: Final = 256


def main_figure(game: AnyGame) -> Figure | None:
    """Return the house's share of the main bet; None without one, or if not calculated yet."""
    if not has_main_bet(game.key):
        return None
    rules = decided_by(game)
    return _usual().get(rules) or _reckoned(game.key, rules)


@cache
def _usual() -> dict[str, Figure]:
    rows = json.loads(FILE.read_text())
    return {row["rules"]: msgspec.convert(row["figure"], Figure) for row in rows}


def _reckoned(key: str, rules: str) -> Figure | None:
    done = Reckoning.objects.filter(game=key, state=Reckoning.State.DONE).order_by("-pk")
    for row in done[:LOOKED_AT]:
        try:
            if decided_by(game_from(key, row.options)) == rules:
                return reckoning.figures_of(row).get(MAIN)
        except Refused:
            # The rules do not read these options any more.
            continue
    return None


def ask_for_tables(now: datetime) -> int:
    """Have a worker compute the missing main bets of open tables; say how many."""
    requested: set[str] = set()
    decided = [key for key in GAMES if has_main_bet(key)]
    for table in Table.objects.exclude(status=Table.Status.CLOSED).filter(game__in=decided):
        game = game_at(table)
        rules = decided_by(game)
        if rules not in requested and main_figure(game) is None:
            requested.add(rules)
            reckoning.ask_for(game, table.buy_in_max, now)
    return len(requested)


def decided_by(game: AnyGame) -> str:
    """The rules that decide the main bet, as a text that tells them from all others."""
    rules = {"game": game.key, "version": game.rules_version, **decisive_options(game)}
    return json.dumps(rules, sort_keys=True)


def known_figures(
    game: AnyGame, version: ProfileVersion | None, terms: PoolTerms = NO_SEEDS
) -> list[Figure]:
    """The figures of a game against the house, the main bet first; none among players."""
    if not against_house(game.key):
        return []
    main = (version and _of_version(version)) or main_figure(game)
    # Every game is a frozen struct, though the contract does not say that it can be hashed.
    options: object = game
    return [*([main] if main else []), *_exact(options, terms)]


def _of_version(version: ProfileVersion) -> Figure | None:
    try:
        return reckoning.figures_of(reckoning.of_version(version)).get(MAIN)
    except Refused:
        # The rules read the options of this version no more.
        return None


@lru_cache(maxsize=GAMES_KEPT)
def _exact(game: Any, terms: PoolTerms) -> tuple[Figure, ...]:
    return tuple(figures.exact_bets(game, terms))
