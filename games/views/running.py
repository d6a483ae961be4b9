"""The strip of every page, asked for by the page itself: what has changed of it, or nothing."""

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from games.lobby.running import running

TABLE: Final = re.compile(r"/tables/(\d{1,18})/")


@require_safe
def strip(request: HttpRequest) -> HttpResponse:
    told = running(request.user, table_at(HtmxDetails(request).current_url or ""))
    if request.GET.get("known") == told.mark:
        return HttpResponse(status=204)
    return render(request, "frame/running.html", {"strip": told})


def table_at(address: str) -> int | None:
    """The table whose page an address is."""
    found = TABLE.fullmatch(parts_of(address).path)
    return int(found[1]) if found else None


def parts_of(address: str) -> SplitResult:
    """The parts of an address that a browser tells; what is no address has none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")
