"""The seats' part in a shoe: their browsers commit before it is locked and reveal afterwards.

That happens while the hand before is played, or between two hands. A page that is left in between
withdraws its commit, so that the table does not wait for it.
"""

from datetime import datetime
from functools import partial
from typing import NamedTuple, cast

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.live.announcing import announce_mix
from games.models import Seat, Shoe, ShoeSeat, Table
from games.models.combined_reads import Read, read_together
from games.shoes import custody
from games.tables import next_shoe, ready_players
from games.tables.access import require_seat
from games.tables.clock import end_reveal, is_due, reads_of_deal, tick
from games.tables.copies import COPIES
from games.tables.lock import (
    SEATS,
    lock_table,
    read_shoes,
    reads_of_shoes,
    seats_at,
    store_table,
)
from wallets.values.errors import Refused
from wallets.values.player import Player


def commit(player: Player, table_id: int, shoe_code: str, commitment: str, now: datetime) -> str:
    """Store a seat's commit while the shoe is sealed, and return the commit that counts.

    Against the house the wait ends once all players have committed. Before the first hand of a
    table the pause lasts, unless a player has bet, so that players who arrive together are dealt in
    together.
    """
    with transaction.atomic():
        table, seats, seat, shoe, parts = _at_shoe(player, table_id, shoe_code)
        counted, is_new = custody.commit(shoe, seat, commitment, parts)
        if is_new:
            next_shoe.note_reply(seat, shoe.sealed_at, now)
        begins = table.hands_dealt == 0 and not any(one.next_bets for one in seats)
        hurried = (
            ready_players.is_against_house(table)
            and not begins
            and ready_players.hurry(table, seats, now)
        )
        if next_shoe.lock_for_slow(table, seats, now) or hurried:
            store_table(table)
        _tell_on_commit(table_id)
    if is_due(table, now):
        tick(table_id, now)
    return counted


def withdraw(player: Player, table_id: int, shoe_code: str, commitment: str) -> None:
    """Withdraw a commit while the shoe is sealed: that does not count as withholding."""
    with transaction.atomic():
        at = _at_shoe(player, table_id, shoe_code)
        if custody.withdraw(at.shoe, at.seat, commitment):
            # Another page of the player may be open, and commits anew.
            store_table(at.table)


def reveal(
    player: Player, table_id: int, shoe_code: str, revealed: str, now: datetime
) -> custody.Receipt:
    """Take a player's bytes and return the receipt; after the last seat the hand is dealt.

    The same bytes sent again get the same receipt, even if the shoe has gone. Bytes that come after
    the shoe was voided without them are published, too.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        in_use = shoe_code in (table.shoe_id, table.next_shoe_id)
        with read_together(reads_of_deal(table, shoe_code if in_use else None)):
            read_shoes(table)
            shoe = _in_use(table, shoe_code) or custody.earlier_shoe(table, shoe_code)
            parts = custody.PARTS(shoe.code) if shoe is not None else []
            given = (one for one in parts if one.player_id == player.pk and not one.by_house)
            own = next(given, None)
            if own is not None and own.receipt is not None and own.reveal == revealed:
                return cast(custody.Receipt, own.receipt)
            if shoe is not None and custody.is_voided_after_lock(shoe) and own is not None:
                return custody.reveal(shoe, own, revealed, now)
            seats = seats_at(table)
            seat, shoe = require_seat(player, seats), _shoe_of(table, shoe_code)
            receipt = custody.reveal(shoe, own, revealed, now)
            assert shoe.locked_at is not None
            next_shoe.note_reply(seat, shoe.locked_at, now)
            if table.phase == Table.Phase.REVEAL and all(part.reveal for part in parts):
                end_reveal(table, seats, parts, now)
        _tell_on_commit(table_id)
        return receipt


def _tell_on_commit(table_id: int) -> None:
    """Tell all processes that a seat has given its part, which makes no version."""
    transaction.on_commit(partial(COPIES.forget_parts, table_id))
    transaction.on_commit(partial(announce_mix, table_id))


class _AtShoe(NamedTuple):
    """A locked table where a player gives a part of a shoe, and the parts that the shoe has."""

    table: Table
    seats: list[Seat]
    seat: Seat
    shoe: Shoe
    parts: list[ShoeSeat]


def _at_shoe(player: Player, table_id: int, shoe_code: str) -> _AtShoe:
    table = lock_table(table_id)
    reads: list[Read] = [(SEATS, (table.pk,)), *reads_of_shoes(table)]
    if shoe_code in (table.shoe_id, table.next_shoe_id):
        reads.append((custody.PARTS, (shoe_code,)))
    with read_together(reads):
        read_shoes(table)
        seats = seats_at(table)
        seat, shoe = require_seat(player, seats), _shoe_of(table, shoe_code)
        return _AtShoe(table, seats, seat, shoe, custody.PARTS(shoe.code))


def _in_use(table: Table, code: str) -> Shoe | None:
    """The shoe of this name that the table uses or mixes now."""
    shoes = (table.shoe, table.next_shoe)
    return next((shoe for shoe in shoes if shoe is not None and shoe.code == code), None)


def _shoe_of(table: Table, code: str) -> Shoe:
    if (shoe := _in_use(table, code)) is None:
        raise Refused("no_such_shoe", _n("That shoe is not in play at this table."))
    return shoe
