"""The players who may not play: staff get no seats and no play money, guests only what costs
nothing.

A guest has no password, so their identity cannot be checked. Guests therefore sit at open
play-money tables alone, and say and arrange nothing that others would have to answer for.
"""

from typing import Final

from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.accounts.staff import is_staff_member
from games.models import Table
from games.tables import admission
from games.tables.admission import Occasion
from games.tables.formats import format_of
from wallets.models import Currency
from wallets.values.errors import Refused
from wallets.values.player import Viewer

# The occasions for which a guest needs an account, and their sentences.
ACCOUNT_NEEDED: Final = {
    Occasion.OPEN: _n("Create an account to open a table of your own."),
    Occasion.TALK: _n("Create an account to type messages; guests use quick phrases."),
    Occasion.MEET: _n("Create an account to find friends."),
}
PLAY_MONEY_ONLY: Final = _n("Guests play for play money at open tables; create an account first.")


def is_guest(viewer: Viewer) -> bool:
    return isinstance(viewer, Player) and viewer.is_guest


def bar_staff(request: admission.Request) -> Refused | None:
    """Neither staff of any role nor superusers play."""
    if not is_staff_member(request.player):
        return None
    return Refused(
        "staff_do_not_play",
        _n("Staff cannot play here."),
    )


def bar_guests(request: admission.Request) -> Refused | None:
    """Guests play at open cash tables for play money; everything else needs an account."""
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
    """Refuse deposits for guests, whose wallets end with their sessions."""
    if Player.objects.filter(pk=player_id, is_guest=True).exists():
        raise Refused("guests_need_account", _n("A guest needs an account to pay in."))
