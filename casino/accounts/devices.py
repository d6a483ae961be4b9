"""The places where a player is signed in: browsers, by their names, and programs.

A cookie names a browser for a year, and the house stores its hash with each user who has signed in
there. Its row has the stored key of the session while there is one: a session that no row names has
ended, even if an administrator of the database has kept its row.
"""

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.models import Session
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext

from casino.accounts.models import USER_AGENT_MAX, AccessToken, Device, Player
from casino.accounts.session_store import HERE, stored_key
from casino.accounts.staff import ACTIVE, is_staff_member
from casino.web.addresses import address_of
from casino.web.errors import API_PREFIX
from wallets.of_record.verbs import verb
from wallets.storage.sealed_columns import digest_of
from wallets.values.days import with_zone

# The first that fits: browsers name those before them that they want to be taken for.
BROWSERS: Final = (
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("WeChat", r"MicroMessenger/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|Chromium/|CriOS/"),
    ("Safari", r"Safari/"),
)
SYSTEMS: Final = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("HarmonyOS", r"HarmonyOS|OpenHarmony"),
    ("Windows", r"Windows"),
    ("Mac", r"Macintosh|Mac OS X"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux|X11"),
)
# A program gives its own name, such as `python-requests/2.32`.
PROGRAM: Final = re.compile(r"[A-Za-z][\w.-]{1,30}")


def in_words(user_agent: str) -> str:
    browser = _first(BROWSERS, user_agent)
    system = _first(SYSTEMS, user_agent)
    if browser and system:
        return gettext("{browser} on {system}").format(browser=browser, system=system)
    if browser or system:
        return browser or system
    program = PROGRAM.match(user_agent)
    if program and not user_agent.startswith("Mozilla"):
        return gettext("The program {name}").format(name=program.group())
    return gettext("Unknown device")


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, pattern in names if re.search(pattern, user_agent)), "")


# With `numbers`, the devices on which the user has signed out or was signed out; an expired session
# was ended by no person, and sends none.
sessions_ended: Final = Signal()

COOKIE: Final = "device"
COOKIE_SECONDS: Final = 365 * 24 * 3600
# In the session: when the row of this device was last brought up to date.
SEEN: Final = "device_seen"
SEEN_EVERY: Final = timedelta(minutes=5)
# In the session: when, with what and from where its owner had signed in before.
BEFORE: Final = "signed_in_before"
# A new device beyond this number replaces the one that was not seen for longest.
DEVICES_MAX: Final = 30
COOKIE_MAX: Final = 100


class From(NamedTuple):
    """The origin of a request."""

    address: str
    user_agent: str


class SignInBefore(NamedTuple):
    """The sign-in before the one that a session began with."""

    at: datetime
    words: str
    address: str


def origin_of(request: HttpRequest) -> From:
    agent = request.META.get("HTTP_USER_AGENT", "").replace("\0", "")
    return From(address_of(request)[:45], agent[:USER_AGENT_MAX])


def digest_in(request: HttpRequest) -> str:
    """The hash of the cookie that names this browser; nothing if it has none."""
    name = request.COOKIES.get(COOKIE, "")
    return digest_of(name) if 20 <= len(name) <= COOKIE_MAX else ""


def signed_in(user: AbstractBaseUser, request: HttpRequest | None = None, **_: object) -> None:
    """Note the device on which a user has just signed in; programs have tokens instead."""
    if request is None or not isinstance(user, Player) or request.path.startswith(API_PREFIX):
        return
    if request.session.session_key is None:
        request.session.create()
    request.session[ACTIVE] = int(timezone.now().timestamp())
    before = user.devices.order_by("-signed_in_at").first()
    if before is not None:
        at = int(before.signed_in_at.timestamp())
        request.session[BEFORE] = [at, before.user_agent, before.address]
        if is_staff_member(user):
            _say_when(request, before)
    _note(user, request)


def _say_when(request: HttpRequest, before: Device) -> None:
    """Tell staff when and where the last sign-in was, so that they notice a stranger's."""
    sentence = gettext("Your last sign-in: {time}, {device}, {address}.").format(
        time=with_zone(before.signed_in_at),
        device=in_words(before.user_agent),
        address=before.address,
    )
    # A sign-in that is no page of ours shows none.
    messages.info(request, sentence, fail_silently=True)


