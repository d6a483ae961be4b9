"""The main bets of games in which a player decides: what the house keeps of them by best play.

Computing one takes a worker minutes, so no request waits for it: the usual rules have been reckoned
once (`python -m bench.main_bets`), and all others are known as soon as a worker has reckoned any
version or table with the same rules. Few options decide a main bet; limits, bonus bets and pools do
not.
"""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from games.models import Reckoning, Table
from games.profiles import reckoning
from games.rules.analysis.figures import decisive_options, has_main_bet
from games.rules.catalogue import GAMES
from games.rules.contract import AnyGame
from games.rules.house.figure import MAIN, Figure
from games.tables.hand_state import game_from
from games.tables.jackpots import game_at
from wallets.values.errors import Refused

FILE: Final = Path(__file__).with_name("main_bets.json")
# Of other rules than the usual ones, so many reckonings are looked through, the newest first.
LOOKED_AT: Final = 50


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
