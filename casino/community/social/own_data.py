"""The social data about a player: for their file, and to forget."""

from collections.abc import Iterator

from django.db.models import Q

from casino.accounts.models import Player
from casino.community.social import profiles
from casino.community.social.models import (
    Block,
    Follow,
    Friendship,
    FriendsOnly,
    PlayerNote,
    TableInvitation,
)


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
