"""Which browsers a player is called back in: only those in which they have asked for it.

A subscription belongs to a device, so it is deleted when its player signs out there, and with an
exclusion, which signs out everywhere. While a session has merely run out, nothing is sent there.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.accounts import devices
from casino.accounts.models import Device, Player
from casino.accounts.staff import is_staff_member
from casino.care.own_data import DataRow
from casino.community.push import sending
from casino.community.push.models import Subscription
from wallets.storage.sealed_columns import digest_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer

BROWSERS_MAX: Final = 10
# In the session: whether this browser has a subscription, so that no page has to look it up.
HERE: Final = "push"


class Browser(NamedTuple):
    """The data that a browser sends when it subscribes."""

    endpoint: str
    public_key: str
    secret: str
    language: str


class Offer(NamedTuple):
    """The data for switching notifications on or off on a page."""

    key: str
    is_on: bool


def is_offered_to(viewer: Viewer | None) -> bool:
    return sending.is_on() and isinstance(viewer, Player) and not is_staff_member(viewer)


def offer(request: HttpRequest) -> Offer | None:
    # A page about a fault may be made before the request has a user.
    if not is_offered_to(getattr(request, "user", None)):
        return None
    return Offer(sending.public_key(), bool(request.session.get(HERE)))


def subscribe(player: Player, device_id: int, browser: Browser, now: datetime) -> None:
    """Call this player back in this browser; asked again, its newest address counts."""
    sending.check(browser.endpoint, browser.public_key, browser.secret)
    with transaction.atomic():
        # Simultaneous requests of one player's browsers are counted one after the other.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        device = Device.objects.filter(pk=device_id, player=player).first()
        if device is None or not player.is_active:
            raise Refused("bad_subscription", _("Sign in again, then switch this on."))
        _make_room(player, device)
        # A browser is notified for the player who used it last.
        others = Subscription.objects.filter(endpoint_digest=digest_of(browser.endpoint))
        others.exclude(device=device).delete()
        values = browser._asdict() | {"made_at": now}
        Subscription.objects.update_or_create(device=device, defaults=values)


def renew(player: Player, device_id: int, browser: Browser, now: datetime) -> None:
    """Follow a browser that has a new address; this switches nothing on."""
    if not Subscription.objects.filter(device=device_id, device__player=player).exists():
        raise Refused("not_subscribed", _("Notifications are off in this browser."))
    subscribe(player, device_id, browser, now)


def unsubscribe(player: Player, device_id: int) -> None:
    Subscription.objects.filter(device=device_id, device__player=player).delete()


def _make_room(player: Player, device: Device) -> None:
    """Refuse one more than there may be; those whose sessions have run out make way."""
    others = Subscription.objects.filter(device__player=player).exclude(device=device)
    if others.count() >= BROWSERS_MAX:
        others.filter(device__session_key="").delete()
    if others.count() >= BROWSERS_MAX:
        raise Refused(
            "too_many_browsers",
            _("You are notified in {most} browsers already. Sign out in one that you do not use."),
            most=BROWSERS_MAX,
        )


def remember(user: AbstractBaseUser, request: HttpRequest | None = None, **_: object) -> None:
    """At a sign-in: a player who returns after a session has expired is notified as before."""
    if request is None or not isinstance(user, Player) or not sending.is_on():
        return
    if Subscription.objects.filter(device=devices.here(request)).exists():
        request.session[HERE] = True


def forget_devices(numbers: Sequence[int], **_: object) -> None:
    Subscription.objects.filter(device__in=numbers).delete()


def forget_player(player: Player, **_: object) -> None:
    Subscription.objects.filter(device__player=player).delete()


def rows(player: Player) -> Iterator[DataRow]:
    """The service of each browser; whole addresses and keys are what others could misuse."""
    for subscription in Subscription.objects.filter(device__player=player).order_by("pk"):
        yield {
            "service": urlsplit(subscription.endpoint).netloc,
            "made": subscription.made_at,
            "last_delivery": subscription.succeeded_at,
        }


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def push(request: HttpRequest) -> HttpResponse:
    """Answer a service worker with what it needs to subscribe again, or change a subscription."""
    player = request.user
    if not is_offered_to(player):
        raise Http404
    assert isinstance(player, Player), "it is offered to players alone"
    if request.method == "GET":
        return JsonResponse({"key": sending.public_key(), "token": get_token(request)})
    try:
        is_on = _change(player, request)
    except Refused as refusal:
        answer = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(answer, status=409)
    request.session[HERE] = is_on
    return HttpResponse(status=204)


def _change(player: Player, request: HttpRequest) -> bool:
    """Do what the browser asks; return whether its player is notified there from now on."""
    here, sent = devices.here(request), request.POST
    if sent.get("do") == "off":
        unsubscribe(player, here)
        return False
    verb = renew if sent.get("do") == "renew" else subscribe
    browser = Browser(
        sent.get("endpoint", ""),
        sent.get("p256dh", ""),
        sent.get("auth", ""),
        get_language() or "",
    )
    verb(player, here, browser, timezone.now())
    return True
