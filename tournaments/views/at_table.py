"""The heading above a table of an event, which changes without the table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.tables.formats import format_of
from games.views.table import table_of


@require_safe
def heading(request: HttpRequest, table_id: int) -> HttpResponse:
    now = timezone.now()
    shown = format_of(table_of(request, table_id)).heading(request.user, now)
    if shown is None:
        raise Http404
    return render(request, shown.template, {"event": shown.event, "now": now})
