"""The test for staff, and how long they may be away before they confirm who they are."""

from datetime import timedelta
from typing import Final

from casino.accounts.models import Player
from wallets.values.player import Viewer

# In the session of staff: when they last did something.
ACTIVE: Final = "active_at"
IDLE_MAX: Final = timedelta(minutes=10)


def is_staff_member(viewer: Viewer) -> bool:
    """Return whether this viewer is staff or a superuser; groups do not matter."""
    return isinstance(viewer, Player) and (viewer.is_staff or viewer.is_superuser)
