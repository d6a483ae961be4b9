"""Friends who sit at a table, in the lobby: the shortest way to a seat beside them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeGuard

from casino.accounts.models import Player
from casino.community.social import friends, profiles
from games.models import Seat
from games.models.combined_reads import Read
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
