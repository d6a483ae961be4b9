"""The columns and rows of reports, typed: what a figure is, and how it is added up over days."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

By = Literal["day", "game", "table", "player", "profile", "till"]
BYS: Final[tuple[By, ...]] = ("day", "game", "table", "player", "profile", "till")
Unit = Literal["text", "day", "count", "money", "percent", "number"]
# How the figures of a column are added up over days:
# - "flow": what moved; the sum of days is the figure of the range
# - "stock": what was held at an instant; the figure of a range is that of its end
# - "distinct": people, days or shifts; one may count in several rows, so no sum is shown
# - "ratio": computed from other columns
Measure = Literal["", "flow", "stock", "distinct", "ratio"]
# The page that lists what makes a figure.
Opens = Literal["", "hands", "entries", "accounts", "people", "shifts", "counts"]


class Column(NamedTuple):
    """A column, with its unit, and its measure if it has figures.

    `opens` is the page that lists what makes its figures, and `figure` is what that page calls it,
    if not by the name of the column.
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


CURRENCY: Final = Column("currency", _("Currency"))
# The gross revenue, and the parts of it that came from people and from the house's own bots.
FROM_PEOPLE: Final = Column("from_people", _("From people"), "money", "flow", "hands")
FROM_BOTS: Final = Column("from_bots", _("From bots"), "money", "flow", "hands")
GROSS: Final = (
    Column("gross", _("Gross revenue"), "money", "flow", "hands"), FROM_PEOPLE, FROM_BOTS,
)  # fmt: skip
HANDLE: Final = Column("handle", _("Handle"), "money", "flow", "hands")
RAKE: Final = Column("rake", _("Rake"), "money", "flow", "hands")
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

    By player a hand counts for each of its players, so they don't add up.
    """
    measure: Measure = "distinct" if by == "player" else "flow"
    return (*key_columns(by), Column("hands", _("Hands"), "count", measure, "hands"))


def percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
