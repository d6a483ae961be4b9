"""The players with a page of their week: all players but guests and those who limit their time at
tables.

A list that grows every day invites players to return, and players who have set a limit have asked
not to be invited.
"""

from django.conf import settings

from casino.accounts.models import Player
from casino.care.visibility import has_limited_time
from wallets.values.player import Viewer


def is_open_to(viewer: Viewer) -> bool:
    """Whether the viewer has the page; for most players this costs no query."""
    if not settings.RETURNING or not isinstance(viewer, Player):
        return False
    return not (viewer.is_bot or viewer.is_guest or viewer.is_staff or has_limited_time(viewer))
