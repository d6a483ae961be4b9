"""A player's page as others see it, to which packages may add, and the lists on "My friends".

One list is of people whom a player has met at tables lately: to look them up, and to ask them.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction

from casino.accounts.models import Player
from casino.care.rules import has_limited_time, shown_to_others
from casino.community.social import friends, invitations
from casino.community.social.models import FriendsOnly, PlayerNote, TableInvitation
from games.models import HandSeat, Seat, Table
from games.tables.formats import listed_tables

# The hands that are looked at, and the people who are shown.
HANDS: Final = 60
SHOWN: Final = 8


def recent(player: Player, now: datetime, known: Iterable[int] = ()) -> list[Player]:
    """Those of the last hands at public tables, the latest first; none who are `known` already."""
    if has_limited_time(player):
        return []
    mine = HandSeat.objects.filter(
        listed_tables("table__"), player=player, table__private=False, ended_at__isnull=False
    )
    hands = list(mine.order_by("-ended_at", "-pk").values_list("hand", flat=True)[:HANDS])
    others = HandSeat.objects.filter(hand__in=hands).exclude(player=player)
    met = dict.fromkeys(others.order_by("-hand_id", "number").values_list("player", flat=True))
    for number in known:
        met.pop(number, None)
    apart = friends.apart(player.pk, met) if met else set()
    shown = shown_to_others(met.keys() - apart, now)
    return [shown[number] for number in met if number in shown][:SHOWN]


class Person(NamedTuple):
    """A player on a list; `table` is the open table at which they sit, if any."""

    player: Player
    # Whether they have a page: players who are away or have limited their time have none.
    is_shown: bool
    table: Table | None


class Lists(NamedTuple):
    friends: Sequence[Person]
    ask_me: Sequence[Person]
    awaited: Sequence[Person]
    followed: Sequence[Person]
    met: Sequence[Player]
    blocked: Sequence[Player]
    notes: Sequence[PlayerNote]
    invitations: Sequence[TableInvitation]
    # The tables to which friends can be invited.
    tables: Sequence[Table]


def lists_of(player: Player, now: datetime) -> Lists:
    circle, followed = friends.circle(player), friends.followed_by(player)
    named = [*circle.friends, *circle.ask_me, *circle.awaited, *followed]
    shown = shown_to_others({person.pk for person in named}, now).keys()
    at = _tables_of(player, circle.friends, followed, shown)

    def shown_as(players: Iterable[Player]) -> list[Person]:
        return [Person(person, person.pk in shown, at.get(person.pk)) for person in players]

    return Lists(
        shown_as(circle.friends),
        shown_as(circle.ask_me),
        shown_as(circle.awaited),
        shown_as(followed),
        recent(player, now, [person.pk for person in named]),
        friends.blocked_by(player),
        friends.notes_of(player),
        invitations.of(player),
        invitations.tables_to_offer(player),
    )


def friends_at_tables(player: Player, now: datetime) -> dict[Player, Table]:
    """The friends who sit at a public table, by name."""
    circle = friends.circle(player).friends
    if not circle:
        return {}
    at = _tables_of(player, circle, (), shown_to_others({friend.pk for friend in circle}, now))
    return {friend: at[friend.pk] for friend in circle if friend.pk in at}


def _tables_of(
    reader: Player, circle: Sequence[Player], followed: Sequence[Player], shown: Iterable[int]
) -> dict[int, Table]:
    """Return where friends sit, and those followed whose page is open to all.

    Only public tables; none for a reader who has limited their time.
    """
    if has_limited_time(reader):
        return {}
    closed = set(FriendsOnly.objects.filter(player__in=followed).values_list("player", flat=True))
    wanted = {player.pk for player in circle} | {player.pk for player in followed} - closed
    seats = Seat.objects.filter(
        listed_tables("table__"),
        player__in=wanted & set(shown),
        left_at__isnull=True,
        table__private=False,
    )
    return {seat.player_id: seat.table for seat in seats.select_related("table").order_by("-pk")}


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
    player = friends.named(name)
    if player is None:
        return None
    is_mine = player == reader
    is_shown = bool(shown_to_others([player.pk], now))
    if not is_mine and (not is_shown or friends.blocks(player, reader)):
        return None
    relation = None if is_mine else _relation(reader, player)
    friends_only = is_friends_only(player)
    is_closed = relation is not None and (
        relation.i_block or (friends_only and not relation.is_friend)
    )
    played = None if is_closed else _played(reader, player.pk)
    return Profile(player, is_mine, friends_only, is_closed, is_shown, played, relation)


def _played(reader: Player, player_id: int) -> object | None:
    return next((played for find in _finders if (played := find(reader, player_id))), None)


def _relation(reader: Player, player: Player) -> Relation:
    row = friends.between(reader, player).first()
    sender = row.sender_id if row is not None and row.accepted_at is None else None
    return Relation(
        row is not None and row.accepted_at is not None,
        sender == player.pk,
        sender == reader.pk,
        friends.is_following(reader, player),
        friends.blocks(reader, player),
        friends.note_on(reader, player),
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
