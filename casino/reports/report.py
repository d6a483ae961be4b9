"""What a report is: its name, its columns, and its rows as an iterator.

Each report is one small module. A row is a mapping by the names of the columns; amounts are minor
units of the currency that the row names. Keys that begin with an underscore are not shown: they say
which hands or ledger lines make the figures of the row.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

from django.utils.functional import Promise

from casino.reports.spans import Span

By = Literal["day", "game", "table", "player", "profile"]
BYS: Final[tuple[By, ...]] = ("day", "game", "table", "player", "profile")
Unit = Literal["text", "day", "count", "money", "percent", "number"]
Row = Mapping[str, Any]


class Column(NamedTuple):
    """A column, with its unit; `opens` is the page that lists what makes its figures."""

    name: str
    words: str | Promise
    unit: Unit = "text"
    opens: Literal["", "hands", "entries"] = ""

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
