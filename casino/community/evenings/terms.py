"""The host's choices for an evening: the game with its own options, stake, length and speed."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_noop as _n
from msgspec import to_builtins

from casino.community.evenings.points import STAKES_IN_A_STACK
from games.lobby.private_tables import at_speed
from games.profiles.options import Option, defaults, options_of, read
from games.rules.catalogue import GAMES, against_house, of_today
from games.rules.contract import refused_options
from games.rules.errors import Unreadable
from games.tables.replay import game_from
from games.tables.settings import seat_bounds
from wallets.models import Currency
from wallets.values.amounts import require_digits

# The games that people play against one another.
PLAYED: Final = tuple(key for key in GAMES if not against_house(key))
HANDS: Final = range(1, 101)
HANDS_USUAL: Final = 12
STAKES: Final = range(1, 101)
# Where there is a banker, the largest bet in stakes.
BET_STAKES_MAX: Final = 10
# The house's usual times; the next hand begins as soon as all are ready.
SECONDS: Final = {"decision_seconds": 30, "betting_seconds": 15}
PAUSE_SECONDS: Final = 3
# Below so many stakes a stack is filled up again.
STAKES_LEAST: Final = 100


class Terms(NamedTuple):
    """The host's choices for an evening."""

    game: str
    places: int
    hands: int
    stake: int
    speed: str
    options: Mapping[str, Any]


def options_to_choose(game: str) -> list[Option]:
    """The options of a game that are a manner of playing; amounts follow from the stake."""
    if game not in PLAYED:
        raise Unreadable("no_such_game", _n("There is no such game."))
    return [one for one in options_of(game) if one.kind in ("choice", "switch", "number")]


def read_terms(sent: Mapping[str, str]) -> Terms:
    game = sent.get("game", "")
    options = {
        option.name: read(option, sent.get(option.name, ""), Currency())
        for option in options_to_choose(game)
    }
    least, most = seat_bounds(game, options)
    return Terms(
        game,
        _within(sent.get("places", ""), range(least, most + 1), most),
        _within(sent.get("hands", ""), HANDS),
        _within(sent.get("stake", ""), STAKES),
        sent.get("speed", ""),
        options,
    )


def _within(typed: str, bounds: range, usual: int | None = None) -> int:
    if not typed and usual is not None:
        return usual
    require_digits(typed)
    if not typed.isdecimal() or len(typed) > 9 or int(typed) not in bounds:
        raise Unreadable(
            "number_bounds",
            _n("{typed} is not a whole number from {least} to {most}."),
            typed=typed[:20],
            least=bounds[0],
            most=bounds[-1],
        )
    return int(typed)


def settings_of(terms: Terms) -> dict[str, object]:
    """The settings of a table on these terms: without rake, as a tournament is played."""
    stakes = {
        "point": terms.stake,
        "bet_min": terms.stake,
        "bet_max": BET_STAKES_MAX * terms.stake,
        "rake_bp": 0,
    }
    has = defaults(terms.game)
    options: dict[str, object] = {name: amount for name, amount in stakes.items() if name in has}
    options |= {**terms.options, "tournament": True}
    game = game_from(terms.game, of_today(terms.game, options))
    if refusal := refused_options(game):
        raise refusal
    return {
        "game": terms.game,
        "options": to_builtins(game),
        "places": terms.places,
        "buy_in_min": STAKES_IN_A_STACK * terms.stake,
        "buy_in_max": STAKES_IN_A_STACK * terms.stake,
        "stack_min": STAKES_LEAST * terms.stake,
        "pause_seconds": PAUSE_SECONDS,
        **at_speed(terms.speed, **SECONDS),
    }
