"""Reports for programs of staff: the same rows as at the command line."""

from typing import Any, get_args

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.office.reports import formats
from casino.office.reports.columns import BYS, Measure, Unit
from casino.office.reports.report import READ, REPORTS, Query, query_at, query_of
from casino.ops.running_code import running_code
from games.web.requests import RequestSerializer, Text, read
from games.web.schema import refusals
from wallets.staff import journal
from wallets.storage.replica import from_replica
from wallets.values.days import day_of
from wallets.values.errors import Hidden


class ReportQuery(RequestSerializer):
    """The days of a report, both included, and the grouping of its figures.

    `at` is an instant instead, for the report of liability alone.
    """

    by = serializers.ChoiceField(choices=BYS, required=False)
    at = Text(max_length=40, required=False)

    def get_fields(self) -> dict[str, Any]:
        # `from` is a word of Python, so no attribute can be called so.
        days = {name: Text(max_length=10, required=False) for name in ("from", "to")}
        return {**days, **super().get_fields()}

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        due = {"at"} if "at" in data else {"from", "to"}
        if data.keys() - {"by"} != due:
            raise serializers.ValidationError(_("Name both days, or an instant."))
        return data


class ReportColumn(serializers.Serializer):
    """A column of a report; `measure` says how its figures are added up, if it has any."""

    name = serializers.CharField()
    unit = serializers.ChoiceField(choices=get_args(Unit))
    measure = serializers.ChoiceField(choices=get_args(Measure), allow_blank=True)


class RunningCodeSerializer(serializers.Serializer):
    """The code that made a report: its version, that of each game's rules, and its files' hash."""

    version = serializers.CharField()
    rules = serializers.DictField(child=serializers.CharField())
    sha256 = serializers.CharField()


class ReportResponse(serializers.Serializer):
    """A report. Amounts are text in whole units of the row's currency."""

    code = RunningCodeSerializer()
    report = serializers.CharField()
    first = serializers.DateField()
    last = serializers.DateField()
    by = serializers.CharField()
    columns = ReportColumn(many=True)
    rows = serializers.ListField(child=serializers.DictField())


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
    def get(self, request: Request, name: str) -> Response:
        if not request.user.has_perm(READ):
            raise PermissionDenied
        if name not in REPORTS:
            raise Hidden("no_such_report", _n("There is no such report."))
        given = read(ReportQuery, request.query_params)
        now = timezone.now()
        if "at" in given:
            query = query_at(name, given["at"], now)
        else:
            by = given.get("by", "")
            query = query_of(name, given["from"], given["to"], by, day_of(now))
        formats.note(journal.by(request.user), query, "api")
        data = {
            "code": running_code().to_json(),
            "report": query.report.name,
            "first": query.span.first,
            "last": query.span.last,
            "by": query.by,
            "columns": [
                {"name": one.name, "unit": one.unit, "measure": one.measure}
                for one in query.columns
            ],
            "rows": _rows(query),
        }
        return Response(ReportResponse(data).data)
