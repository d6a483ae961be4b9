"""The rules of a table read out of its options: rows of words and values, and what differs.

With the options of a game and what the rules reckon by, a table with other options says other
things, and its differences from the standard rules are named in words. A page that shows a game and
not a table shows its defaults.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from msgspec.structs import fields

from games.models import ProfileVersion
from games.profiles.figures import Figure
from games.profiles.public_figures import known_figures
from games.profiles.warnings import bet_words
from games.rules.analysis.edges import NO_SEEDS, PoolTerms
from games.rules.cards import Card
from games.rules.contract import AnyGame
from games.rules.house.sides import DRAWS
from games.rules.house.till import Odds
from games.words.naming import term
from wallets.models import Currency
from wallets.values.amounts import show_amount

# The figures come from the tables by which the rules pay, so a changed option or rule changes
# what players read. Shares of the jackpot stand in the place of odds where there is one. Of a bet
# that one line of odds pays, its spot says what it pays; of one with several lines, what the best
# of them pays, and with it what named cards and their draws can add to a bonus bet.


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


NONE: Final = "–"


class RuleRow(NamedTuple):
    """A line of a table: its subject, a remark, and the values."""

    label: str
    values: tuple[str, ...]
    note: str = ""


class RuleTable(NamedTuple):
    """Rows under a title; columns are named where there are several."""

    label: str
    rows: tuple[RuleRow, ...]
    columns: tuple[str, ...] = ()


class Example(NamedTuple):
    """A combination with an example of its cards."""

    label: str
    cards: tuple[Card, ...]


def to_pay(*rows: RuleRow) -> tuple[RuleTable, ...]:
    """Return what a game costs its players."""
    return (RuleTable(_("To pay"), rows),)


def rake_row(game: Any) -> RuleRow:
    rake = 0 if game.tournament else game.rake_bp
    return RuleRow(_("Rake on a seat's net win in a hand"), (percent(rake) if rake else NONE,))


def bound_rows(bounds: Mapping[str, tuple[int, ...]], currency: Currency) -> tuple[RuleRow, ...]:
    """Amounts by what they bound: the least and the most, or the one."""
    return tuple(
        RuleRow(label, ("–".join(show_amount(amount, currency) for amount in amounts),))
        for label, amounts in bounds.items()
    )


# Figures as one writes them


def number(count: int) -> str:
    return str(number_format(count, force_grouping=True))


def percent(basis_points: int) -> str:
    shown = number_format(Decimal(basis_points) / 100, 2 if basis_points % 100 else 0)
    return f"{shown}%"


def edge_tables(
    game: AnyGame, version: ProfileVersion | None, terms: PoolTerms = NO_SEEDS
) -> tuple[RuleTable, ...]:
    """A table of the bets whose shares are known; none where players play one another."""
    rows = tuple(_row(figure) for figure in known_figures(game, version, terms))
    if not rows:
        return ()
    columns = (_("House edge"), _("Return to player"))
    return (RuleTable(_("On average, in percent of the bet"), rows, columns),)


def _row(figure: Figure) -> RuleRow:
    note = "" if figure.error is None else f"± {_percent(figure.error)}"
    values = (_percent(figure.mean), _percent(1 - figure.mean))
    return RuleRow(capfirst(str(bet_words(figure.key))), values, note)


def _percent(share: float) -> str:
    # Less than half a hundredth of a percent on the wrong side of nothing is nothing.
    shown = number_format(round(100 * share, 2) + 0.0, 2)
    return f"{shown}%".replace("-", "\N{MINUS SIGN}")


# By an option and its value. Only values that are not the default of a game are ever said.
MANNERS: Final[Mapping[tuple[str, object], str | Promise]] = {
    ("tournament", True): _l(
        "Tournament chips: no rake and no pools, and wins are not limited by the stack."
    ),
    ("table", "bonus"): _l(
        "A bonus table: a row won with a premium earns the premium instead of its point."
    ),
    ("extra_point", "no_premium"): _l(
        "A bonus table too gives the point for more rows, where neither side wins a premium."
    ),
    ("twelve", "suit"): _l("Twelve and one are twelve cards of one suit."),
    ("residual_tie", True): _l(
        "Suits decide straights and flushes only; other rows of equal ranks are a tie."
    ),
    ("banker", "rotating"): _l(
        "There is a banker, a new one each hand; the others are compared with the banker only."
    ),
    ("banker", "fixed"): _l(
        "One seat is the banker in every hand; the others are compared with the banker only."
    ),
    ("banker_eats_ties", True): _l(
        "The banker eats ties: only what a row is and its biggest point are compared, and "
        "equals go to the banker."
    ),
    ("prices", "low"): _l("Four of a kind and straight flushes pay less (low prices)."),
    ("jokers", 0): _l("Played without jokers: there is no five of a kind."),
    ("allow_foul", True): _l("Rows out of order are accepted and count as a foul."),
    ("wings", "strict"): _l(
        "Strict wings: neither both jokers, nor four equal cards, nor a three next to the "
        "chain are carried along."
    ),
    ("both_springs", False): _l(
        "A landlord who goes out with the first play gets one doubling for it, not two."
    ),
    ("banker_note_literal", True): _l("The banker does not draw when the player has stood."),
    ("hit_soft_17", True): _l("The dealer draws on a soft 17."),
    ("original_bets_only", True): _l(
        "If the dealer has blackjack, you lose only your original bet; doubles and splits are "
        "returned."
    ),
    ("insurance", "whole"): _l("The whole stake can be insured."),
    ("third_card", "dealer_up"): _l("The third card of the bonus is the dealer's first."),
    ("shuffle_every_round", True): _l("Every round is dealt from a full shoe."),
    ("bonus_card", True): _l("A bonus card is drawn."),
    ("bonus_card", False): _l("No bonus card is drawn."),
    ("wheel", True): _l("A wheel card is drawn."),
    ("wheel", False): _l("No wheel card is drawn."),
    ("lucky_game", True): _l("A lucky card is drawn."),
    ("lucky_game", False): _l("No lucky card is drawn."),
}


def manners(game: AnyGame) -> tuple[str, ...]:
    """The rules of this table that differ from the standard ones."""
    kind: Any = type(game)
    usual = {field.name: field.default for field in fields(kind)}
    # A switch for what a game does not have changes nothing there.
    idle = set(DRAWS) - set(getattr(game, "features", DRAWS))
    return tuple(
        str(sentence)
        for (name, value), sentence in MANNERS.items()
        if name in usual and name not in idle and getattr(game, name) == value != usual[name]
    )
