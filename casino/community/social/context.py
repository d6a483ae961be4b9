"""The sign in the bar of every page that players wait for the reader's answer."""

from functools import cache

from django.http import HttpRequest

from casino.accounts.models import Player
from casino.community.social import friends, invitations
from games.models.combined import Read


def frame(request: HttpRequest) -> dict[str, object]:
    # A page about a fault may be made before the house knows whose request it is.
    reader = getattr(request, "user", None)
    return {"waiting_players": cache(lambda: _waiting_for(reader))}


def reads(reader: Player) -> list[Read]:
    """The query of the sign, read together with the others of the frame."""
    return [*friends.reads(reader), *invitations.reads(reader)]


def _waiting_for(reader: object) -> int:
    """Return how many ask to be the reader's friend or invite them to a table."""
    if not isinstance(reader, Player) or reader.is_staff or reader.is_bot:
        return 0
    return friends.waiting(reader) + len(invitations.of(reader))
