"""Columns and rows of reports: each column is declared once for page, files, API and lists."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Literal, NamedTuple, get_args

from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.web.spreadsheets import Exponents
from games.words.naming import game_name
from wallets.models import Currency
from wallets.values.amounts import show_amounts

By = Literal["day", "game", "table", "player", "profile", "till"]
BYS: Final[tuple[By, ...]] = get_args(By)
Unit = Literal["text", "day", "count", "money", "percent", "number"]
# How the figures of a column are added up over days:
# - "flow": what moved; the sum of days is the figure of the range
# - "stock": what was held at an instant; the figure of a range is that of its end
# - "distinct": people, days or shifts; one may count in several rows, so no sum is shown
# - "ratio": computed from other columns
Measure = Literal["", "flow", "stock", "distinct", "ratio"]
# The page that lists what makes a figure.
Opens = Literal["", "hands", "entries", "accounts", "people", "shifts", "counts"]
MINUS: Final = "\N{MINUS SIGN}"
# A figure that has grown more often than this is compared by itself, without percent.
TIMES_MAX: Final = 10


class Column(NamedTuple):
    """A column, with its unit, and its measure if it has figures.

    `opens` is the page that lists what makes its figures, and `figure` is the measure that it
    shows, if not that of its own name.
    """

    name: str
    words: str | Promise
    unit: Unit = "text"
    measure: Measure = ""
    opens: Opens = ""
    figure: str = ""

    @property
    def is_figure(self) -> bool:
        return self.unit not in ("text", "day")

    @property
    def source(self) -> str:
        return self.figure or self.name

    def shown(self, value: Any, currency: Currency | None) -> str:
        return self.all_shown([value], currency)[0]

    def all_shown(self, values: Iterable[Any], currency: Currency | None) -> list[str]:
        """Cells as people read them: amounts with all decimals, and a dash if one is empty."""
        if self.unit == "money" and currency is not None:
            return show_amounts(values, currency, is_exact=True)
        return [self._shown(value) for value in values]

    def _shown(self, value: Any) -> str:
        if value is None or value == "":
            return "–"
        assert self.unit != "money", "a row with amounts names their currency"
        if self.unit in ("percent", "number"):
            text = f"{value:.2f}%" if self.unit == "percent" else f"{value:+.1f}"
            return text.replace("-", MINUS)
        if self.unit == "count":
            return number_format(value, force_grouping=True).replace("-", MINUS)
        if isinstance(value, date):
            return date_format(value, "SHORT_DATE_FORMAT")
        return str(game_name(value)) if self.name == "game" else str(value)

    def plain(self, value: Any, currency: str, exponents: Exponents) -> str:
        """A cell as programs read it: plain numbers, amounts in whole units."""
        if value is None:
            return ""
        if self.unit == "money":
            return exponents.whole_units(value, currency)
        if self.unit in ("percent", "number"):
            return f"{value:.4f}"
        return value.isoformat() if isinstance(value, date) else str(value)


@dataclass(slots=True)
class Row:
    """A row by the names of the columns; amounts are minor units of the row's currency.

    `only` selects the hands or ledger lines behind the figures of the row; `opens` has further
    arguments of the page behind a column, or None where a figure has no page in this row.
    """

    cells: dict[str, Any]
    only: dict[str, Any] = field(default_factory=dict)
    opens: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    # Its figures are contained in another row's, so they are not added up.
    is_part: bool = False
    is_alarm: bool = False

    def __getitem__(self, column: str) -> Any:
        return self.cells[column]

    @property
    def currency(self) -> str:
        """The code of its currency; empty in a report without amounts."""
        return str(self.cells.get("currency", ""))

    def read(self, columns: Iterable[Column], measures: object) -> None:
        """Take the figures of those columns that name a measure."""
        for column in columns:
            if column.is_figure and hasattr(measures, column.source):
                self.cells[column.name] = getattr(measures, column.source)


def all_cells(
    rows: Sequence[Row], columns: Iterable[Column], currency: Currency | None
) -> list[tuple[str, ...]]:
    """The cells of rows as people read them, formatted by columns."""
    texts = (column.all_shown([row[column.name] for row in rows], currency) for column in columns)
    return list(zip(*texts, strict=True))


CURRENCY: Final = Column("currency", _("Currency"))
HANDS: Final = Column("hands", _("Hands"), "count", "flow", "hands")
REVERSED: Final = Column("reversed", _("Reversed"), "count", "flow", "hands")
WITH_PEOPLE: Final = Column("with_people", _("Hands with people"), "count", "flow", "hands")
HANDLE: Final = Column("handle", _("Handle"), "money", "flow", "hands")
WON: Final = Column("won", _("Won by the house"), "money", "flow", "hands")
RAKE: Final = Column("rake", _("Rake"), "money", "flow", "hands")
FEES: Final = Column("fees", _("Fees of tournaments"), "money", "flow", "entries")
# The gross revenue, and the parts of it that came from people and from the house's own bots.
FROM_PEOPLE: Final = Column("from_people", _("From people"), "money", "flow", "hands")
FROM_BOTS: Final = Column("from_bots", _("From bots"), "money", "flow", "hands")
GROSS: Final = (
    Column("gross", _("Gross revenue"), "money", "flow", "hands"), FROM_PEOPLE, FROM_BOTS,
)  # fmt: skip
TO_POOLS: Final = Column("pools", _("To jackpots"), "money", "flow", "hands")
NET: Final = Column("net", _("Net revenue"), "money", "flow", "hands", "earned")
# Of one bet.
COUNTED: Final = Column("counted", _("Hands"), "count", "flow", "hands")
KEPT: Final = Column("kept", _("Kept by the house"), "money", "flow", "hands")
# Of a player.
PLAYERS_NET: Final = Column("net", _("Won by the player"), "money", "flow", "hands")
DAYS: Final = Column("days", _("Days played"), "count", "distinct", "hands")
# Of a jackpot.
OF_POOLS: Final = (
    Column("fed", _("Fed by bets"), "money", "flow", "hands"),
    Column("hit", _("Paid out"), "money", "flow", "hands"),
    Column("hits", _("Hits"), "count", "flow", "hands"),
)
_KEYS: Final[dict[By, tuple[Column, ...]]] = {
    "day": (Column("day", _("Day"), "day"),),
    "game": (Column("game", _("Game")),),
    "table": (
        Column("table", _("Table")),
        Column("number", _("Number"), "text"),
        Column("game", _("Game")),
    ),
    "profile": (Column("profile", _("Profile")), Column("game", _("Game"))),
    "player": (Column("player", _("Player")), Column("number", _("Number"), "text")),
}


def key_columns(by: By) -> tuple[Column, ...]:
    """Return the columns that name a row of a group, and its currency."""
    return (*_KEYS[by], CURRENCY)


def hands_columns(by: By) -> tuple[Column, ...]:
    """The columns that name a row, and how many hands it is of.

    By player a hand counts for each of its players, so rows do not sum.
    """
    return (*key_columns(by), HANDS._replace(measure="distinct") if by == "player" else HANDS)


def percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def change(before: Any, now: Any) -> str:
    """Return by how much a figure has grown or fallen, if percent say it well."""
    if not before or now is None or before < 0 or now < 0 or now > TIMES_MAX * before:
        return ""
    return f"{100 * (now - before) / before:+.0f}%".replace("-", MINUS)
