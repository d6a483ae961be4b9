"""The lines of a bonus bet whose best hands win a share of the jackpot."""

from collections.abc import Mapping

from games.rules.house.till import Odds
from games.rules.russian_poker.bonus import JACKPOT_HANDS


def with_shares(
    odds: Mapping[str, Odds], shares_bp: Mapping[str, int] | None
) -> tuple[Mapping[str, Odds], Mapping[str, int]]:
    """Without a jackpot, its hands pay as much as four of a kind."""
    if shares_bp:
        return odds, shares_bp
    return {**odds, **dict.fromkeys(JACKPOT_HANDS, odds["four"])}, {}
