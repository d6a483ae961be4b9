"""Staff do not play: people who can enter the back office get neither seats nor play money."""

from django.utils.translation import gettext_noop as _n

from casino.players.works_here import works_here
from games import admission
from games.words.refusal import Refused


def bar_staff(request: admission.Request) -> Refused | None:
    """No member of staff plays, whatever their role; nor does a superuser."""
    if not works_here(request.player):
        return None
    return Refused(
        "staff_do_not_play",
        _n("Staff cannot play here."),
    )


def register() -> None:
    admission.register("staff", bar_staff)
