"""Who may see a table, and who may sit at it: the one place that decides it."""

from secrets import compare_digest
from typing import Any

from django.utils.translation import gettext_noop as _n

from games.models import Table
from games.refusal import Hidden, Refused


def may_watch(user: Any, table: Table, invitation: str = "") -> bool:
    """Whether somebody, signed in or not, may see what everybody sees of a table."""
    if not table.private or invites(table, invitation):
        return True
    if not user.is_authenticated:
        return False
    return (
        table.opened_by_id == user.pk
        or user.has_perm("games.view_table")
        or table.seats.filter(player=user, left_at__isnull=True).exists()
    )


def invites(table: Table, invitation: str) -> bool:
    """Whether this is the table's invitation."""
    return compare_digest(invitation.encode(errors="replace"), table.invitation.encode())


def is_invited(table_id: int, invitation: str) -> bool:
    """Whether an invitation opens a table that is closed to others."""
    table = Table.objects.filter(pk=table_id, private=True).first()
    return table is not None and invites(table, invitation)


def require_watch(user: Any, table: Table, invitation: str = "") -> None:
    """Refuse a look as if there were no such table."""
    if not may_watch(user, table, invitation):
        raise Hidden("no_such_table", _n("There is no such table."))


def require_entry(player: Any, table: Table, invitation: str = "") -> None:
    """Refuse a seat to whoever may not even look, and to whoever is not active."""
    require_watch(player, table, invitation)
    if not player.is_active:
        raise Refused("not_active", _n("This account cannot play."))
