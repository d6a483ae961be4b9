"""The health of the house as a page: the verdicts of `/ready/`, and the running code."""

from datetime import datetime
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.ops.health import checks
from casino.ops.metrics import processes
from casino.ops.running_code import running_code
from wallets.office.staff_pages import OPERATION, Menu, office_page, staff_page
from wallets.values.days import house_time

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


def health_rows(now: datetime) -> list[dict[str, object]]:
    """Each part of the house: whether it works, and how that was measured."""
    return [
        {
            "words": WORDS.get(name, name),
            "ok": verdict["ok"],
            "seconds": verdict.get("seconds"),
            "overdue": verdict.get("overdue_seconds"),
            "at": house_time(datetime.fromisoformat(at)) if (at := verdict.get("at")) else "",
        }
        for name, verdict in checks(now).items()
    ]


@staff_page(
    "health",
    "health/",
    _("Health"),
    "upkeep.read_health",
    menu=Menu(OPERATION, "monitor_heart", 10),
)
@require_safe
def health_page(request: HttpRequest) -> HttpResponse:
    running = processes.running()
    return office_page(
        request,
        "health.html",
        _("Health"),
        rows=health_rows(timezone.now()),
        code=running_code(),
        processes=[
            {"process": one, "same": one.sha256 == running_code().sha256} for one in running or ()
        ],
        unknown=running is None,
    )
