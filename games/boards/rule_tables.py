"""Rule tables generated from the options, in rows of words and values.

All of it is read out of the options of a game and out of what the rules reckon by, so that a table
with other options says other things. A page that shows a game and not a table shows its defaults.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.rules.cards import Card
from wallets.amounts import show_amount
from wallets.models import Currency

NONE: Final = "–"


class Row(NamedTuple):
    """A line of a table: its subject, a remark, and the values."""

    label: str
    values: tuple[str, ...]
    note: str = ""


class RuleTable(NamedTuple):
    """Rows under a title; columns are named where there are several."""

    label: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()


class Example(NamedTuple):
    """A combination with an example of its cards."""

    label: str
    cards: tuple[Card, ...]


def to_pay(*rows: Row) -> tuple[RuleTable, ...]:
    """Return what a game costs its players."""
    return (RuleTable(_("To pay"), rows),)


def rake_row(game: Any) -> Row:
    rake = 0 if game.tournament else game.rake_bp
    return Row(_("Rake on a seat's net win in a hand"), (percent(rake) if rake else NONE,))


def bound_rows(bounds: Mapping[str, tuple[int, ...]], currency: Currency) -> tuple[Row, ...]:
    """Amounts by what they bound: the least and the most, or the one."""
    return tuple(
        Row(label, ("–".join(show_amount(amount, currency) for amount in amounts),))
        for label, amounts in bounds.items()
    )


# Figures as one writes them


def number(count: int) -> str:
    return str(number_format(count, force_grouping=True))


def percent(basis_points: int) -> str:
    shown = number_format(Decimal(basis_points) / 100, 2 if basis_points % 100 else 0)
    return f"{shown}%"
