"""The health of the house as a page: the verdicts of `/ready/`, and the running code."""

from typing import Final

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.health import checks
from casino.metrics import processes
from casino.running_code import running_code

WORDS: Final[dict[str, str | Promise]] = {
    "database": _("Database"),
    "redis": _("Redis"),
    "worker": _("Workers"),
    "simulations": _("Simulations"),
    "beat": _("Schedule"),
    "sweeper": _("Sweepers"),
    "tables": _("Tables"),
    "anchor": _("Anchors"),
}


@require_safe
def health_page(request: HttpRequest) -> HttpResponse:
    rows: list[dict[str, object]] = [
        {
            "words": WORDS.get(name, name),
            "ok": verdict["ok"],
            "seconds": verdict.get("seconds"),
            "overdue": verdict.get("overdue_seconds"),
            "at": verdict.get("at"),
        }
        for name, verdict in checks(timezone.now()).items()
    ]
    running = processes.running()
    context = {
        **admin.site.each_context(request),
        "title": _("Health"),
        "rows": rows,
        "code": running_code(),
        "processes": [
            {"process": one, "same": one.sha256 == running_code().sha256} for one in running or ()
        ],
        "unknown": running is None,
    }
    return TemplateResponse(request, "backoffice/health.html", context)
