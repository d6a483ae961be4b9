"""Which browsers a player is called back in: only those in which they have asked for it.

A subscription belongs to a device, so it goes when its player signs out there, and with an
exclusion, which signs out everywhere. While a session has merely run out, nothing is sent there.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino.players import devices
from casino.players.models import Device, Player
from casino.players.works_here import works_here
from casino.push import addresses, keys
from casino.push.models import Subscription
from wallets.errors import Refused
from wallets.player import Viewer
from wallets.sealed_columns import digest_of

BROWSERS_MAX: Final = 10
# In the session: whether this browser has a subscription, so that no page has to look it up.
HERE: Final = "push"


class Browser(NamedTuple):
    """What a browser gives when it subscribes."""

    endpoint: str
    public_key: str
    secret: str
    language: str


class Offer(NamedTuple):
    """What a page needs to switch notifications on or off."""

    key: str
    is_on: bool


def is_offered_to(viewer: Viewer | None) -> bool:
    return keys.is_on() and isinstance(viewer, Player) and not works_here(viewer)


def offer(request: HttpRequest) -> Offer | None:
    # A page about a fault may be made before anybody knows whose request it is.
    if not is_offered_to(getattr(request, "user", None)):
        return None
    return Offer(keys.public_key(), bool(request.session.get(HERE)))


def subscribe(player: Player, device_id: int, browser: Browser, now: datetime) -> None:
    """Call this player back in this browser; asked again, its newest address counts."""
    addresses.check(browser.endpoint, browser.public_key, browser.secret)
    with transaction.atomic():
        # Two browsers of one player that ask at once are counted one after the other.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        device = Device.objects.filter(pk=device_id, player=player).first()
        if device is None or not player.is_active:
            raise Refused("bad_subscription", _("Sign in again, then switch this on."))
        _make_room(player, device)
        # A browser is called back for whoever used it last.
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
    """At a sign-in: whoever comes back after a session has run out is notified as before."""
    if request is None or not isinstance(user, Player) or not keys.is_on():
        return
    if Subscription.objects.filter(device=devices.here(request)).exists():
        request.session[HERE] = True


def forget_devices(numbers: Sequence[int], **_: object) -> None:
    Subscription.objects.filter(device__in=numbers).delete()


def forget_player(player: Player, **_: object) -> None:
    Subscription.objects.filter(device__player=player).delete()
