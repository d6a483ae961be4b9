"""Settling a hand: transfers between stacks, rake, and the lines that explain every chip.

Payments are made one after the other through `Payments`, which knows what each seat brought. In a
cash hand a seat neither wins nor loses more than its stack, and once it has reached either bound it
takes no part in later payments. In a tournament no seat pays more than its stack, and winnings are
not limited. Rake is a share of a seat's net win, rounded down in the player's favour, or what the
rules take out of each pot.

A `Line` moves an amount from a source to a target and says why, as a key with values that a page
turns into a sentence of the reader's language. Between any two parties the lines add up to their
transfers, to the minor unit; where a stack cut a payment short, a line gives the rest back.

Jackpot money passes through the house. `net` and `rake` alone add up to nothing, and `net["house"]`
is what the house won from the seats, jackpots it paid included. `pools` says what the house then
gives to each pool (its share of the bonus bets) or gets back from it (a jackpot paid), so that the
house keeps `net["house"]` less all of `pools`. Lines between the house and a pool explain that.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NotRequired, Protocol, TypedDict

import msgspec

Payer = int | Literal["house"]
Payee = int | Literal["house", "rake"]
PoolName = Literal["progressive", "mystery"]


# Lines and transfers hold nothing that could hold them: the garbage collector need not watch them.
class Transfer(msgspec.Struct, frozen=True, gc=False):
    """An amount that moves between two stacks, or between a stack and the bank."""

    source: Payer
    target: Payer
    amount: int
    reason: str


class Line(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One reason for one amount; `key` names a sentence in `messages.py`, `values` fill it in."""

    key: str
    source: Payer | PoolName
    target: Payee | PoolName
    amount: int
    values: dict[str, int | str] = {}


class LineValues(TypedDict, total=False):
    """The values of a stored line that code reads, besides those that only its sentence needs."""

    bet: str
    box: int
    points: int
    rank: str
    row: str


class StoredLine(TypedDict):
    """A line as records and the database store it: all parties as text."""

    key: str
    source: str
    target: str
    amount: int
    values: NotRequired[LineValues]


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """The end of a hand: net is after rake, and net and rake over all parties add up to nothing."""

    net: dict[Payer, int]
    rake: dict[int, int]
    transfers: tuple[Transfer, ...]
    lines: tuple[Line, ...]
    pools: dict[PoolName, int] = {}


def take_rake(net: dict[Payer, int], rake_bp: int, lines: list[Line]) -> dict[int, int]:
    """Take the rake from each seat's net win, with a line for each; what was taken from whom."""
    rake: dict[int, int] = {}
    for seat, won in list(net.items()):
        if seat == "house" or won <= 0:
            continue
        share = won * rake_bp // 10_000
        if share:
            rake[seat] = share
            net[seat] = won - share
            values: dict[str, int | str] = {"won": won, "rake_bp": rake_bp}
            lines.append(Line("rake", seat, "rake", share, values))
    return rake


class _Stake(Protocol):
    @property
    def seat(self) -> int: ...
    @property
    def stack(self) -> int: ...


class Payments:
    """Collects the payments of one hand in their order, within the stacks."""

    def __init__(self, stakes: Sequence[_Stake], *, winnings_limited: bool) -> None:
        self._stacks: dict[Payer, int] = {stake.seat: stake.stack for stake in stakes}
        self._net: dict[Payer, int] = dict.fromkeys(self._stacks, 0)
        self._winnings_limited = winnings_limited
        self._taken: dict[int, int] = {}
        self._transfers: list[Transfer] = []
        self._lines: list[Line] = []

    def explain(self, lines: Iterable[Line]) -> None:
        self._lines.extend(lines)

    def pay(self, source: Payer, target: Payer, amount: int, reason: str) -> int:
        """Move as much of an amount as both stacks allow; a line gives back what they do not."""
        payable, receivable = self._payable(source, amount), self._receivable(target, amount)
        paid = min(amount, payable, receivable)
        if paid:
            self._transfers.append(Transfer(source, target, paid, reason))
            self._net[source] = self._net.get(source, 0) - paid
            self._net[target] = self._net.get(target, 0) + paid
        if paid < amount:
            limited = source if payable <= receivable else target
            values: dict[str, int | str] = {"due": amount, "paid": paid, "seat": limited}
            self._lines.append(Line("purse_limit", target, source, amount - paid, values))
        return paid

    def take(self, seat: int, amount: int, reason: str, values: dict[str, int | str]) -> None:
        """Take for the house out of what a seat won, such as its part of a pot."""
        self._taken[seat] = self._taken.get(seat, 0) + amount
        self._lines.append(Line(reason, seat, "rake", amount, values))

    def settlement(self, rake_bp: int = 0) -> Settlement:
        """The whole result; where nothing was taken, rake is taken from each seat's net win."""
        net, lines = dict(self._net), list(self._lines)
        rake = dict(self._taken) or take_rake(net, rake_bp, lines)
        for seat, amount in self._taken.items():
            net[seat] -= amount
        return Settlement(net, rake, tuple(self._transfers), tuple(lines))

    def _payable(self, seat: Payer, amount: int) -> int:
        """The part of an amount that a seat can still lose; the bank can always pay."""
        if seat not in self._stacks:
            return amount
        stack, net = self._stacks[seat], self._net[seat]
        return 0 if self._winnings_limited and net == stack else stack + net

    def _receivable(self, seat: Payer, amount: int) -> int:
        """The part of an amount that a seat may still win."""
        if seat not in self._stacks or not self._winnings_limited:
            return amount
        stack, net = self._stacks[seat], self._net[seat]
        return 0 if net == -stack else stack - net
