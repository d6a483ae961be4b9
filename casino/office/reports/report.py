"""What a report declares, all reports by name, and reading a request for one.

Each report is one file in a package `office_reports` of an app, with an object `REPORT` of a class
that extends `Report`. Everything that a report may leave out has its default here.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import ClassVar, Final, NamedTuple

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import BYS, CURRENCY, By, Column, Row
from casino.office.reports.facts import Span
from casino.office.reports.figures import Figures
from wallets.models import Currency
from wallets.values.days import day_of, house_zone
from wallets.values.errors import Refused
from wallets.values.registry import Registry

# The permission of managers and auditors.
READ: Final = "reports.read_reports"
# The package of an app in which each module is a report.
FOLDER: Final = "office_reports"
NO_INSTANTS: Final = _("Only the report of liability takes an instant.")


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
        raise Refused("no_instants", NO_INSTANTS)

    @property
    def takes_instant(self) -> bool:
        return type(self).at is not Report.at

    def charts(self, shown: "Shown") -> Sequence[SafeString]:
        """Draw what the page has besides the bars of its shades."""
        return ()

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

    def over(self, span: Span) -> "Query":
        """Return the same report over another range."""
        query = Query(self.report, span, self.by)
        query.figures = self.figures.over(span)
        return query

    @property
    def columns(self) -> Sequence[Column]:
        return self.report.columns(self.by)

    @property
    def shown_columns(self) -> list[Column]:
        """The columns of a table that is of one currency."""
        return [column for column in self.columns if column != CURRENCY]

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

    @property
    def code(self) -> str:
        return "" if self.currency is None else self.currency.pk


REPORTS: Final = Registry[Report]("report")


def discover() -> None:
    """Register every report of every app."""
    reports = [
        report for app in apps.get_app_configs() for report in reports_in(f"{app.name}.{FOLDER}")
    ]
    for report in sorted(reports, key=lambda one: one.place):
        REPORTS.add(report.name, report)


def reports_in(package: str) -> list[Report]:
    """Return the reports of a package, each checked."""
    if find_spec(package) is None:
        return []
    reports = []
    for info in sorted(iter_modules(import_module(package).__path__), key=lambda info: info.name):
        module = f"{package}.{info.name}"
        report = getattr(import_module(module), "REPORT", None)
        if not isinstance(report, Report):
            raise ImproperlyConfigured(f"The module {module} has no REPORT of a class of reports.")
        check(report)
        reports.append(report)
    return reports


def check(report: Report) -> None:
    """Refuse a report that could not be shown, in a sentence that says what it lacks."""
    for part in ("name", "title", "allowed"):
        if not getattr(report, part, None):
            raise _wrong(report, f"has no {part}")
    for by in report.allowed:
        _check_columns(report, by)
    if report.shades and "day" not in report.allowed:
        raise _wrong(report, "has shades, which are drawn by day, and is not grouped by day")
    known = {column.name for column in report.columns("day")} if report.shades else set()
    if unknown := set(report.shades) - known:
        raise _wrong(report, f"has shades without a column: {', '.join(sorted(unknown))}")


def _check_columns(report: Report, by: By) -> None:
    columns = report.columns(by)
    names = {column.name for column in columns}
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


def _wrong(report: Report, sentence: str) -> ImproperlyConfigured:
    name = getattr(report, "name", "") or type(report).__name__
    return ImproperlyConfigured(f"The report {name} {sentence}.")


def query_of(name: str, first: str, last: str, by: str, today: date) -> Query:
    """Read what is wanted; refuse an unknown report, a range that cannot be, and a grouping that
    the report does not have."""
    report = REPORTS.get(name)
    if report is None:
        raise Refused(
            "no_such_report",
            _("There is no report called {name}; there are {names}."),
            name=name[:40],
            names=", ".join(REPORTS),
        )
    span = span_of(first, last, today)
    if by and by not in report.allowed:
        sentence = _("The report {report} can be grouped by {allowed}, not by {by}.")
        allowed = ", ".join(report.allowed)
        code = "unsupported_by" if by in BYS else "no_such_by"
        raise Refused(code, sentence, report=name, allowed=allowed, by=by[:40])
    chosen = next((grouping for grouping in report.allowed if grouping == by), report.allowed[0])
    return Query(report, span, chosen)


def query_at(name: str, at: str, now: datetime) -> Query:
    instant = parse_instant(at)
    report = REPORTS.get(name)
    if report is None:
        raise Refused("no_instants", NO_INSTANTS)
    about = report.at(instant)
    if instant > now:
        raise Refused("future_instant", _("{at} has not come yet."), at=instant.isoformat())
    return Query(about, Span(day_of(instant), day_of(instant)), "day")


def span_of(first: str, last: str, today: date) -> Span:
    """A range of days that have begun; refuse one that runs backward or into the future."""
    span = Span(parse_day(first), parse_day(last))
    if span.last < span.first:
        raise Refused(
            "backward_range",
            _("The range runs backward: {last} is before {first}."),
            **span._asdict(),
        )
    if span.last > today:
        raise Refused("future_range", _("{last} has not come yet."), last=span.last)
    return span


def parse_day(text: str) -> date:
    """A day as people and programs write it."""
    wanted = text.strip()
    with suppress(ValueError):
        if len(wanted) == len("2026-11-23"):
            return date.fromisoformat(wanted)
    raise Refused("not_a_day", _("{text} is not a day; write it as 2026-11-23."), text=text[:40])


def parse_instant(text: str) -> datetime:
    """An instant as people and programs write it; without a zone it is the house's."""
    try:
        at = datetime.fromisoformat(text.strip())
        return at.replace(tzinfo=at.tzinfo or house_zone()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(
            "not_an_instant",
            _("{text} is not an instant; write it as 2026-11-23T18:30."),
            text=text[:40],
        ) from None
