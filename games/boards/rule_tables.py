"""Rule tables generated from the options, in rows of words and values.

All of it is read out of the options of a game and out of what the rules reckon by, so that a table
with other options says other things. A page that shows a game and not a table shows its defaults.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.models import ProfileVersion
from games.profiles.figures import Figure
from games.profiles.public_figures import known_figures
from games.profiles.warnings import bet_words
from games.rules.analysis.edges import NO_SEEDS
from games.rules.analysis.pools import PoolTerms
from games.rules.cards import Card
from games.rules.contract import AnyGame
from wallets.models import Currency
from wallets.values.amounts import show_amount

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
