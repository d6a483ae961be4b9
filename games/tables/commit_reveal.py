"""The seats' part in a shoe: their browsers commit before it is locked and reveal afterwards.

A page that is left in between withdraws its commit, so that nobody waits for it.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.models import Seat, Shoe, Table
from games.shoes import custody
from games.tables import ready
from games.tables.access import require_seat
from games.tables.clock import end_reveal, tick
from games.tables.lock import lock_table, seats_at, store_table
from games.words.refusal import Refused
from wallets.player import Player


def commit(player: Player, table_id: int, shoe_code: str, commitment: str, now: datetime) -> str:
    """Store a seat's commit while the shoe is sealed, and return the commit that counts.

    Against the house nobody waits any longer once everybody has committed. Only before the first
    hand of a table the pause lasts, unless somebody has bet: whoever comes together is dealt in
    together.
    """
    with transaction.atomic():
        table, seat, shoe = _at_shoe(player, table_id, shoe_code)
        counted = custody.commit(shoe, seat, commitment)
        seats = seats_at(table)
        begins = table.hands_dealt == 0 and not any(one.next_bets for one in seats)
        if ready.is_against_house(table) and not begins and ready.hurry(table, seats, now):
            store_table(table)
    tick(table_id, now)
    return counted


def withdraw(player: Player, table_id: int, shoe_code: str, commitment: str) -> None:
    """Withdraw a commit while the shoe is sealed: that does not count as withholding."""
    with transaction.atomic():
        table, seat, shoe = _at_shoe(player, table_id, shoe_code)
        if custody.withdraw(shoe, seat, commitment):
            # Another page of the player may be open, and commits anew.
            store_table(table)


def reveal(
    player: Player, table_id: int, shoe_code: str, revealed: str, now: datetime
) -> custody.Receipt:
    """Take a seat's bytes and return the receipt; after the last seat the hand is dealt.

    The same bytes sent again get the same receipt, even if the shoe has gone meanwhile.
    """
    if (before := custody.receipt_of(shoe_code, player.pk, revealed)) is not None:
        return before
    with transaction.atomic():
        table, seat, shoe = _at_shoe(player, table_id, shoe_code)
        # The same bytes came twice at once.
        if (before := custody.receipt_of(shoe_code, player.pk, revealed)) is not None:
            return before
        receipt = custody.reveal(shoe, seat, revealed, now)
        if not custody.withholding(shoe):
            end_reveal(table, seats_at(table), now)
        return receipt


def _at_shoe(player: Player, table_id: int, shoe_code: str) -> tuple[Table, Seat, Shoe]:
    table = lock_table(table_id)
    seat = require_seat(player, seats_at(table))
    if table.shoe is None or table.shoe_id != shoe_code:
        raise Refused("no_such_shoe", _n("That shoe is not in play at this table."))
    return table, seat, table.shoe
