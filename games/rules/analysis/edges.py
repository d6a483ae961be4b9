"""The bets at a table that pay their players on average, and how much: exact, as fractions.

It is asked before a table is opened with such options: only bets whose edge an option can turn are
looked at. What the pools get of a bonus bet they give back to players some day, so it is no gain of
the house, and what the house puts into a pool after a hit is a loss. What a jackpot holds already
is left out.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import structs

from games.rules.analysis.edges import JackpotLine, PoolTerms, mystery_cost, progressive_cost
from games.rules.baccarat.game import BaccaratTable
from games.rules.baccarat.odds import exact_odds
from games.rules.blackjack.analysis import bonus as blackjack
from games.rules.blackjack.game import Blackjack
from games.rules.casino_holdem.edges import bonus_odds, jackpot_ways
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import AnyGame
from games.rules.house.bonus import BonusGame
from games.rules.russian_poker import best_play as russian_poker
from games.rules.russian_poker.game import RussianPoker

WHOLE_BP: Final = 10_000
# Of pools without a seed only what bets feed is paid out.
NO_SEEDS: Final = PoolTerms()
# What pools cost is computed to so many parts of a bet.
PARTS: Final = 10**9
KEPT: Final = 256


def players_edges(game: AnyGame, terms: PoolTerms = NO_SEEDS) -> dict[str, Fraction]:
    """Return what players win of a bet on average, by the word for the bet; often nothing."""
    return {bet: -edge for bet, edge in house_edges(game, terms).items() if edge < 0}


def house_edges(game: AnyGame, terms: PoolTerms = NO_SEEDS) -> dict[str, Fraction]:
    """Return what the house keeps of each bet on average that an option can turn against it."""
    if isinstance(game, BaccaratTable):
        odds = exact_odds(game, game.composition())
        return {str(spot): edge for spot, edge in odds.edges.items()}
    if isinstance(game, BonusGame):
        edge = _of_the_bonus(_any_share(game)).edge
        return {"bonus": edge + least_of_lines(game) - pools_cost(game, terms)}
    return {}


def least_of_lines(game: AnyGame) -> Fraction:
    """Return what `_bonus_edge` takes off for the fixed odds below the shares of a jackpot.

    It assumes an empty jackpot; in truth the pool pays them, and the house what the share lacks.
    """
    if not isinstance(game, BonusGame) or not game.has_jackpot:
        return Fraction(0)
    return sum((chance * least for chance, _share, least in _lines_of(game)), Fraction(0))


def jackpot_chance(game: AnyGame) -> Fraction:
    """Return how likely a bonus bet is to win a share of the jackpot; 0 in games without one."""
    if not isinstance(game, BonusGame) or not game.has_jackpot:
        return Fraction(0)
    return sum((chance for chance, _share, _least in _lines_of(game)), Fraction(0))


@lru_cache(maxsize=KEPT)
def pools_cost(game: Any, terms: PoolTerms) -> Fraction:
    """Return what the pools cost the house of a bonus bet: what feeds them, and what it adds."""
    if game.tournament:
        return Fraction(0)
    cost = Fraction(game.mystery_bp, WHOLE_BP)
    if terms.highest:
        cost = _parts(mystery_cost(game.mystery_bp / WHOLE_BP, game.bonus_min, terms))
    if not game.has_jackpot or not terms.seed:
        return cost + Fraction(game.jackpot_bp, WHOLE_BP)
    floats = [JackpotLine(*map(float, line)) for line in _lines_of(game)]
    share = game.jackpot_bp / WHOLE_BP
    return cost + _parts(progressive_cost(share, floats, terms.seed / game.bonus_min))


def _parts(share: float) -> Fraction:
    return Fraction(round(share * PARTS), PARTS)


class _Bonus(NamedTuple):
    """What a bonus bet is worth whatever share of it the pools get."""

    edge: Fraction
    lines: tuple[tuple[Fraction, Fraction, Fraction], ...]


@lru_cache(maxsize=KEPT)
def _of_the_bonus(game: Any) -> _Bonus:
    """Count the deals once for all shares: a manager who changes one waits for the answer."""
    return _Bonus(_bonus_edge(game), tuple(_jackpot_lines(game)) if game.has_jackpot else ())


def _any_share(game: Any) -> Any:
    """The game as `_of_the_bonus` keeps it: whether bets feed a jackpot matters, not how much."""
    return structs.replace(game, jackpot_bp=min(game.jackpot_bp, 1), mystery_bp=0)


def _lines_of(game: Any) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
    return _of_the_bonus(_any_share(game)).lines


def _jackpot_lines(game: AnyGame) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """The lines that win a share of the jackpot: how likely, which share, and at least how much."""
    if isinstance(game, Blackjack):
        items = blackjack.bonus_lines(game).items()
    elif isinstance(game, CasinoHoldem):
        items = jackpot_ways(game).items()
    else:
        assert isinstance(game, RussianPoker)
        items = russian_poker.jackpot_ways(game).items()
    for combination, chance in items:
        if combination.share_bp:
            least = Fraction(*combination.least) if combination.least else Fraction(0)
            yield chance, Fraction(combination.share_bp, WHOLE_BP), least


def _bonus_edge(game: AnyGame) -> Fraction:
    """Return the house's share of a bonus bet while the jackpot is empty, pools included."""
    if isinstance(game, Blackjack):
        return blackjack.bonus_edge(game)
    if isinstance(game, CasinoHoldem):
        odds = bonus_odds(game)
        return odds.edge_with_wheel if game.wheel else odds.edge
    assert isinstance(game, RussianPoker)
    return russian_poker.bonus_edge(
        game, bonus_card=game.bonus_card, wheel=game.wheel, lucky_game=game.lucky_game
    )
