"""`/metrics`, for Prometheus: nobody else finds it."""

import hmac
from ipaddress import ip_address
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, generate_latest

from casino.metrics.collecting import HouseCollector

SCHEME: Final = "Bearer "
# A request with one of these has come through a proxy, from wherever.
FORWARDED: Final = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_VIA")


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        raise Http404
    # Of this collector alone: what one process says of itself means nothing beside others.
    registry = CollectorRegistry(auto_describe=False)
    registry.register(HouseCollector())
    answer = HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)
    answer["Cache-Control"] = "no-store"
    return answer


def may_read(request: HttpRequest) -> bool:
    """Allow requests with the token; without a token, those from this machine."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        wanted = SCHEME + settings.METRICS_TOKEN
        return hmac.compare_digest(given.encode(), wanted.encode())
    return _is_local(request)


def _is_local(request: HttpRequest) -> bool:
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
