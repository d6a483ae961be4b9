"""Friends who sit at a table, in the lobby: the shortest way to a seat beside them."""

from collections import Counter
from datetime import datetime
from typing import Final, NamedTuple

from casino.accounts.models import Player
from casino.community.social import profiles
from games.models import Seat
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


class FriendsInLobby:
    template: str = "social/in_lobby.html"
    place: str = "next"

    def content(self, viewer: Viewer, now: datetime) -> tuple[FriendAtTable, ...]:
        if not isinstance(viewer, Player) or viewer.is_staff or viewer.is_guest:
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
            friends = [friend for friend, table in beside.items() if table.pk == number]
            table = tables[number]
            rows.append(
                FriendAtTable(
                    number,
                    table.title,
                    table.game,
                    str(game_name(table.game)),
                    tuple(friend.username for friend in friends),
                    tuple(friend.face for friend in friends[:SHOWN]),
                    people[number] < table.places,
                )
            )
        return tuple(sorted(rows, key=lambda row: not row.is_free)[:SHOWN])

    def state(self) -> object:
        """It is each reader's own; a seat that is taken renews the lobby anyway."""
        return None
