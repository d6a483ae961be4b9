"""Where a player sits, and what the jackpots show: what is in sight on every page."""

from typing import Any, Final, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from games.lobby.room import Pool, mark_of, pools
from games.models import Seat, Table
from games.words.naming import game_name
from wallets.amounts import show_amount

# How often a page asks by itself: one who plays elsewhere must not miss a move there.
PLAYS_ELSEWHERE_MILLISECONDS: Final = 5_000
IDLE_MILLISECONDS: Final = 30_000


class MySeat(NamedTuple):
    """A seat of the reader's, or a place that is kept for them."""

    table_id: int
    table: str
    game_name: str
    purse: str
    currency: str
    to_act: bool
    state: str


class Running(NamedTuple):
    """The strip, for one reader on one page."""

    seats: tuple[MySeat, ...]
    pools: tuple[Pool, ...]
    # The table whose page it stands on, if any.
    here: int | None
    watching: bool

    @property
    def elsewhere(self) -> bool:
        return any(seat.table_id != self.here for seat in self.seats)

    @property
    def calls(self) -> bool:
        """Whether a table that the reader does not look at waits for them."""
        return any(seat.to_act and seat.table_id != self.here for seat in self.seats)

    @property
    def milliseconds(self) -> int:
        """How long the page waits before it asks; "5s" would read like the name of a card."""
        return PLAYS_ELSEWHERE_MILLISECONDS if self.elsewhere else IDLE_MILLISECONDS

    @property
    def mark(self) -> str:
        return mark_of(self)


def my_seats(player: Any) -> list[MySeat]:
    """Where a player sits, the tables that wait for them first."""
    if not player.is_authenticated:
        return []
    own = Q(player=player) | Q(heir=player)
    seats = Seat.objects.filter(own, left_at__isnull=True)
    told = [_seat(player, seat) for seat in seats.select_related("table__currency", "stack")]
    return sorted(told, key=lambda seat: (not seat.to_act, seat.table))


def _seat(player: Any, seat: Seat) -> MySeat:
    table = seat.table
    kept = seat.heir_id == player.pk
    closing = table.status == Table.Status.CLOSING
    state = table.get_status_display() if closing else table.get_phase_display()
    return MySeat(
        table_id=table.pk,
        table=table.title,
        game_name=str(game_name(table.game)),
        purse=show_amount(seat.heir_buy_in if kept else seat.stack.balance, table.currency),
        currency=table.currency_id,
        to_act=not kept and str(seat.number) in table.turns,
        state=str(_("your place is kept") if kept else state),
    )


def running(player: Any, here: int | None) -> Running:
    """What the strip shows on the page of a table, or on any other."""
    seats = tuple(my_seats(player))
    watching = here is not None and all(seat.table_id != here for seat in seats)
    return Running(seats, tuple(pools()), here, watching)
