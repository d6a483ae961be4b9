"""The seats' part in a shoe: their browsers commit before it is locked and reveal afterwards."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games import shoes
from games.clock import end_reveal
from games.models import Seat, Shoe, Table
from games.refusal import Refused
from games.rows import lock_table, seats_at


def commit(player: Any, table_id: int, shoe_code: str, told: str) -> None:
    """A seat's commit to its bytes, while the shoe is sealed."""
    with transaction.atomic():
        _, seat, shoe = _at_shoe(player, table_id, shoe_code)
        shoes.commit(shoe, seat, told)


def reveal(player: Any, table_id: int, shoe_code: str, told: str, now: datetime) -> None:
    """A seat's bytes; when the last has come, the shoe is dealt from at once."""
    with transaction.atomic():
        table, seat, shoe = _at_shoe(player, table_id, shoe_code)
        shoes.reveal(shoe, seat, told)
        if not shoes.withholding(shoe):
            end_reveal(table, seats_at(table), now)


def _at_shoe(player: Any, table_id: int, shoe_code: str) -> tuple[Table, Seat, Shoe]:
    table = lock_table(table_id)
    seat = next((seat for seat in seats_at(table) if seat.player_id == player.pk), None)
    if seat is None:
        raise Refused("not_seated_here", _n("You do not sit at this table."))
    if table.shoe is None or table.shoe_id != shoe_code:
        raise Refused("no_such_shoe", _n("That shoe does not lie on the table."))
    return table, seat, table.shoe
