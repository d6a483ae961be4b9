"""A player's page as others see it: results in points, and never an amount of money.

It is made of what `casino.returning` has counted, so of hands for play money alone.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Avg, Count, Q, Sum

from casino.players.models import Player
from casino.returning import achievements
from casino.returning.access import is_open_to, shown_to_others
from casino.returning.facts import HUNDREDTHS
from casino.returning.models import CountedHand, DayPlayed
from casino.social import follows, friends, notes, people
from casino.social.models import FriendsOnly
from games.words.naming import GAME_NAMES


class GamePlayed(NamedTuple):
    """A game that somebody has played of late."""

    name: str
    hands: int
    won_percent: int
    # Points a hand; None where every hand was at a private table.
    points: float | None


class Played(NamedTuple):
    """A player's games: all hands ever, and the games of the last weeks, most played first.

    The first game is the favourite one.
    """

    hands: int
    games: Sequence[GamePlayed]
    badges: Sequence[achievements.Shown]


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
    played: Played | None
    relation: Relation | None


def profile(reader: Player, name: str, now: datetime) -> Profile | None:
    """The page of a player as a reader sees it, or None where there is none."""
    player = people.named(name)
    if player is None:
        return None
    is_mine = player == reader
    is_shown = bool(shown_to_others([player.pk], now))
    if not is_mine and (not is_shown or people.blocks(player, reader)):
        return None
    relation = None if is_mine else _relation(reader, player)
    friends_only = is_friends_only(player)
    is_closed = relation is not None and (
        relation.i_block or (friends_only and not relation.is_friend)
    )
    played = None if is_closed or not is_open_to(reader) else _played(player.pk)
    return Profile(player, is_mine, friends_only, is_closed, is_shown, played, relation)


def _relation(reader: Player, player: Player) -> Relation:
    row = friends.between(reader, player).first()
    sender = row.sender_id if row is not None and row.accepted_at is None else None
    return Relation(
        row is not None and row.accepted_at is not None,
        sender == player.pk,
        sender == reader.pk,
        follows.is_following(reader, player),
        people.blocks(reader, player),
        notes.note_on(reader, player),
    )


def _played(player_id: int) -> Played:
    rows = CountedHand.objects.filter(player=player_id).values("game")
    counted = rows.annotate(
        hands=Count("pk"), won=Count("pk", filter=Q(won=True)), average=Avg("points")
    )
    games = [
        GamePlayed(
            str(GAME_NAMES[one["game"]]),
            one["hands"],
            round(100 * one["won"] / one["hands"]),
            None if one["average"] is None else one["average"] / HUNDREDTHS,
        )
        for one in counted.order_by("-hands", "game")
    ]
    days = DayPlayed.objects.filter(player=player_id).aggregate(hands=Sum("hands"))
    badges = [one for one in achievements.shown(player_id) if one.day]
    return Played(days["hands"] or 0, games, badges)


def is_friends_only(player: Player) -> bool:
    return FriendsOnly.objects.filter(player=player).exists()


def show_to(player: Player, *, friends_only: bool) -> None:
    """Show one's page to friends alone, or to all players."""
    with transaction.atomic():
        if friends_only:
            FriendsOnly.objects.get_or_create(player=player)
        else:
            FriendsOnly.objects.filter(player=player).delete()
