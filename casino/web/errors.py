"""Responses to requests that cannot be served: as a page, a fragment, or JSON.

Each refusal has a stable code and a sentence. A page asks who is looking, which uses the database;
the pages for faults use nothing, because the database may be what failed.
"""

import sys
from typing import Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget
from django_htmx.middleware import HtmxDetails

API_PREFIX: Final = "/api/"
# Longer than a database takes to restart or fail over.
RETRY_SECONDS: Final = 10


def answer(
    request: HttpRequest, status: int, code: str, title: str, sentence: str, *, alone: bool = False
) -> HttpResponse:
    """Return a refusal in the requested form; `alone` leaves out everything that needs the
    database.
    """
    if request.path.startswith(API_PREFIX):
        return JsonResponse({"code": code, "sentence": sentence}, status=status)
    context = {"status": status, "code": code, "title": title, "sentence": sentence}
    if HtmxDetails(request):
        text = render_to_string("errors/part.html", context)
        return retarget(reswap(HttpResponse(text, status=status), "innerHTML"), "#messages")
    if alone:
        return HttpResponse(render_to_string("errors/alone.html", context), status=status)
    return HttpResponse(render_to_string("errors/page.html", context, request), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(
        request,
        400,
        "bad_request",
        _("This request could not be read"),
        _("Nothing was changed. Go back, load the page again and try once more."),
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(
        request,
        403,
        "forbidden",
        _("You may not see this page"),
        _("If you think you should, ask a member of staff to check your account."),
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(
        request,
        404,
        "not_found",
        _("There is nothing at this address"),
        _("The table may have closed, or the link is not complete."),
    )


def wrong_method(request: HttpRequest) -> HttpResponse:
    return answer(
        request,
        405,
        "wrong_method",
        _("This page does not accept that kind of request"),
        _("Nothing was changed. Use the buttons of the page it belongs to."),
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return answer(
        request,
        403,
        "stale_page",
        _("This page was open too long"),
        _("Nothing was changed. Load the page again before you send it."),
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle any uncaught exception; Django calls this from its exception handler.

    This includes exceptions of middleware, such as a session that cannot be stored, which a
    middleware of ours would not see.
    """
    if isinstance(sys.exception(), (OperationalError, InterfaceError)):
        return database_gone(request)
    return answer(
        request,
        500,
        "fault",
        _("Something went wrong on our side"),
        _("The error has been recorded. Reload the page: only what it shows was done."),
        alone=True,
    )


def database_gone(request: HttpRequest) -> HttpResponse:
    """The server confirms nothing that it has not stored."""
    response = answer(
        request,
        503,
        "database_gone",
        _("The database is unavailable; nothing was lost"),
        _(
            "Nothing can be stored just now: what you sent counts only if the page shows it. "
            "Please try again in a minute."
        ),
        alone=True,
    )
    response["Retry-After"] = str(RETRY_SECONDS)
    return response
