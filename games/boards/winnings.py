"""The winnings of a bet, by what the rules pay and the table's options, for its spot.

Of a bet that one line of odds pays, the spot says what it pays; of one with several lines, what
the best of them pays, and with it what named cards and their draws can add to a bonus bet.
"""

from typing import NamedTuple

from django.utils.translation import gettext as _

from games.rules.house.till import Odds


class Winning(NamedTuple):
    """The odds of a bet; `most` is what its box, or its seat, can win in a round."""

    odds: Odds
    several: bool = False
    jackpot: bool = False
    most: int | None = None

    @property
    def words(self) -> str:
        """The words, with a placeholder for the amount."""
        if self.jackpot:
            return _("up to {amount} or jackpot")
        return _("up to {amount}") if self.several else _("pays {amount}")

    def of(self, stake: int) -> int:
        win = self.odds.win(stake)
        return win if self.most is None else min(win, self.most)
