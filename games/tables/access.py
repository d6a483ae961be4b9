"""The one place that decides who may see a table and who may sit at it."""

from collections.abc import Sequence
from secrets import compare_digest

from django.utils.translation import gettext_noop as _n

from games.models import Seat, Table
from games.tables.formats import format_of
from games.tables.lock import seat_of
from wallets.storage.sealed_columns import digest_of
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Player, Viewer


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
