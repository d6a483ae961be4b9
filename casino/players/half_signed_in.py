"""Between password and code: the session says whose password was right, and signs nobody in yet."""

from typing import Final

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from casino.players import sign_in_rules
from casino.players.backends import PlayersBackend
from casino.players.models import Player

KEY: Final = "half_signed_in"
# In the session of whoever has signed in with a code.
BY_CODE: Final = "by_code"
SECONDS_MAX: Final = 600
BACKEND: Final = "casino.players.backends.PlayersBackend"


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
    if player is None or not PlayersBackend().user_can_authenticate(player):
        return None
    if sign_in_rules.refusal(player, timezone.now()) is not None:
        return None
    same = constant_time_compare(half["stamp"], player.get_session_auth_hash())
    return player if same else None


def finish(request: HttpRequest, player: Player) -> None:
    """The code was right too: sign in."""
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
