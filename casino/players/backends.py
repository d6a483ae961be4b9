"""Who may sign in, and what a failed sign-in is counted under."""

from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from casino.players.names import name_key

# So much of a name is kept of a failed sign-in.
TRIED_MAX: Final = 200


class PlayersBackend(ModelBackend):
    """Names and passwords; a bot has no session, even if one were made for it."""

    def user_can_authenticate(self, user: Any) -> bool:
        return super().user_can_authenticate(user) and not user.is_bot


def name_tried(request: HttpRequest, credentials: Mapping[str, str] | None) -> str | None:
    """The name as it is compared, or each spelling of a name would have tries of its own."""
    given = (credentials or request.POST).get("username")
    return None if given is None else name_key(given)[:TRIED_MAX]
