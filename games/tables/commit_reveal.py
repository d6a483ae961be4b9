"""The seats' part in a shoe: their browsers commit before it is locked and reveal afterwards.

That happens while the hand before is played, or between two hands. A page that is left in between
withdraws its commit, so that nobody waits for it.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.models import Seat, Shoe, Table
from games.shoes import custody
from games.tables import next_shoe, ready
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
        table, seats, seat, shoe = _at_shoe(player, table_id, shoe_code)
        counted, is_new = custody.commit(shoe, seat, commitment)
        is_noted = is_new and next_shoe.note_reply(seat, shoe.sealed_at, now)
        begins = table.hands_dealt == 0 and not any(one.next_bets for one in seats)
        hurried = ready.is_against_house(table) and not begins and ready.hurry(table, seats, now)
        if next_shoe.lock_for_slow(table, seats, now) or hurried or is_noted:
            store_table(table)
    tick(table_id, now)
    return counted


def withdraw(player: Player, table_id: int, shoe_code: str, commitment: str) -> None:
    """Withdraw a commit while the shoe is sealed: that does not count as withholding."""
    with transaction.atomic():
        table, _seats, seat, shoe = _at_shoe(player, table_id, shoe_code)
        if custody.withdraw(shoe, seat, commitment):
            # Another page of the player may be open, and commits anew.
            store_table(table)


def reveal(
    player: Player, table_id: int, shoe_code: str, revealed: str, now: datetime
) -> custody.Receipt:
    """Take a player's bytes and return the receipt; after the last seat the hand is dealt.

    The same bytes sent again get the same receipt, even if the shoe has gone meanwhile. Bytes that
    come after the shoe was voided without them are published, too.
    """
    if (before := custody.receipt_of(shoe_code, player.pk, revealed)) is not None:
        return before
    with transaction.atomic():
        table = lock_table(table_id)
        # The same bytes came twice at once.
        if (before := custody.receipt_of(shoe_code, player.pk, revealed)) is not None:
            return before
        if (shoe := custody.given_up(shoe_code, table, player.pk)) is not None:
            return custody.reveal(shoe, player.pk, revealed, now)
        seats = seats_at(table)
        seat, shoe = require_seat(player, seats), _shoe_of(table, shoe_code)
        receipt = custody.reveal(shoe, player.pk, revealed, now)
        assert shoe.locked_at is not None
        is_noted = next_shoe.note_reply(seat, shoe.locked_at, now)
        if table.phase == Table.Phase.REVEAL and not custody.withholding(shoe):
            end_reveal(table, seats, now)
        elif is_noted:
            store_table(table)
        return receipt


def _at_shoe(player: Player, table_id: int, shoe_code: str) -> tuple[Table, list[Seat], Seat, Shoe]:
    table = lock_table(table_id)
    seats = seats_at(table)
    return table, seats, require_seat(player, seats), _shoe_of(table, shoe_code)


def _shoe_of(table: Table, code: str) -> Shoe:
    for shoe in (table.shoe, table.next_shoe):
        if shoe is not None and shoe.code == code:
            return shoe
    raise Refused("no_such_shoe", _n("That shoe is not in play at this table."))
