"""The link of a seat's chain that an act carries, for the shoe of the next hand.

It is stored in the statement or the transaction of the act. What does not fit is left: an act is
not refused because of it, and the device sees that its link is still wanted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from games.models import Shoe, ShoeSeat, Table
from games.rules import links
from games.rules.errors import Unreadable
from games.shoes import custody
from games.tables.hand_cache import own_row
from games.tables.table_cache import TABLE_CACHE
from wallets.values.errors import Refused
from wallets.values.player import Player

# The header of an answer with the receipt for what an act has carried.
RECEIPT: Final = "Mix-Receipt"


@dataclass
class Carried:
    """What came with an act, and the receipt for it."""

    text: str = ""
    receipt: custody.Receipt | None = None

    def part(self, player: Player, table: Table, now: datetime) -> ShoeSeat | None:
        """The player's part in the next shoe with the link that came, for the caller to write.

        The house answers a link that came before with the receipt that it gave.
        """
        self.receipt = None
        shoe = table.next_shoe if self.text else None
        if shoe is None or shoe.status != Shoe.Status.LOCKED:
            return None
        try:
            sent = links.read(self.text)
            seat = own_part(TABLE_CACHE.parts_of(table, shoe), player)
            if sent.what != shoe.code or seat is None:
                return None
            if seat.reveal == sent.value:
                self.receipt = cast(custody.Receipt, seat.receipt)
                return None
            part = own_row(seat)
            self.receipt = custody.accept(shoe, part, sent.value, now)
        except (Refused, Unreadable):
            return None
        return part


def own_part(parts: Iterable[ShoeSeat], player: Player) -> ShoeSeat | None:
    """The part of a shoe that a player's device gives."""
    own = (part for part in parts if part.player_id == player.pk and not part.by_house)
    return next(own, None)


def compact(receipt: custody.Receipt) -> str:
    """What a device does not know itself of a receipt: time, signature and key."""
    return f"{receipt['statement']['at']} {receipt['signature']} {receipt['key']}"
