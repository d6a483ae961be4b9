"""Staff do not play: people who can enter the back office get neither seats nor play money."""

from django.utils.translation import gettext_noop as _n

from casino.players.models import Player
from games import admission
from games.words.refusal import Refused
from wallets.player import Viewer


def works_here(viewer: Viewer) -> bool:
    """Return whether this viewer is staff or a superuser, whatever their groups."""
    return isinstance(viewer, Player) and (viewer.is_staff or viewer.is_superuser)


def bar_staff(request: admission.Request) -> Refused | None:
    """Operators, cashiers and auditors do not play; nor does a superuser."""
    if not works_here(request.player):
        return None
    return Refused(
        "staff_do_not_play",
        _n("Staff cannot play here."),
    )


def register() -> None:
    admission.register("staff", bar_staff)
