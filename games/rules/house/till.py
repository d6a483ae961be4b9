"""The till of the house: every bet won or lost in a round, paid and explained.

What wins is paid at odds and rounded down. A commission is taken from the win, then the maximum
payout of the box cuts off what its main bets have won beyond it; bonus bets, jackpots and prizes
are not cut. Each pays a line, so that the lines add up to every chip that moved.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.rules.contract import HOUSE, Stake
from games.rules.settlement import Line, Payments, PoolName, Settlement


class Odds(NamedTuple):
    """The net win in units of the stake: 3:2 pays 150 on 100, and the stake comes back."""

    pays: int
    to: int = 1

    def win(self, stake: int) -> int:
        return stake * self.pays // self.to


EVEN: Final = Odds(1)


class Till:
    """Collects what each seat wins from the house and loses to it, in the order of payment."""

    def __init__(self, stakes: Sequence[Stake], max_payout: int) -> None:
        self._payments = Payments(stakes, winnings_limited=False, house=True)
        self._max_payout = max_payout
        self._lines: list[Line] = []
        # What the main bets of a box have won so far; where there are no boxes, of a seat.
        self._won: dict[tuple[str, int], int] = {}
        self._pools: dict[PoolName, int] = {}

    def lose(self, seat: int, bet: str, amount: int, box: int | None = None) -> None:
        """A bet, or a part of it, goes to the house."""
        values: dict[str, int | str] = {"bet": bet}
        if box is not None:
            values["box"] = box
        key = "bet_lost" if box is None else "box_lost"
        self._lines.append(Line(key, seat, HOUSE, amount, values))
        self._payments.pay(seat, HOUSE, amount, bet)

    def win(
        self,
        seat: int,
        bet: str,
        stake: int,
        odds: Odds,
        box: int | None = None,
        commission_bp: int = 0,
    ) -> None:
        """A main bet wins at odds, less commission, as far as the box may win."""
        win = odds.win(stake)
        if not win:
            return
        values: dict[str, int | str] = {
            "bet": bet,
            "stake": stake,
            "pays": odds.pays,
            "to": odds.to,
        }
        if box is not None:
            values["box"] = box
        key = "bet_won" if box is None else "box_won"
        self._lines.append(Line(key, HOUSE, seat, win, values))
        paid = win
        if commission_bp:
            paid = win * (10_000 - commission_bp) // 10_000
            self._commission(seat, bet, win - paid, commission_bp)
        paid = self._capped(seat, box, paid)
        if paid:
            self._payments.pay(HOUSE, seat, paid, bet)

    def win_hand(
        self, key: str, seat: int, stake: int, odds: Odds, box: int, combination: str
    ) -> None:
        """A main bet wins with a combination of a paytable; its line is named by the caller."""
        win = odds.win(stake)
        values: dict[str, int | str] = {
            "box": box,
            "stake": stake,
            "pays": odds.pays,
            "to": odds.to,
            "combination": combination,
        }
        self._lines.append(Line(key, HOUSE, seat, win, values))
        paid = self._capped(seat, box, win)
        if paid:
            self._payments.pay(HOUSE, seat, paid, key)

    def charge(self, key: str, seat: int, amount: int, values: dict[str, int | str]) -> None:
        """A price goes to the house; its line is named by the caller."""
        self._lines.append(Line(key, seat, HOUSE, amount, values))
        self._payments.pay(seat, HOUSE, amount, key)

    def _commission(self, seat: int, bet: str, amount: int, rate_bp: int) -> None:
        if amount:
            values: dict[str, int | str] = {"bet": bet, "rate_bp": rate_bp}
            self._lines.append(Line("commission", seat, HOUSE, amount, values))

    def _capped(self, seat: int, box: int | None, win: int) -> int:
        """How much of a win is paid; a line gives back the rest."""
        place = ("seat", seat) if box is None else ("box", box)
        before = self._won.get(place, 0)
        self._won[place] = won = before + win
        if won <= self._max_payout:
            return win
        paid = max(self._max_payout - before, 0)
        values: dict[str, int | str] = {"won": won, "most": self._max_payout}
        if box is not None:
            values["box"] = box
        key = "payout_cap" if box is None else "box_payout_cap"
        self._lines.append(Line(key, seat, HOUSE, win - paid, values))
        return paid

    def prize(self, key: str, seat: int, amount: int, values: dict[str, int | str]) -> None:
        """A bonus or a prize is paid, whatever the box has won; its line is named by the caller."""
        if amount:
            self._lines.append(Line(key, HOUSE, seat, amount, values))
            self._payments.pay(HOUSE, seat, amount, key)

    def fill_pool(self, pool: PoolName, amount: int, values: dict[str, int | str]) -> None:
        """The house gives a pool its share of a bonus bet."""
        if amount:
            self._pools[pool] = self._pools.get(pool, 0) + amount
            self._lines.append(Line("pool_share", HOUSE, pool, amount, values))

    def empty_pool(self, pool: PoolName, seat: int, box: int, amount: int) -> None:
        """A pool gives the house what the house has paid out of it."""
        if amount:
            self._pools[pool] = self._pools.get(pool, 0) - amount
            self._lines.append(Line("pool_paid", pool, HOUSE, amount, {"seat": seat, "box": box}))

    def settlement(self, rake_bp: int) -> Settlement:
        self._payments.explain(self._lines)
        return self._payments.settlement(rake_bp, self._pools)
