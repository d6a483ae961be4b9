"""What a bet can win, by what the rules pay and the table's options: told at its spot in money.

A bet that one line of odds pays is told what it pays; one with several lines, what the best of them
pays, and with it what named cards and their draws can add to a bonus bet.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.rules.baccarat.game import PAIR, TIE, BaccaratTable
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import BLACKJACK
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.casino_holdem.paytables import ANTE_ODDS
from games.rules.contract import AnyGame
from games.rules.house.till import EVEN, Odds
from games.rules.russian_poker.game import RussianPoker
from games.words.paytables import paytables

WHOLE_BP: Final = 10_000
TABLES_REMEMBERED: Final = 256


class Winning(NamedTuple):
    """The odds of a bet; `most` is what its box, or its seat, can win in a round."""

    odds: Odds
    several: bool = False
    jackpot: bool = False
    most: int | None = None

    @property
    def words(self) -> str:
        """What is said, with the amount left open."""
        if self.jackpot:
            return _("up to {amount} or jackpot")
        return _("up to {amount}") if self.several else _("pays {amount}")

    def of(self, stake: int) -> int:
        win = self.odds.win(stake)
        return win if self.most is None else min(win, self.most)


@lru_cache(TABLES_REMEMBERED)
def winnings(game: AnyGame) -> dict[str, Winning]:
    """By the spot at baccarat, at other tables by what lies there: the main bet or the bonus."""
    if isinstance(game, BaccaratTable):
        return dict(_baccarat(game))
    if isinstance(game, Blackjack):
        main = Winning(BLACKJACK, several=True, most=game.max_payout)
    elif isinstance(game, CasinoHoldem):
        main = Winning(max(ANTE_ODDS.values()), several=True, most=game.max_payout)
    elif isinstance(game, RussianPoker):
        main = Winning(EVEN, most=game.max_payout)
    else:
        return {}
    return {"amount": main, "bonus": _bonus(game)}


def _baccarat(game: BaccaratTable) -> Iterator[tuple[str, Winning]]:
    most = game.max_payout
    yield "player", Winning(EVEN, most=most)
    kept = Odds(WHOLE_BP - game.commission_bp, WHOLE_BP)
    banker = {game.banker_odds(total) for total in range(10)}
    yield "banker", Winning(kept if game.commission_bp else EVEN, len(banker) > 1, most=most)
    yield "tie", Winning(TIE, most=most)
    for pair in ("player_pair", "banker_pair"):
        yield pair, Winning(PAIR, most=most)


def _bonus(game: AnyGame) -> Winning:
    """The best line of fixed odds, and all that named cards can bring besides."""
    [table] = [one for one in paytables(game) if one.bet == "bonus"]
    lines = [row.odds.pays for row in table.rows if row.odds and not row.beside]
    beside = sum(row.odds.pays for row in table.rows if row.odds and row.beside)
    jackpot = any(row.odds is None for row in table.rows)
    return Winning(Odds(max(lines) + beside), several=True, jackpot=jackpot)
