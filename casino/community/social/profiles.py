"""A player's page as others see it; another package may add what the player has played."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from casino.accounts.models import Player
from casino.care.visibility import shown_to_others
from casino.community.social import follows, friends, notes, player_search
from casino.community.social.models import FriendsOnly


class Relation(NamedTuple):
    """The relation between the reader and the player whose page it is."""

    is_friend: bool
    asks_me: bool
    i_wait: bool
    i_follow: bool
    i_block: bool
    note: str


class Profile(NamedTuple):
    """A player's page; the parts are None where the reader does not see them."""

    player: Player
    is_mine: bool
    is_friends_only: bool
    # Whether only friends see more than the name, and the reader is none.
    is_closed: bool
    is_shown: bool
    played: object | None
    relation: Relation | None


# Supplied by the app that counts hands: what a reader may see of a player's.
_finders: list[Callable[[Player, int], object | None]] = []


def show_played(find: Callable[[Player, int], object | None]) -> None:
    """Have the page show what another package has counted of a player's hands."""
    _finders.append(find)


def profile(reader: Player, name: str, now: datetime) -> Profile | None:
    """The page of a player as a reader sees it, or None where there is none."""
    player = player_search.named(name)
    if player is None:
        return None
    is_mine = player == reader
    is_shown = bool(shown_to_others([player.pk], now))
    if not is_mine and (not is_shown or player_search.blocks(player, reader)):
        return None
    relation = None if is_mine else _relation(reader, player)
    friends_only = is_friends_only(player)
    is_closed = relation is not None and (
        relation.i_block or (friends_only and not relation.is_friend)
    )
    played = None if is_closed else _played(reader, player.pk)
    return Profile(player, is_mine, friends_only, is_closed, is_shown, played, relation)


def _played(reader: Player, player_id: int) -> object | None:
    return next((found for find in _finders if (found := find(reader, player_id))), None)


def _relation(reader: Player, player: Player) -> Relation:
    row = friends.between(reader, player).first()
    sender = row.sender_id if row is not None and row.accepted_at is None else None
    return Relation(
        row is not None and row.accepted_at is not None,
        sender == player.pk,
        sender == reader.pk,
        follows.is_following(reader, player),
        player_search.blocks(reader, player),
        notes.note_on(reader, player),
    )


def is_friends_only(player: Player) -> bool:
    return FriendsOnly.objects.filter(player=player).exists()


def show_to(player: Player, *, friends_only: bool) -> None:
    """Show one's page to friends alone, or to all players."""
    with transaction.atomic():
        if friends_only:
            FriendsOnly.objects.get_or_create(player=player)
        else:
            FriendsOnly.objects.filter(player=player).delete()
