"""Reckon the main bets under the usual rules: `python -m bench.main_bets` (some minutes).

It writes `games/profiles/main_bets.json`, from which pages and reports have these figures at once.
"""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import msgspec

from bench import russian_poker
from games.profiles.public_figures import FILE, decided_by
from games.rules.analysis.figures import bank_figures
from games.rules.contract import AnyGame
from games.rules.house.figure import MAIN, Figure
from games.tables.hand_state import game_from

# Blackjack is exact, so all its rules are reckoned.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "blackjack": [
        {"hit_soft_17": hits, "original_bets_only": original}
        for hits, original in itertools.product((False, True), repeat=2)
    ],
    "casino_holdem": [{}],
    "russian_poker": [{}],
}


def games() -> Iterator[AnyGame]:
    for key, options in OPTIONS.items():
        yield from (game_from(key, option) for option in options)


def _figure(game: AnyGame, seed: str) -> Figure:
    if game.key == "russian_poker":
        # The sample of the preview is too small to tell on whose side such an even game is.
        average = russian_poker.worth()
        return Figure(MAIN, -average.mean, average.standard_error, russian_poker.DEALS)
    figures = bank_figures(game, seed, lambda _done: None)
    return next(figure for figure in figures if figure.key == MAIN)


def main() -> None:
    entries = []
    for game in games():
        rules = decided_by(game)
        figure = _figure(game, rules)
        entries.append({"rules": rules, "figure": msgspec.to_builtins(figure)})
        print(rules, figure, flush=True)
    FILE.write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