@verb("player:account.sign_in")
def _note(player: Player, request: HttpRequest) -> None:
    digest = digest_in(request)
    if not digest:
        name = secrets.token_urlsafe(24)
        digest = digest_of(name)
        request._new_device = name  # type: ignore[attr-defined]
    key = stored_key(request.session.session_key)
    now, (address, user_agent) = timezone.now(), origin_of(request)
    values = {
        "session_key": key,
        "address": address,
        "user_agent": user_agent,
        "signed_in_at": now,
        "seen_at": now,
    }
    with transaction.atomic():
        # A browser that has lost one of its two cookies leaves neither session nor device behind.
        own = Q(player=player, digest=digest)
        lost = Device.objects.filter(own).exclude(session_key=key)
        Session.objects.filter(session_key__in=lost.values("session_key")).delete()
        Device.objects.filter(session_key=key).exclude(own).update(session_key="")
        device, _made = Device.objects.update_or_create(
            player=player, digest=digest, defaults=values
        )
        newest = player.devices.order_by("-seen_at").values_list("pk", flat=True)[:DEVICES_MAX]
        end(player.devices.exclude(pk__in=list(newest)), forget=True)
    request.session[HERE] = device.pk
    request.session[SEEN] = int(now.timestamp())


def leave(request: HttpRequest) -> None:
    """Note that the user signs out here, rather than that the session expires."""
    sessions_ended.send(sender=__name__, numbers=[here(request)])


def seen(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: every five minutes, note that a session is in use, and from where."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # The response is sent even if this cannot be stored.
        with suppress(DatabaseError):
            if request.user.is_authenticated and request.session.session_key:
                keep_current(request)
        if name := getattr(request, "_new_device", ""):
            response.set_cookie(
                COOKIE,
                name,
                COOKIE_SECONDS,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
            )
        return response

    return respond


def keep_current(request: HttpRequest) -> None:
    now = timezone.now()
    if now.timestamp() - request.session.get(SEEN, 0) < SEEN_EVERY.seconds:
        return
    address, user_agent = origin_of(request)
    known = Device.objects.filter(pk=here(request))
    if known.update(seen_at=now, address=address, user_agent=user_agent):
        request.session[SEEN] = int(now.timestamp())


def key_changed(request: HttpRequest) -> None:
    """Name the session by the key that Django has given it instead of an earlier one."""
    key = stored_key(request.session.session_key)
    Device.objects.filter(pk=here(request)).update(session_key=key)


def signed_in_before(request: HttpRequest) -> SignInBefore | None:
    """Return the previous sign-in, so that a stranger's is noticed; None after the first."""
    sign_in = request.session.get(BEFORE)
    if not sign_in:
        return None
    at, user_agent, address = sign_in
    return SignInBefore(datetime.fromtimestamp(at, UTC), in_words(user_agent), address)


def here(request: HttpRequest) -> int:
    """The number of this device; no device has the number 0."""
    return int(request.session.get(HERE, 0))


def sessions_of(player: Player) -> QuerySet[Device]:
    """The devices on which a user is signed in now, the latest first."""
    running = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return player.devices.filter(session_key__in=running).order_by("-seen_at")


def tokens_of(player: Player) -> QuerySet[AccessToken]:
    return player.access_tokens.filter(expires_at__gt=timezone.now()).order_by("-made_at")


def end(devices: QuerySet[Device], *, forget: bool = False) -> int:
    """End the sessions of these devices; return how many there were."""
    with transaction.atomic():
        keys = dict(devices.values_list("pk", "session_key"))
        sessions_ended.send(sender=__name__, numbers=list(keys))
        ended, _each = Session.objects.filter(session_key__in=filter(None, keys.values())).delete()
        if forget:
            Device.objects.filter(pk__in=keys).delete()
        else:
            devices.update(session_key="")
    return ended


@verb("player:account.end_sessions")
def end_everywhere(player: Player, *, but: int = 0) -> int:
    """End all sessions and tokens of a user, except on one device; return how many there were."""
    with transaction.atomic():
        ended = end(player.devices.exclude(pk=but))
        tokens, _each = player.access_tokens.all().delete()
    return ended + tokens


@verb("house:account.forget_devices")
def forget_unused(now: datetime) -> int:
    """Delete devices whose cookies have expired, and return how many there were."""
    unused = Device.objects.filter(seen_at__lt=now - timedelta(seconds=COOKIE_SECONDS))
    deleted, _each = unused.delete()
    return deleted
