"""The parts of a report: its name, its columns, and its rows as an iterator.

Each report is one small module. A row is a mapping by the names of the columns; amounts are minor
units of the currency that the row names. Keys that begin with an underscore are not shown: `_only`
says which hands or ledger lines make the figures of the row, and `_open` what the page behind a
column needs beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

from django.utils.functional import Promise

from casino.reports.spans import Span

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
Row = Mapping[str, Any]


# The permission of managers and auditors.
READ: Final = "reports.read_reports"


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


class Report(Protocol):
    """One report over a range of days."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str | Promise: ...

    @property
    def allowed(self) -> tuple[By, ...]:
        """By what it can be grouped; the first is what it is grouped by unless somebody says."""
        ...

    def columns(self, by: By) -> Sequence[Column]: ...

    def rows(self, span: Span, by: By) -> Iterator[Row]: ...
