"""Middleware: a player who has done nothing for a while is asked to sign in again.

A phone left on a bar gives its finder a seat and a wallet, so idle sessions end. Pages and
forms are activity; parts that an open page fetches by itself are not. Sessions of staff are
confirmed instead, and sooner (`staff_sessions`).
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from casino.accounts.admission import is_guest
from casino.accounts.staff import ACTIVE, is_staff_member
from casino.web.addresses import sign_in_address
from casino.web.errors import API_PREFIX
from wallets.values.player import Viewer

SAFE: Final = ("GET", "HEAD", "OPTIONS")
# The session is stored anew so often at the most while its player plays.
NOTED_EVERY: Final = timedelta(minutes=5)


def idle_sessions(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    def respond(request: HttpRequest) -> HttpResponseBase:
        limit = limit_of(request.user)
        if not limit or not request.user.is_authenticated or is_staff_member(request.user):
            return get_response(request)
        now, active = int(timezone.now().timestamp()), request.session.get(ACTIVE)
        away = timedelta(seconds=now - active) if active is not None else None
        if away is not None and away > limit:
            logout(request)
            return _to_sign_in_again(request) or get_response(request)
        fetched = request.method in SAFE and HtmxDetails(request)
        if away is None or (away >= noted_every(limit) and not fetched):
            request.session[ACTIVE] = now
        return get_response(request)

    return respond


def noted_every(limit: timedelta) -> timedelta:
    """How often the activity of a session with this limit is noted."""
    return min(NOTED_EVERY, limit / 6)


def limit_of(viewer: Viewer) -> timedelta:
    """A guest who is signed out cannot come back, so a guest's session lasts as the guest does."""
    if is_guest(viewer):
        return timedelta(days=settings.GUEST_IDLE_DAYS)
    return timedelta(minutes=settings.PLAYER_IDLE_MINUTES)


def _to_sign_in_again(request: HttpRequest) -> HttpResponse | None:
    """The way to the sign-in and back; a program is refused by its address, as any stranger."""
    sign_in = resolve_url(settings.LOGIN_URL)
    if request.path.startswith(API_PREFIX) or request.path == sign_in:
        return None
    if HtmxDetails(request):
        address = sign_in_address(request, ended=True)
        return HttpResponse(status=401, headers={"HX-Redirect": address})
    if request.method in SAFE:
        query = {"next": request.get_full_path(), "ended": "1"}
        return redirect(f"{sign_in}?{urlencode(query)}")
    return redirect(sign_in_address(request, ended=True))
