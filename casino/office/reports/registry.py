"""All reports by name, and reading a request for one."""

from datetime import date, datetime
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Final

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import BYS
from casino.office.reports.report import Query, Report, check
from casino.office.reports.spans import Span, parse_day, parse_instant, span_of
from wallets.values.days import day_of
from wallets.values.errors import Refused
from wallets.values.registry import Registry

REPORTS: Final = Registry[Report]("report")
# The package of an app in which each module is a report.
FOLDER: Final = "office_reports"


def discover() -> None:
    """Register every report of every app."""
    found = [one for app in apps.get_app_configs() for one in reports_in(f"{app.name}.{FOLDER}")]
    for report in sorted(found, key=lambda one: one.place):
        REPORTS.add(report.name, report)


def reports_in(package: str) -> list[Report]:
    """Return the reports of a package, each checked."""
    if find_spec(package) is None:
        return []
    names = [f"{package}.{one.name}" for one in iter_modules(import_module(package).__path__)]
    return [_report_of(name) for name in sorted(names)]


def _report_of(module: str) -> Report:
    report = getattr(import_module(module), "REPORT", None)
    if not isinstance(report, Report):
        raise ImproperlyConfigured(f"The module {module} has no REPORT of a class of reports.")
    check(report)
    return report


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
    span = span_of(parse_day(first), parse_day(last), today)
    if by and by not in report.allowed:
        sentence = _("The report {report} can be grouped by {allowed}, not by {by}.")
        allowed = ", ".join(report.allowed)
        code = "unsupported_by" if by in BYS else "no_such_by"
        raise Refused(code, sentence, report=name, allowed=allowed, by=by[:40])
    chosen = next((one for one in report.allowed if one == by), report.allowed[0])
    return Query(report, span, chosen)


def query_at(name: str, at: str, now: datetime) -> Query:
    instant = parse_instant(at)
    report = REPORTS.get(name)
    if report is None or not report.takes_instant:
        raise Refused("no_instants", _("Only the report of liability takes an instant."))
    if instant > now:
        raise Refused("future_instant", _("{at} has not come yet."), at=instant.isoformat())
    return Query(report.at(instant), Span(day_of(instant), day_of(instant)), "day")
