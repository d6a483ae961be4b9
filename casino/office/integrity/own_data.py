"""The traces of a player: for the file of their own data, and for erasure."""

from collections.abc import Iterator
from typing import Final

from casino.accounts.models import Player
from casino.care.own_data import DataRow
from casino.office.integrity.models import Trace

ROWS_AT_ONCE: Final = 1_000


def rows(player: Player) -> Iterator[DataRow]:
    """Yield when the house noted where the player came from; the hashes identify no player."""
    traces = Trace.objects.filter(player=player).order_by("pk")
    for trace in traces.iterator(chunk_size=ROWS_AT_ONCE):
        yield {"kind": trace.kind, "table": trace.table_id, "at": trace.at}


def forget(player: Player) -> None:
    Trace.objects.filter(player=player).delete()
