"""The steps after a right password: the code where one is due, and then the first page."""

from typing import Final

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from casino.accounts import codes, passkeys, sign_in_rules
from casino.accounts.models import Player
from casino.accounts.staff import is_staff_member

KEY: Final = "pending_sign_in"
# In the session of a user who has signed in with a code.
BY_CODE: Final = "by_code"
SECONDS_MAX: Final = 600
BACKEND: Final = "casino.accounts.backends.PlayersBackend"


def begin(request: HttpRequest, player: Player) -> None:
    """The session gets a new key, as with every sign-in, and keeps nothing of what was before."""
    request.session.flush()
    request.session[KEY] = {
        "player": player.pk,
        "stamp": player.get_session_auth_hash(),
        "at": int(timezone.now().timestamp()),
    }


def player_in(request: HttpRequest) -> Player | None:
    """Return the player who gave the right password minutes ago, unless it has changed since."""
    half = request.session.get(KEY)
    if not half or timezone.now().timestamp() - half["at"] > SECONDS_MAX:
        return None
    player = Player.objects.filter(pk=half["player"]).first()
    if player is None or player.is_bot:
        return None
    if sign_in_rules.refusal(player, timezone.now()) is not None:
        return None
    same = constant_time_compare(half["stamp"], player.get_session_auth_hash())
    return player if same else None


def has_second_factor(player: Player) -> bool:
    """Whether a code or passkey is asked for after the password, for who has one.

    Players may use a passkey for convenience and keep to their password; staff may not.
    """
    return codes.has_codes(player) or (codes.required_of(player) and passkeys.has_passkeys(player))


def without_second_factor(request: HttpRequest) -> Player | None:
    """The player who gave the right password and has nothing else to sign in with yet."""
    player = player_in(request)
    return None if player is None or has_second_factor(player) else player


def finish(request: HttpRequest, player: Player) -> None:
    """The code was right too, or a passkey has signed: sign in."""
    request.session.pop(KEY, None)
    login(request, player, backend=BACKEND)
    request.session[BY_CODE] = True


def lacks_code(request: HttpRequest, player: Player) -> bool:
    """Whether a session of staff must end, because it was begun without a code."""
    return (
        bool(settings.STAFF_CODES)
        and (player.is_staff or player.is_superuser)
        and not request.session.get(BY_CODE)
    )


def home_of(player: Player) -> str:
    """The first page after a sign-in: the office for staff, the lobby for players."""
    return reverse("admin:index") if is_staff_member(player) else resolve_url("lobby")


def password_was_right(request: HttpRequest, player: Player, next_page: str = "") -> HttpResponse:
    """Sign in, or ask for a code first; the password is not asked for again."""
    if sign_in_rules.refusal(player, timezone.now()) is not None:
        return redirect("sign-in")
    following = next_page or home_of(player)
    has_one = has_second_factor(player)
    if has_one or codes.required_of(player):
        begin(request, player)
        step = "sign-in-code" if has_one else "set-up-codes"
        return redirect(reverse(step, query={"next": following}))
    login(request, player, backend=BACKEND)
    return redirect(following)
