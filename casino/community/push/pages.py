"""The requests of a browser whose player switches notifications on or off, or which has a new
address.
"""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.accounts import devices
from casino.accounts.models import Player
from casino.community.push import sending, subscribing
from casino.community.push.subscribing import Browser
from wallets.values.errors import Refused


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def push(request: HttpRequest) -> HttpResponse:
    """Answer a service worker with what it needs to subscribe again, or change a subscription."""
    player = request.user
    if not subscribing.is_offered_to(player):
        raise Http404
    assert isinstance(player, Player), "it is offered to players alone"
    if request.method == "GET":
        return JsonResponse({"key": sending.public_key(), "token": get_token(request)})
    try:
        is_on = _change(player, request)
    except Refused as refusal:
        answer = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(answer, status=409)
    request.session[subscribing.HERE] = is_on
    return HttpResponse(status=204)


def _change(player: Player, request: HttpRequest) -> bool:
    """Do what the browser asks; return whether its player is notified there from now on."""
    here, sent = devices.here(request), request.POST
    if sent.get("do") == "off":
        subscribing.unsubscribe(player, here)
        return False
    verb = subscribing.renew if sent.get("do") == "renew" else subscribing.subscribe
    browser = Browser(
        sent.get("endpoint", ""),
        sent.get("p256dh", ""),
        sent.get("auth", ""),
        get_language() or "",
    )
    verb(player, here, browser, timezone.now())
    return True
