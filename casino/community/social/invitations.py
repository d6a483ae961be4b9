"""Inviting a friend to a private table: its link appears among the friend's pages.

Only the player who opened the table invites, as only they have the link on their page.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.care.rules import has_limited_time
from casino.community.social import friends
from casino.community.social.models import TableInvitation
from games.lobby.private_tables import opened_by
from games.models import Table
from games.models.combined import Read
from games.models.prepared import Query
from wallets.values.errors import Refused

# Every page says whether there are any.
OPEN: Final = Query(
    lambda friend: (
        TableInvitation.objects.filter(
            friend=friend,
            table__status=Table.Status.OPEN,
            table__invitation_digest=F("invitation_digest"),
        )
        .select_related("table__opened_by", "table__currency")
        .order_by("-made_at")
    )
)


def tables_to_offer(player: Player) -> list[Table]:
    """The private tables to which a player may invite."""
    return [table for table in opened_by(player) if table.status == Table.Status.OPEN]


def invite(player: Player, name: str, table_id: int, now: datetime) -> None:
    """Invite a friend to a table that one has opened; a second time renews it."""
    with transaction.atomic():
        other = friends.other_player(player, name)
        friends.hold(player, other)
        friends.reachable(player, name, now)
        if not friends.are_friends(player, other):
            raise Refused("not_friends", _n("You can only invite friends."))
        table = next((table for table in tables_to_offer(player) if table.pk == table_id), None)
        if table is None:
            raise Refused("no_such_table", _n("There is no such table."))
        # Invitations to closed tables are no longer needed.
        TableInvitation.objects.filter(
            table__opened_by=player, table__status=Table.Status.CLOSED
        ).delete()
        TableInvitation.objects.update_or_create(
            table=table,
            friend=other,
            defaults={"invitation_digest": table.invitation_digest, "made_at": now},
        )


def decline(player: Player, table_id: int) -> None:
    TableInvitation.objects.filter(friend=player, table=table_id).delete()


def reads(player: Player) -> list[Read]:
    return [(OPEN, (player.pk,))]


def of(player: Player) -> Sequence[TableInvitation]:
    """The invitations that a player can follow, the newest first.

    Players who have limited their time at tables are not invited.
    """
    return [] if has_limited_time(player) else OPEN(player.pk)
