"""Reckon the figures of the demonstration's tables: `python -m bench.club_rules` (three minutes).

It writes `casino/office/demonstration/club_rules.json`, from which a demonstration has them at
once. What the jackpots of a table take is no part of its profile.
"""

import json
from typing import Final

import msgspec

from casino.office.demonstration.cases import FIGURES
from games.profiles import figures, reckoning
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import AnyGame
from games.tables.hand_state import game_from

NO_JACKPOTS: Final = {"jackpot_bp": 0, "mystery_bp": 0}


def played(key: str) -> AnyGame:
    """The rules of the demonstration's table of a game."""
    shares = NO_JACKPOTS if game_type(key).feeds_pools else {}
    return game_from(key, {**GAMES[key].stakes.options, **shares})


def main() -> None:
    entries = {}
    for key in GAMES:
        game, stack = played(key), GAMES[key].stakes.buy_in_max
        seed = reckoning.digest_of(game, stack)
        known = figures.figures(game, stack, seed, lambda _done: None)
        entries[key] = {"digest": seed, "figures": msgspec.to_builtins(known)}
        print(key, entries[key], flush=True)
    FIGURES.write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
