"""The questions of families as functions, so that a test asks every game alike."""

from typing import Any

from games.boards.family import family_of
from games.boards.help import Hint, Suggested
from games.boards.rule_tables import Example, Paytable, RuleRow, RuleTable, Winning
from wallets.models import Currency


def paytables(game: Any) -> tuple[Paytable, ...]:
    return family_of(game).paytables(game)


def bet_winnings(game: Any) -> dict[str, Winning]:
    return family_of(game).bet_winnings(game)


def examples(game: Any) -> tuple[Example, ...]:
    return family_of(game).examples(game)


def winnings(game: Any) -> tuple[RuleTable, ...]:
    return family_of(game).winnings(game)


def costs(game: Any) -> tuple[RuleTable, ...]:
    return family_of(game).costs(game)


def limits(game: Any, currency: Currency) -> tuple[RuleRow, ...]:
    return family_of(game).limits(game, currency)


def suggestions(game: Any, view: Any) -> tuple[Suggested, ...]:
    return family_of(game).suggestions(game, view, opened=True)


def hint(game: Any, view: Any) -> Hint:
    hint = family_of(game).hint(game, view)
    assert hint is not None
    return hint
