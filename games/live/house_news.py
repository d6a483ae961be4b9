"""What the strip of a page shows besides the table that is watched."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

NOBODY: Final = MappingProxyType[int, frozenset[int]]({})
NOWHERE: Final = frozenset[int]()


class HouseNews(NamedTuple):
    """Where players sit, what the jackpots show, and why the house opens no new hand."""

    # The tables of each player, and the players at each table.
    tables: Mapping[int, frozenset[int]] = NOBODY
    players: Mapping[int, frozenset[int]] = NOBODY
    # Amounts by jackpot, as JSON.
    pools: bytes = b"{}"
    # The code of the reason; empty while hands are opened.
    notice: str = ""

    def sits_of(self, player_id: int | None) -> frozenset[int]:
        return NOWHERE if player_id is None else self.tables.get(player_id, NOWHERE)

    def sitting_at(self, table_id: int) -> frozenset[int]:
        return self.players.get(table_id, NOWHERE)
