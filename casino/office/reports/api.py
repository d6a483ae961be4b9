"""Reports for programs of staff: the same rows as at the command line."""

from datetime import date
from typing import Annotated, Any, get_args

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType, field
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.office.reports import formats
from casino.office.reports.columns import BYS, Measure, Unit
from casino.office.reports.report import READ, REPORTS, Query, query_at, query_of
from casino.ops.running_code import RunningCode, running_code
from games.web.operations import answer
from games.web.payloads import Payload, Sent, Text, one_of, payload, problem, read_query
from games.web.schema import refusals
from wallets.staff import journal
from wallets.storage.replica import from_replica
from wallets.values.days import day_of
from wallets.values.errors import Hidden

Day = Annotated[Text, Meta(max_length=10)] | UnsetType


class ReportQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The days of a report, both included, and the grouping of its figures.

    `at` is an instant instead, for the report of liability alone.
    """

    # `from` is a word of Python, so no attribute can be called so.
    first: Day = field(name="from", default=UNSET)
    last: Day = field(name="to", default=UNSET)
    by: Annotated[str, one_of(BYS)] = ""
    at: Annotated[Text, Meta(max_length=40)] | UnsetType = UNSET


class ReportColumn(Payload, frozen=True, kw_only=True):
    """A column of a report; `measure` says how its figures are added up, if it has any."""

    name: str
    unit: Annotated[str, one_of(get_args(Unit))]
    measure: Annotated[str, one_of(get_args(Measure))]


class ReportResponse(Payload, frozen=True, kw_only=True):
    """A report. Amounts are text in whole units of the row's currency."""

    code: RunningCode
    report: str
    first: date
    last: date
    by: str
    columns: list[ReportColumn]
    rows: list[dict[str, Any]]


@from_replica
def _rows(query: Query) -> list[dict[str, object]]:
    return list(formats.json_rows(query))


class OneReport(APIView):
    """The house's earnings, debts or promises in a range of days; for managers and auditors."""

    @extend_schema(
        operation_id="report",
        parameters=[ReportQuery],
        responses={200: ReportResponse} | refusals(400, 401, 403, 404, 409, 429),
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        if not request.user.has_perm(READ):
            raise PermissionDenied
        if name not in REPORTS:
            raise Hidden("no_such_report", _n("There is no such report."))
        given, now = read_query(ReportQuery, request.query_params), timezone.now()
        if given.at is not UNSET and given.first is given.last is UNSET:
            query = query_at(name, given.at, now)
        elif given.at is UNSET and given.first is not UNSET and given.last is not UNSET:
            query = query_of(name, given.first, given.last, given.by, day_of(now))
        else:
            raise problem("wrong_shape", _n("Name both days, or an instant."))
        formats.note(journal.by(request.user), query, "api")
        return answer(
            ReportResponse(
                code=running_code(),
                report=query.report.name,
                first=query.span.first,
                last=query.span.last,
                by=query.by,
                columns=[payload(ReportColumn, column) for column in query.columns],
                rows=_rows(query),
            )
        )
