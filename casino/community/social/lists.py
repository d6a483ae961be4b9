"""The lists on "My friends": who they are, and at which open tables they sit."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from casino.accounts.models import Player
from casino.care.visibility import has_limited_time, shown_to_others
from casino.community.social import blocks, follows, friends, invitations, notes
from casino.community.social.models import FriendsOnly, PlayerNote, TableInvitation
from games.models import Seat, Table
from games.tables.formats import listed_tables


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
    blocked: Sequence[Player]
    notes: Sequence[PlayerNote]
    invitations: Sequence[TableInvitation]
    # The tables to which friends can be invited.
    tables: Sequence[Table]


def lists_of(player: Player, now: datetime) -> Lists:
    circle, followed = friends.circle(player), follows.followed_by(player)
    named = [*circle.friends, *circle.ask_me, *circle.awaited, *followed]
    shown = shown_to_others({one.pk for one in named}, now).keys()
    at = _tables_of(player, circle.friends, followed, shown)

    def people(players: Iterable[Player]) -> list[Person]:
        return [Person(one, one.pk in shown, at.get(one.pk)) for one in players]

    return Lists(
        people(circle.friends),
        people(circle.ask_me),
        people(circle.awaited),
        people(followed),
        blocks.blocked_by(player),
        notes.notes_of(player),
        invitations.of(player),
        invitations.tables_to_offer(player),
    )


def _tables_of(
    reader: Player, circle: Sequence[Player], followed: Sequence[Player], shown: Iterable[int]
) -> dict[int, Table]:
    """Return where friends sit, and those followed whose page is open to all.

    Only public tables; none for a reader who has limited their time.
    """
    if has_limited_time(reader):
        return {}
    closed = set(FriendsOnly.objects.filter(player__in=followed).values_list("player", flat=True))
    wanted = {one.pk for one in circle} | {one.pk for one in followed} - closed
    seats = Seat.objects.filter(
        listed_tables("table__"),
        player__in=wanted & set(shown),
        left_at__isnull=True,
        table__private=False,
    )
    return {seat.player_id: seat.table for seat in seats.select_related("table").order_by("-pk")}
