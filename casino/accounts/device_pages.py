"""The page on which users see their sessions, and end them."""

from datetime import datetime
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.accounts import devices
from casino.accounts.models import Player
from casino.accounts.user_agents import in_words
from wallets.of_record.verbs import verb
from wallets.office.lists import key_in


class Place(NamedTuple):
    """One place where the user is signed in, in words."""

    # The value that a form sends to end it: `session` or `token`, and a number.
    kind: str
    key: int
    words: str
    address: str
    since: datetime
    seen: datetime | None
    here: bool


def places_of(player: Player, here: int = 0) -> list[Place]:
    """Browsers first, this one at the top; then programs."""
    browsers = [
        Place(
            "session",
            one.pk,
            in_words(one.user_agent),
            one.address,
            one.signed_in_at,
            one.seen_at,
            one.pk == here,
        )
        for one in devices.sessions_of(player)
    ]
    programs = [
        Place(
            "token", one.pk, in_words(one.user_agent), one.address, one.made_at, one.seen_at, False
        )
        for one in devices.tokens_of(player)
    ]
    return sorted(browsers, key=lambda place: not place.here) + programs


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def devices_page(request: HttpRequest) -> HttpResponse:
    player = request.user
    assert isinstance(player, Player), "only players sign in"
    here = devices.here(request)
    if request.method == "POST":
        ended = _end(player, here, request)
        messages.success(
            request, _("Signed out there.") if ended else _("That session has already ended.")
        )
        return redirect("devices")
    context = {"places": places_of(player, here)}
    return render(request, "players/devices.html", context)


@verb("player:account.end_session")
def _end(player: Player, here: int, request: HttpRequest) -> int:
    """End what the pressed button names, but never the session that asks."""
    if "others" in request.POST:
        return devices.end_everywhere(player, but=here)
    session, token = (key_in(request.POST.get(kind)) for kind in ("session", "token"))
    ended = devices.end(player.devices.filter(pk=session).exclude(pk=here))
    tokens, _each = player.access_tokens.filter(pk=token).delete()
    return ended + tokens
