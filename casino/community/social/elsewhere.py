"""What other parts show of friends: seats beside them in the lobby, and a player's own file."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeGuard

from django.db.models import Q

from casino.accounts.models import Player
from casino.community.social import friends, profiles
from casino.community.social.models import (
    Block,
    Follow,
    Friendship,
    FriendsOnly,
    PlayerNote,
    TableInvitation,
)
from games.models import Seat
from games.models.combined import Read
from games.words.naming import game_name
from wallets.values.player import Viewer

SHOWN: Final = 2


class FriendAtTable(NamedTuple):
    """A table at which friends sit; empty seats and those of bots are free for the reader."""

    table_id: int
    table: str
    game: str
    game_name: str
    names: tuple[str, ...]
    faces: tuple[int, ...]
    is_free: bool


def _may_have_friends(viewer: Viewer) -> TypeGuard[Player]:
    return isinstance(viewer, Player) and not (viewer.is_staff or viewer.is_guest)


class FriendsInLobby:
    template: str = "social/in_lobby.html"
    place: str = "next"

    def reads(self, viewer: Viewer, now: datetime) -> Sequence[Read]:
        return [(friends.OF_PLAYER, (viewer.pk,))] if _may_have_friends(viewer) else []

    def content(self, viewer: Viewer, now: datetime) -> tuple[FriendAtTable, ...]:
        if not _may_have_friends(viewer):
            return ()
        beside = profiles.friends_at_tables(viewer, now)
        if not beside:
            return ()
        tables = {table.pk: table for table in beside.values()}
        seats = Seat.objects.filter(table__in=tables, left_at__isnull=True)
        taken = list(seats.values_list("table", "player", "player__is_bot"))
        people = Counter(table for table, _player, is_bot in taken if not is_bot)
        mine = {table for table, player, _is_bot in taken if player == viewer.pk}
        rows = []
        for number in sorted(tables.keys() - mine):
            here = [friend for friend, table in beside.items() if table.pk == number]
            table = tables[number]
            rows.append(
                FriendAtTable(
                    number,
                    table.title,
                    table.game,
                    str(game_name(table.game)),
                    tuple(friend.username for friend in here),
                    tuple(friend.face for friend in here[:SHOWN]),
                    people[number] < table.places,
                )
            )
        return tuple(sorted(rows, key=lambda row: not row.is_free)[:SHOWN])

    def state(self) -> object:
        """It is each reader's own; a seat that is taken renews the lobby anyway."""
        return None


def rows(player: Player) -> Iterator[dict[str, object]]:
    """Yield a player's own arrangements and notes; those of others belong to them."""
    pairs = Friendship.objects.filter(Q(sender=player) | Q(receiver=player)).order_by("pk")
    for pair in pairs.select_related("sender", "receiver"):
        is_mine = pair.sender_id == player.pk
        yield {
            "friend": (pair.receiver if is_mine else pair.sender).username,
            "request_by_me": is_mine,
            "requested": pair.made_at,
            "accepted": pair.accepted_at,
        }
    for follow in Follow.objects.filter(player=player).select_related("followed").order_by("pk"):
        yield {"follows": follow.followed.username, "since": follow.made_at}
    for block in Block.objects.filter(player=player).select_related("blocked").order_by("pk"):
        yield {"blocks": block.blocked.username, "since": block.made_at}
    for note in PlayerNote.objects.filter(player=player).select_related("about").order_by("pk"):
        yield {"note_on": note.about.username, "text": note.text, "written": note.written_at}
    invited = TableInvitation.objects.filter(friend=player).select_related("table").order_by("pk")
    for invitation in invited:
        yield {"invited_to": invitation.table.name, "at": invitation.made_at}
    if profiles.is_friends_only(player):
        yield {"profile": "friends_only"}


def forget(player: Player) -> None:
    """Also what others have written down about the player, which may say who it is."""
    Friendship.objects.filter(Q(sender=player) | Q(receiver=player)).delete()
    Follow.objects.filter(Q(player=player) | Q(followed=player)).delete()
    Block.objects.filter(Q(player=player) | Q(blocked=player)).delete()
    PlayerNote.objects.filter(Q(player=player) | Q(about=player)).delete()
    TableInvitation.objects.filter(Q(friend=player) | Q(table__opened_by=player)).delete()
    FriendsOnly.objects.filter(player=player).delete()
