"""Authentication: who may sign in, and the name under which a failed attempt is counted."""

from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from casino.players.names import name_key

# The longest part of a name that is stored with a failed sign-in.
TRIED_MAX: Final = 200


class PlayersBackend(ModelBackend):
    """Authenticates names and passwords; a bot never gets a session, even if one exists for it."""

    def user_can_authenticate(self, user: Any) -> bool:
        return super().user_can_authenticate(user) and not user.is_bot


def name_tried(request: HttpRequest, credentials: Mapping[str, str] | None) -> str | None:
    """Return the normalised name; otherwise each spelling would have attempts of its own."""
    given = (credentials or request.POST).get("username")
    return None if given is None else name_key(given)[:TRIED_MAX]
