"""The reader's own table on the page of an event: who sits there, and whose turn it is.

It names nobody's cards; those are at the table.
"""

from datetime import datetime
from typing import NamedTuple

from games.models import Seat, Table
from games.words.naming import player_title


class AtMyTable(NamedTuple):
    """A player at the reader's table."""

    name: str
    face: int
    chips: int
    to_act: bool
    mine: bool


class MyTable(NamedTuple):
    """The table as it stands between two looks at it."""

    id: int
    players: tuple[AtMyTable, ...]
    hand: int
    plays: bool
    # Whether the reader is to act, and until when somebody is.
    my_turn: bool
    deadline: datetime | None
    whole_seconds: int


def my_table(table_id: int | None, player_id: int) -> MyTable | None:
    """The table at which a player of the event sits; None for everybody else."""
    if table_id is None:
        return None
    table = Table.objects.get(pk=table_id)
    seats = Seat.objects.filter(table=table, left_at=None).select_related("player", "stack")
    turns = table.turns if table.phase == Table.Phase.PLAY else {}
    players = tuple(
        AtMyTable(
            name=player_title(seat.player.username, seat.player.is_bot),
            face=seat.player.face,
            chips=seat.stack.balance,
            to_act=str(seat.number) in turns,
            mine=seat.player_id == player_id,
        )
        for seat in seats.order_by("number")
    )
    return MyTable(
        id=table.pk,
        players=players,
        hand=table.hands_dealt,
        plays=table.phase == Table.Phase.PLAY,
        my_turn=any(one.mine and one.to_act for one in players),
        deadline=table.deadline if turns else None,
        whole_seconds=table.decision_seconds,
    )
