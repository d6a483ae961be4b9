"""Authentication: who may sign in, and the name under which a failed attempt is counted."""

from collections.abc import Mapping
from copy import copy
from typing import Any, Final

from axes.backends import AxesStandaloneBackend
from axes.exceptions import AxesBackendPermissionDenied
from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from casino.accounts import sign_ins
from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.accounts.sign_in_cache import PLAYER, remember
from games.models.prepared import Query

# Prefix of the hash that is stored instead of a name without an account.
UNKNOWN: Final = "unknown name "
PLAYERS: Final = Query(lambda player: Player.objects.filter(pk=player))


class Locks(AxesStandaloneBackend):  # type: ignore[misc]
    """Refuses a name that is locked from this address, or that strangers have tried too often."""

    def authenticate(
        self,
        request: HttpRequest,
        username: str | None = None,
        password: str | None = None,
        **options: object,
    ) -> None:
        sign_ins.name_device(request, username or "")
        super().authenticate(request, username, password, **options)
        require_try(request, username or "", sign_ins.PASSWORDS)


def require_try(request: HttpRequest, name: str, what: str) -> None:
    """Count one more try, or refuse it: the middleware of the lock then answers."""
    credentials = {"username": name}
    sign_ins.name_device(request, name)
    locked = not AxesProxyHandler.is_allowed(request, credentials)
    if locked or not sign_ins.allowed(request, name, what):
        request.axes_locked_out = True  # type: ignore[attr-defined]
        request.axes_credentials = credentials  # type: ignore[attr-defined]
        if not locked:
            request.seconds_to_wait = sign_ins.seconds_to_wait()  # type: ignore[attr-defined]
        raise AxesBackendPermissionDenied


class PlayersBackend(ModelBackend):
    """Authenticates names and passwords; a bot never gets a session, even if one exists for it."""

    def user_can_authenticate(self, user: Any) -> bool:
        """Check the password of a frozen account too: its owner then reads why it is frozen."""
        return not user.is_bot

    def get_user(self, user_id: int) -> Player | None:
        """The player of a session, as the inherited verb finds them, with less to work out."""
        player = copy(remember(PLAYER, str(user_id), lambda: PLAYERS.first(user_id)))
        return player if player is not None and may_stay_signed_in(player) else None


def may_stay_signed_in(player: Player) -> bool:
    """Whether a session or token signs this player in: a freeze ends both."""
    return player.is_active and not player.is_bot


def name_tried(request: HttpRequest, credentials: Mapping[str, str] | None) -> str | None:
    """Return the normalised name; otherwise each spelling would have its own attempts.

    A name without an account may be a password in the wrong field, so it is replaced by a hash.
    """
    given = (credentials or request.POST).get("username")
    if given is None:
        return None
    key = name_key(given)
    # One sign-in asks this several times.
    names: dict[str, str] = vars(request).setdefault("_names_tried", {})
    if key not in names:
        known = Player.objects.filter(username_key=key).exists()
        names[key] = key if known else f"{UNKNOWN}{salted_hmac(__name__, key).hexdigest()[:20]}"
    return names[key]
