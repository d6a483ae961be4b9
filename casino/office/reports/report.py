"""What a report declares: its name, its columns, its rows, and the pieces of its page.

Each report is one file in a package `office_reports` of an app, with an object `REPORT` of a class
that extends `Report`. Everything that a report may leave out has its default here.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from casino.office.reports.columns import By, Column, Row
from casino.office.reports.figures import Figures
from casino.office.reports.spans import Span
from games.words.charts import Bar, Plot, Series, by_row, days_between, over_slots
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused

# The permission of managers and auditors.
READ: Final = "reports.read_reports"


class Report(ABC):
    """One report over a range of days."""

    name: ClassVar[str]
    title: ClassVar[str | Promise]
    # By what it can be grouped; the first is the default grouping.
    allowed: ClassVar[tuple[By, ...]]
    # Of the menu: a name from the set of the admin's theme.
    symbol: ClassVar[str] = "bar_chart"
    # Reports stand in the order of their places; those without one are the last.
    place: ClassVar[int] = 1_000
    # The columns that its bars show day by day.
    shades: ClassVar[tuple[str, ...]] = ()
    # The instant that it is about, instead of a range.
    instant: datetime | None = None

    @abstractmethod
    def columns(self, by: By) -> Sequence[Column]: ...

    @abstractmethod
    def rows(self, figures: Figures, by: By) -> Iterable[Row]:
        """The rows of the range `figures.span`."""

    def at(self, instant: datetime) -> "Report":
        """Return the same report about one instant, if there is such a thing."""
        raise Refused("no_instants", _l("Only the report of liability takes an instant."))

    @property
    def takes_instant(self) -> bool:
        return type(self).at is not Report.at

    def charts(self, shown: "Shown") -> Sequence[SafeString]:
        return [bars_by_day(self, shown)] if self.shades else []

    def notices(self, shown: "Shown") -> SafeString:
        """Render what must be read before the figures."""
        return SafeString()

    def aside(self, shown: "Shown") -> SafeString:
        """Render the content next to the table."""
        return SafeString()


@dataclass
class Query:
    """A report over a range, grouped."""

    report: Report
    span: Span
    by: By

    @cached_property
    def figures(self) -> Figures:
        """The figures of the range; all parts of a page count an open day once."""
        return Figures(self.span)

    def over(self, span: Span, by: By | None = None) -> "Query":
        """Return the same report over another range, or grouped otherwise."""
        found = Query(self.report, span, by or self.by)
        found.figures = self.figures.over(span)
        return found

    @property
    def columns(self) -> Sequence[Column]:
        return self.report.columns(self.by)

    def rows(self) -> Iterator[Row]:
        names = {column.name for column in self.columns}
        for row in self.report.rows(self.figures, self.by):
            if missing := names - row.cells.keys():
                raise _wrong(self.report, f"has a row without {', '.join(sorted(missing))}")
            yield row


class Shown(NamedTuple):
    """The parts of a report's page: its rows in one currency, or those without any."""

    query: Query
    currency: Currency | None
    rows: Sequence[Row]
    today: date


def bars_by_day(report: Report, shown: Shown) -> SafeString:
    """Draw a bar for each day, with a shade for each of the report's columns."""
    code = "" if shown.currency is None else shown.currency.pk
    columns = {one.name: one for one in report.columns("day")}
    rows = [row for row in report.rows(shown.query.figures, "day") if row.currency == code]
    series = []
    for shade in report.shades:
        by_day: dict[date, int] = {}
        for row in rows:
            by_day[row["day"]] = by_day.get(row["day"], 0) + row[shade]
        total = None
        if columns[shade].measure == "stock":
            # A stock without a row on the last day is zero.
            total = by_day.get(shown.query.span.last, 0)
        elif columns[shade].measure == "flow":
            total = sum(by_day.values())
        series.append(Series(columns[shade].words, by_day, total))
    money = shown.currency if columns[report.shades[0]].unit == "money" else None
    return bars_over_days(_("By day"), series, shown, money)


def bars_over_days(
    title: str, series: Sequence[Series], shown: Shown, currency: Currency | None
) -> SafeString:
    """Draw bars over all days of a report's range that are not in the future."""
    span = shown.query.span
    unit = currency or Currency(exponent=0)
    slots = days_between([span.first, min(span.last, shown.today)])
    title = f"{title}, {currency.code}" if currency else title
    if len(slots) == 1:
        return _bars_of_one_day(f"{title}, {slots[span.first]}", series, unit)
    plot = Plot(
        name="by-day",
        title=title,
        slots=slots,
        write=lambda amount: show_amount(amount, unit),
        bars=series,
        unit=10**unit.exponent,
        unfinished=span.last >= shown.today,
    )
    return over_slots(plot)


def _bars_of_one_day(title: str, series: Sequence[Series], unit: Currency) -> SafeString:
    """Draw a bar for each series, the largest first."""
    largest = sorted((one for one in series if one.size), key=lambda one: -one.size)
    amounts = [(str(one.words), sum(one.values.values())) for one in largest]
    bars = [Bar(words, amount, show_amount(amount, unit)) for words, amount in amounts]
    return by_row("by-day", (title, title), bars, has_title=True) if bars else SafeString()


def check(report: Report) -> None:
    """Refuse a report that could not be shown, in a sentence that says what it lacks."""
    for part in ("name", "title", "allowed"):
        if not getattr(report, part, None):
            raise _wrong(report, f"has no {part}")
    for by in report.allowed:
        _check_columns(report, by)
    if report.shades and "day" not in report.allowed:
        raise _wrong(report, "has shades, which are drawn by day, and is not grouped by day")
    if unknown := set(report.shades) - _names(report, "day"):
        raise _wrong(report, f"has shades without a column: {', '.join(sorted(unknown))}")


def _check_columns(report: Report, by: By) -> None:
    columns = report.columns(by)
    names = _names(report, by)
    if len(names) < len(columns):
        raise _wrong(report, f"has two columns of one name by {by}")
    for one in columns:
        if one.is_figure != bool(one.measure):
            raise _wrong(report, f"must say how {one.name} is added up, if it is a figure")
        if one.unit in ("percent", "number") and one.measure != "ratio":
            raise _wrong(report, f"must call {one.name} a ratio")
        if one.unit == "money" and one.measure not in ("flow", "stock"):
            raise _wrong(report, f"must call {one.name} a flow or a stock")
        if one.unit == "money" and "currency" not in names:
            raise _wrong(report, f"has amounts by {by} and no column currency")


def _names(report: Report, by: By) -> set[str]:
    return {column.name for column in report.columns(by)}


def _wrong(report: Report, sentence: str) -> ImproperlyConfigured:
    name = getattr(report, "name", "") or type(report).__name__
    return ImproperlyConfigured(f"The report {name} {sentence}.")
