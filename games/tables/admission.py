"""Who may see a table, who may sit down there, and who may bring money or be dealt in.

Whether a table can be seen follows from its format and its invitation. The games know no limits, no
exclusion and no staff: packages that know them register a rule here when the site starts; a rule
answers with a refusal, which has a code and a sentence, or with None. The rules are asked in the
order in which they were registered, and the first refusal counts. Bots are not asked about: the
house seats them.

Being dealt in is asked before each hand for each seat, so a rule for that must be cheap. A **hold**
is asked about no player: while it refuses, no new hand opens at any table, and live ones finish.

"""

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from secrets import compare_digest
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_noop as _n

from games.models import Seat, Table
from games.models.combined import Read, read_together
from games.tables.formats import format_of
from games.tables.lock import seat_of
from wallets.storage.sealed_columns import digest_of
from wallets.values.errors import Hidden, Refused, require_none
from wallets.values.player import Player, Viewer, is_player
from wallets.values.registry import Registry


class Occasion(StrEnum):
    """The thing that a player is about to do."""

    # Take a seat, have one found or reserved, or open a table to sit at.
    SIT = "sit"
    TOP_UP = "top_up"
    DEAL = "deal"
    # Be given play money by the house.
    GRANT = "grant"
    # Open a table of one's own, type a message, or arrange something with another player: asked
    # separately, because not every player may do it.
    OPEN = "open"
    TALK = "talk"
    MEET = "meet"


class Request(NamedTuple):
    """A request to play: who wants to do what. Table and amount are None while undecided."""

    occasion: Occasion
    player: Viewer
    now: datetime | None = None
    # A row of `games.Table`.
    table: Any = None
    # The amount to take from the wallet, in minor units of the currency.
    amount: int = 0
    # The code of the currency where there is no table: an event has several, or none yet.
    event_currency: str = ""

    @property
    def currency(self) -> str:
        """The code of the currency, empty while undecided."""
        return self.event_currency if self.table is None else str(self.table.currency_id)


Rule = Callable[[Request], Refused | None]

Hold = Callable[[datetime], Refused | None]


class Holding(NamedTuple):
    """A hold that is asked before each hand, and what it reads for its answer."""

    hold: Hold
    read: Read


RULES: Final = Registry[Rule]("rule of admission")
HOLDS: Final = Registry[Holding]("hold")


def refusal(request: Request) -> Refused | None:
    """Return why a player may not do this, or None if they may."""
    if not is_player(request.player) or request.player.is_bot:
        return None
    return next((why for rule in RULES.values() if (why := rule(request))), None)


def require(request: Request) -> None:
    """Refuse what any rule refuses."""
    require_none(refusal(request))


def held(now: datetime) -> Refused | None:
    """Return why the house opens no new hand at any table, or None while it does."""
    with read_together(reads_of_holds()):
        return next((why for hold in HOLDS.values() if (why := hold.hold(now))), None)


def reads_of_holds() -> list[Read]:
    """The reads of the holds, for callers that combine them with others."""
    return [hold.read for hold in HOLDS.values()]


def may_watch(
    viewer: Viewer, table: Table, invitation: str = "", seats: Sequence[Seat] | None = None
) -> bool:
    """Whether a viewer, signed in or not, may see the public side of a table.

    Its seats are read if the caller does not have them, and only where the answer depends on them.
    """
    if not format_of(table).may_watch(viewer):
        return False
    if not table.private or invites(table, invitation):
        return True
    if not viewer.is_authenticated:
        return False
    return (
        table.opened_by_id == viewer.pk
        or viewer.has_perm("games.view_table")
        or _sits(viewer, table, seats)
    )


def _sits(viewer: Viewer, table: Table, seats: Sequence[Seat] | None) -> bool:
    if seats is None:
        return table.seats.filter(player=viewer.pk, left_at__isnull=True).exists()
    return seat_of(viewer, seats) is not None


def invites(table: Table, invitation: str) -> bool:
    return compare_digest(digest_of(invitation), table.invitation_digest)


def is_invited(table_id: int, invitation: str) -> bool:
    table = Table.objects.filter(pk=table_id, private=True).first()
    return table is not None and invites(table, invitation)


def require_watch(viewer: Viewer, table: Table, invitation: str = "") -> None:
    """Refuse to show a table as if there were none."""
    if not may_watch(viewer, table, invitation):
        raise Hidden("no_such_table", _n("There is no such table."))


def require_entry(player: Player, table: Table, invitation: str = "") -> None:
    """Refuse a seat to a player who may not watch the table, or whose account is inactive."""
    require_watch(player, table, invitation)
    if not player.is_active:
        raise Refused("not_active", _n("This account cannot play."))


def require_seat(player: Player, seats: Sequence[Seat]) -> Seat:
    """The player's seat among those of a table."""
    seat = seat_of(player, seats)
    if seat is None:
        raise Refused("not_seated_here", _n("You do not sit at this table."))
    return seat
