"""All reports by their names, and the reading of what somebody wants to see."""

from datetime import date, datetime
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from casino.reports.desk import Desk
from casino.reports.jackpots import Jackpots
from casino.reports.liability import Liability, LiabilityAt
from casino.reports.players import Players
from casino.reports.rake import Rake
from casino.reports.report import BYS, By, Report
from casino.reports.returns import Returns
from casino.reports.revenue import Revenue
from casino.reports.spans import Span, parse_day, parse_instant, span_of
from wallets.errors import Refused

REPORTS: Final[dict[str, Report]] = {
    one.name: one
    for one in (Revenue(), Returns(), Liability(), Jackpots(), Rake(), Players(), Desk())
}


class Query(NamedTuple):
    """A report over a range, grouped."""

    report: Report
    span: Span
    by: By


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
        sentence = _("The report {report} goes by {allowed}, not by {by}.")
        allowed = ", ".join(report.allowed)
        code = "unsupported_by" if by in BYS else "no_such_by"
        raise Refused(code, sentence, report=name, allowed=allowed, by=by[:40])
    chosen = next((one for one in report.allowed if one == by), report.allowed[0])
    return Query(report, span, chosen)


def query_at(name: str, at: str, now: datetime) -> Query:
    """Return the query for what the house owed at an instant; no other report is about one."""
    instant = parse_instant(at)
    if name != Liability.name:
        raise Refused("no_instants", _("Only the report of liability takes an instant."))
    if instant > now:
        raise Refused("future_instant", _("{at} has not come yet."), at=instant.isoformat())
    return Query(LiabilityAt(instant), Span(instant.date(), instant.date()), "day")
