"""The JSON of a table in a stream: each field of the public and of the own part is a piece."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from games.api.table_json import own_part, public_part
from games.boards.renderings import Pieces
from games.models import Seat, Table
from wallets.player import Viewer

FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


class StreamJson:
    """The rendering `json`."""

    def public(self, table: Table, seats: Sequence[Seat], language: str) -> Pieces:
        return _fields(public_part(table, seats, language))

    def own(
        self, viewer: Viewer, table: Table, seats: Sequence[Seat], now: datetime, language: str
    ) -> Pieces:
        return _fields(own_part(viewer, table, seats, now, language))


def _fields(part: bytes) -> Pieces:
    return {name: bytes(piece) for name, piece in FIELDS.decode(part).items()}
