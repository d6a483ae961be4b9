"""Paytables generated from a table's options and the rules: no figure is written here.

The figures come from the tables by which the rules pay, so a changed option or rule changes what
players read. Shares of the jackpot stand in the place of odds where there is one. Of a bet that one
line of odds pays, its spot says what it pays; of one with several lines, what the best of them
pays, and with it what named cards and their draws can add to a bonus bet.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.rules.house.till import Odds
from games.words.naming import term


class PaytableRow(NamedTuple):
    """One line: a combination by the rules' word for it, how it is called, and what it pays."""

    word: str
    label: str
    pays: str
    # None for a share of the jackpot; the best odds if they are drawn.
    odds: Odds | None = None
    # Whether it is paid in addition to what the cards pay.
    beside: bool = False


class Paytable(NamedTuple):
    """The lines of one bet, the best first."""

    bet: str
    label: str
    rows: tuple[PaytableRow, ...]
    # Why a line pays less than players expect of it.
    note: str = ""


def odds_in_words(odds: Odds) -> str:
    return f"{odds.pays}:{odds.to}"


def share_in_words(share_bp: int, least: Odds | None = None) -> str:
    share = f"{share_bp / 100:g}"
    if least is None:
        return _("{share}% of the jackpot").format(share=share)
    words = _("{share}% of the jackpot, at least {odds}")
    return words.format(share=share, odds=odds_in_words(least))


def odds_row(word: str, odds: Odds, label: str = "", *, beside: bool = False) -> PaytableRow:
    return PaytableRow(word, label or capfirst(term(word)), odds_in_words(odds), odds, beside)


def odds_rows(
    odds: Mapping[str, Odds], shares_bp: Mapping[str, int], least: Odds | None = None
) -> Iterator[PaytableRow]:
    """The lines of a table of odds, from the highest down; shares stand above them."""
    for word, share_bp in reversed(list(shares_bp.items())):
        yield PaytableRow(word, capfirst(term(word)), share_in_words(share_bp, least))
    for word, payout in reversed(list(odds.items())):
        yield odds_row(word, payout)


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
