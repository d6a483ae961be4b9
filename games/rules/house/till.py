"""The till of the house: every bet won or lost in a round, paid and explained.

What wins is paid at odds and rounded down. A commission is taken from the win, then the maximum
payout of the box cuts off what its main bets have won beyond it; bonus bets, jackpots and prizes
are not cut. Each pays a line, so that the lines add up to every chip that moved.

The till does not look into stacks, as payments between players have to: the betting lets no seat
commit more than its stack, so whatever a seat loses is there, in whichever order it is paid.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.rules.contract import HOUSE, SeatStack
from games.rules.settlement import Line, Payer, PoolName, Settlement, Transfer, take_rake


class Odds(NamedTuple):
    """The net win in units of the stake: 3:2 pays 150 on 100, and the stake comes back."""

    pays: int
    to: int = 1

    def win(self, stake: int) -> int:
        return stake * self.pays // self.to


EVEN: Final = Odds(1)


class Till:
    """Collects what each seat wins from the house and loses to it, in the order of payment."""

    __slots__ = ("_lines", "_max_payout", "_net", "_pools", "_transfers", "_won")

    def __init__(self, stakes: Sequence[SeatStack], max_payout: int) -> None:
        self._max_payout = max_payout
        net: dict[Payer, int] = {}
        for one in stakes:
            net[one.seat] = 0
        net[HOUSE] = 0
        self._net = net
        self._transfers: list[Transfer] = []
        self._lines: list[Line] = []
        # What the main bets of a box have won so far; where there are no boxes, of a seat.
        self._won: dict[int, int] = {}
        self._pools: dict[PoolName, int] = {}

    def lose(self, seat: int, bet: str, amount: int, box: int | None = None) -> None:
        """A bet, or a part of it, goes to the house."""
        if box is None:
            line = Line("bet_lost", seat, HOUSE, amount, {"bet": bet})
        else:
            line = Line("box_lost", seat, HOUSE, amount, {"bet": bet, "box": box})
        self._lines.append(line)
        self._pay(seat, HOUSE, amount, bet)

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
        pays, to = odds
        win = stake * pays // to
        if not win:
            return
        values: dict[str, int | str] = {"bet": bet, "stake": stake, "pays": pays, "to": to}
        if box is not None:
            values["box"] = box
        key = "bet_won" if box is None else "box_won"
        self._lines.append(Line(key, HOUSE, seat, win, values))
        if commission_bp:
            win = self._less_commission(seat, bet, win, commission_bp)
        self._pay_win(seat, bet, win, box)

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
        self._pay_win(seat, key, win, box)

    def charge(self, key: str, seat: int, amount: int, values: dict[str, int | str]) -> None:
        """A price goes to the house; its line is named by the caller."""
        self._lines.append(Line(key, seat, HOUSE, amount, values))
        self._pay(seat, HOUSE, amount, key)

    def _less_commission(self, seat: int, bet: str, win: int, rate_bp: int) -> int:
        """The win after commission, rounded down; a line states the commission."""
        left = win * (10_000 - rate_bp) // 10_000
        values: dict[str, int | str] = {"bet": bet, "rate_bp": rate_bp}
        self._lines.append(Line("commission", seat, HOUSE, win - left, values))
        return left

    def _pay_win(self, seat: int, reason: str, win: int, box: int | None) -> None:
        """Pay a main bet's win as far as its box may win; a line gives back the rest."""
        place = seat if box is None else box
        self._won[place] = won = self._won.get(place, 0) + win
        if won > self._max_payout:
            paid = max(self._max_payout - (won - win), 0)
            values: dict[str, int | str] = {"won": won, "most": self._max_payout}
            if box is not None:
                values["box"] = box
            key = "payout_cap" if box is None else "box_payout_cap"
            self._lines.append(Line(key, seat, HOUSE, win - paid, values))
            win = paid
        self._pay(HOUSE, seat, win, reason)

    def _pay(self, source: Payer, target: Payer, amount: int, reason: str) -> None:
        if amount:
            self._transfers.append(Transfer(source, target, amount, reason))
            self._net[source] -= amount
            self._net[target] += amount

    def win_named(self, key: str, seat: int, amount: int, box: int) -> None:
        """A bet wins even money as far as the box may win; its line is named by the caller."""
        if amount:
            self._lines.append(Line(key, HOUSE, seat, amount, {"box": box}))
            self._pay_win(seat, key, amount, box)

    def prize(self, key: str, seat: int, amount: int, values: dict[str, int | str]) -> None:
        """A bonus or a prize is paid, whatever the box has won; its line is named by the caller."""
        if amount:
            self._lines.append(Line(key, HOUSE, seat, amount, values))
            self._pay(HOUSE, seat, amount, key)

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
        """The settlement of the round; the till must not be used afterwards."""
        net, lines = self._net, self._lines
        rake = take_rake(net, rake_bp, lines) if rake_bp else {}
        return Settlement(net, rake, tuple(self._transfers), tuple(lines), self._pools)
