"""The till of the house: every bet won or lost in a round, paid and explained.

Wins are paid at odds and rounded down. A commission is taken from the win, then the maximum payout
of the box cuts off what its main bets have won beyond it; bonus bets, jackpots and prizes are not
cut. Each pays a line, so that the lines add up to every chip that moved.

The till does not look into stacks, as payments between players have to: the betting lets no seat
commit more than its stack, so a seat can pay all that it loses, in any order.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from games.rules.contract import HOUSE, SeatStack
from games.rules.settlement import Line, Payer, PoolName, Settlement, Transfer, take_rake


class Odds(NamedTuple):
    """The net win in units of the stake: 3:2 pays 150 on 100, and the stake comes back."""

    pays: int
    to: int = 1

    def win(self, stake: int) -> int:
        return stake * self.pays // self.to


EVEN: Final = Odds(1)


class Till(Struct, frozen=True, gc=False):
    """Collects what each seat wins from the house and loses to it, in the order of payment.

    Each round needs a till, and a struct is made in a third of the time of another object.
    """

    stakes: Sequence[SeatStack]
    max_payout: int
    transfers: list[Transfer] = []
    lines: list[Line] = []
    # The wins of a box's main bets so far; where there are no boxes, of a seat.
    won: dict[int, int] = {}
    pools: dict[PoolName, int] = {}

    def lose(self, seat: int, bet: str, amount: int, box: int | None = None) -> None:
        """The house takes a bet, or a part of it."""
        if box is None:
            line = Line("bet_lost", seat, HOUSE, amount, {"bet": bet})
        else:
            line = Line("box_lost", seat, HOUSE, amount, {"bet": bet, "box": box})
        self.lines.append(line)
        if amount:
            self.transfers.append(Transfer(seat, HOUSE, amount, bet))

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
        values: dict[str, int | str]
        if box is None:
            values = {"bet": bet, "stake": stake, "pays": pays, "to": to}
            self.lines.append(Line("bet_won", HOUSE, seat, win, values))
        else:
            values = {"bet": bet, "stake": stake, "pays": pays, "to": to, "box": box}
            self.lines.append(Line("box_won", HOUSE, seat, win, values))
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
        self.lines.append(Line(key, HOUSE, seat, win, values))
        self._pay_win(seat, key, win, box)

    def charge(self, key: str, seat: int, amount: int, values: dict[str, int | str]) -> None:
        """The house takes a price; its line is named by the caller."""
        self.lines.append(Line(key, seat, HOUSE, amount, values))
        self._pay(seat, HOUSE, amount, key)

    def _less_commission(self, seat: int, bet: str, win: int, rate_bp: int) -> int:
        """The win after commission, rounded down; a line states the commission."""
        left = win * (10_000 - rate_bp) // 10_000
        values: dict[str, int | str] = {"bet": bet, "rate_bp": rate_bp}
        self.lines.append(Line("commission", seat, HOUSE, win - left, values))
        return left

    def _pay_win(self, seat: int, reason: str, win: int, box: int | None) -> None:
        """Pay a main bet's win as far as its box may win; a line gives back the rest."""
        place = seat if box is None else box
        won = self.won.get(place, 0) + win
        self.won[place] = won
        if won > self.max_payout:
            win = self._capped(seat, win, won, box)
        if win:
            self.transfers.append(Transfer(HOUSE, seat, win, reason))

    def _capped(self, seat: int, win: int, won: int, box: int | None) -> int:
        """The part of a win that a box may still win, having won so much with it."""
        paid = max(self.max_payout - (won - win), 0)
        values: dict[str, int | str] = {"won": won, "most": self.max_payout}
        if box is not None:
            values["box"] = box
        key = "payout_cap" if box is None else "box_payout_cap"
        self.lines.append(Line(key, seat, HOUSE, win - paid, values))
        return paid

    def _pay(self, source: Payer, target: Payer, amount: int, reason: str) -> None:
        if amount:
            self.transfers.append(Transfer(source, target, amount, reason))

    def win_named(self, key: str, seat: int, amount: int, box: int) -> None:
        """A bet wins even money as far as the box may win; its line is named by the caller."""
        if amount:
            self.lines.append(Line(key, HOUSE, seat, amount, {"box": box}))
            self._pay_win(seat, key, amount, box)

    def prize(self, key: str, seat: int, amount: int, values: dict[str, int | str]) -> None:
        """Pay a bonus or a prize, apart from the box's wins; the caller names its line."""
        if amount:
            self.lines.append(Line(key, HOUSE, seat, amount, values))
            self._pay(HOUSE, seat, amount, key)

    def fill_pool(self, pool: PoolName, amount: int, values: dict[str, int | str]) -> None:
        """The house gives a pool its share of a bonus bet."""
        if amount:
            self.pools[pool] = self.pools.get(pool, 0) + amount
            self.lines.append(Line("pool_share", HOUSE, pool, amount, values))

    def empty_pool(self, pool: PoolName, seat: int, box: int, amount: int) -> None:
        """A pool gives the house what the house has paid out of it."""
        if amount:
            self.pools[pool] = self.pools.get(pool, 0) - amount
            self.lines.append(Line("pool_paid", pool, HOUSE, amount, {"seat": seat, "box": box}))

    def settlement(self, rake_bp: int) -> Settlement:
        """The settlement of the round; the till must not be used afterwards."""
        net: dict[Payer, int] = {}
        for stake in self.stakes:
            net[stake.seat] = 0
        net[HOUSE] = 0
        for transfer in self.transfers:
            net[transfer.source] -= transfer.amount
            net[transfer.target] += transfer.amount
        rake = take_rake(net, rake_bp, self.lines) if rake_bp else {}
        return Settlement(net, rake, tuple(self.transfers), tuple(self.lines), self.pools)


# Bonus bets, ties and jackpots are none: players should not bet on them for an achievement.

FEATS: Final = frozenset(("twenty_one", "showdown", "coup"))
# Lines that name what they pay by its bet.
_BY_BET: Final = {
    "blackjack": "twenty_one",
    "call": "showdown",
    "player": "coup",
    "banker": "coup",
}
_PAID: Final = frozenset(("box_won", "bet_won"))


def feat_of(key: str, values: Mapping[str, Any]) -> str | None:
    """The feat of the seat that a line pays, if it is one."""
    if key == "hand_won":
        return "showdown"
    return _BY_BET.get(values.get("bet", "")) if key in _PAID else None
