"""Who may not play what: staff get no seats and no play money, guests only what costs nothing.

A guest has no password, so nobody can be asked who they are. Guests therefore sit at open
play-money tables alone, and say and arrange nothing that others would have to answer for.
"""

from typing import Final

from django.utils.translation import gettext_noop as _n

from casino.players.models import Player
from casino.players.works_here import works_here
from games import admission
from games.admission import Occasion
from games.models import Table
from games.tables.formats import format_of
from games.words.refusal import Refused
from wallets import deposit_rules
from wallets.errors import Refused as PostingRefused
from wallets.models import Currency
from wallets.player import Viewer

# What a guest does with an account alone, and the sentence that says so.
ACCOUNT_NEEDED: Final = {
    Occasion.OPEN: _n("Create an account to open a table of your own."),
    Occasion.TALK: _n("Create an account to type messages; guests use quick phrases."),
    Occasion.MEET: _n("Create an account to find friends."),
}
PLAY_MONEY_ONLY: Final = _n("Guests play for play money at open tables; create an account first.")


def is_guest(viewer: Viewer) -> bool:
    return isinstance(viewer, Player) and viewer.is_guest


def bar_staff(request: admission.Request) -> Refused | None:
    """No member of staff plays, whatever their role; nor does a superuser."""
    if not works_here(request.player):
        return None
    return Refused(
        "staff_do_not_play",
        _n("Staff cannot play here."),
    )


def bar_guests(request: admission.Request) -> Refused | None:
    """Guests play at open cash tables for play money; whatever else there is needs an account."""
    if not is_guest(request.player):
        return None
    if request.occasion in ACCOUNT_NEEDED:
        return Refused("guests_need_account", ACCOUNT_NEEDED[request.occasion])
    if request.event_currency or not (request.table is None or _is_for_guests(request.table)):
        return Refused("guests_need_account", PLAY_MONEY_ONLY)
    return None


def _is_for_guests(table: Table) -> bool:
    """Whether the lobby lists it, and nothing but play money is at stake."""
    is_open = format_of(table).listed and not table.private
    return is_open and table.currency.kind == Currency.Kind.PLAY


def refuse_deposit(player_id: int, *_what: object) -> None:
    """Nobody pays in for a guest, whose wallet is gone with their session."""
    if Player.objects.filter(pk=player_id, is_guest=True).exists():
        raise PostingRefused("guests_need_account", _n("A guest needs an account to pay in."))


def register() -> None:
    admission.register("staff", bar_staff)
    admission.register("guests", bar_guests)
    deposit_rules.register("guests", refuse_deposit)
