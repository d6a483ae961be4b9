"""The seats' part in a shoe: their devices start chains of numbers, and send a link for each shoe.

A link comes with an act of the hand before (`carried.py`); what comes without one comes here: a new
chain, the links of a shoe that is locked between two hands, and links of players who did not act.
"""

from datetime import datetime
from functools import partial
from typing import Final, cast

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from games.live.announcing import announce_mix
from games.models import Seat, Shoe, Table
from games.models.combined import read_together
from games.models.prepared import Update
from games.rules import links
from games.rules.shoe import ShoeProtocol
from games.shoes import custody
from games.tables import next_shoe, ready_players
from games.tables.admission import require_seat
from games.tables.carried import own_part
from games.tables.clock import end_reveal, is_due, reads_of_deal, tick
from games.tables.lock import SEATS, lock_table, read_shoes, reads_of_shoes, seats_at, store_table
from games.tables.table_cache import TABLE_CACHE
from wallets.values.errors import Refused
from wallets.values.player import Player

WRITE_TIP: Final = Update(Seat, ("tip",))


def take(player: Player, table_id: int, text: str, now: datetime) -> custody.Receipt | None:
    """Take what a device has sent, and return the receipt if it is a link."""
    sent = links.read(text)
    if sent.what == links.START:
        start(player, table_id, sent.value, now)
    elif sent.what == links.END:
        end(player, table_id, sent.value)
    else:
        return reveal(player, table_id, sent.what, sent.value, now)
    return None


def start(player: Player, table_id: int, tip: str, now: datetime) -> None:
    """Start a seat's chain, or a new one in place of it: its next lock is over this tip.

    A shoe that is locked already waits for a link of the chain before. Against the house the wait
    for the first shoe ends once all players have started theirs. Before the first hand of a table
    the pause lasts, unless a player has bet, so that players who arrive together are dealt in
    together.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        with read_together([(SEATS, (table.pk,)), *reads_of_shoes(table)]):
            read_shoes(table)
            at_table = seats_at(table)
        seat = require_seat(player, at_table)
        if seat.tip == tip:
            return
        seat.tip = tip
        WRITE_TIP(seat)
        begins = table.hands_dealt == 0 and not any(seat.next_bets for seat in at_table)
        if ready_players.is_against_house(table) and not begins:
            ready_players.hurry(table, at_table, now)
        store_table(table)
    if is_due(table, now):
        tick(table_id, now)


def end(player: Player, table_id: int, tip: str) -> None:
    """End a seat's chain, as its page is left: the house mixes the shoes that are not locked yet.

    That does not count as withholding. A chain that another page has started stays.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        seat = require_seat(player, seats_at(table))
        own = ShoeProtocol(f"T{table_id}").commitment(seat.number, bytes.fromhex(tip)).hex()
        if seat.tip in (tip, own):
            seat.tip = ""
            WRITE_TIP(seat)
            store_table(table)


def reveal(
    player: Player, table_id: int, shoe_code: str, revealed: str, now: datetime
) -> custody.Receipt:
    """Take a link and return the receipt; after the last one that is waited for the hand is dealt.

    The same link sent again gets the same receipt, even if the shoe has gone. One that comes after
    the shoe was voided without it is published, too.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        in_use = shoe_code in (table.shoe_id, table.next_shoe_id)
        with read_together(reads_of_deal(table, shoe_code if in_use else None)):
            read_shoes(table)
            shoe = _in_use(table, shoe_code) or custody.earlier_shoe(table, shoe_code)
            parts = custody.PARTS(shoe.code) if shoe is not None else []
            own = own_part(parts, player)
            if own is not None and own.receipt is not None and own.reveal == revealed:
                return cast(custody.Receipt, own.receipt)
            if shoe is not None and custody.is_voided_after_lock(shoe) and own is not None:
                return custody.reveal(shoe, own, revealed, now)
            at_table = seats_at(table)
            seat = require_seat(player, at_table)
            if shoe is None or _in_use(table, shoe_code) is None:
                raise Refused("no_such_shoe", _n("That shoe is not in play at this table."))
            receipt = custody.reveal(shoe, own, revealed, now)
            if table.phase == Table.Phase.REVEAL:
                assert shoe.locked_at is not None
                next_shoe.note_reply(seat, shoe.locked_at, now)
                if all(part.reveal for part in parts):
                    end_reveal(table, at_table, parts, now)
            elif ready_players.hurry(table, at_table, now):
                store_table(table)
        transaction.on_commit(partial(TABLE_CACHE.forget_parts, table_id))
        transaction.on_commit(partial(announce_mix, table_id))
    if is_due(table, now):
        tick(table_id, now)
    return receipt


def _in_use(table: Table, code: str) -> Shoe | None:
    """The shoe of this name that the table uses or mixes now."""
    shoes = (table.shoe, table.next_shoe)
    return next((shoe for shoe in shoes if shoe is not None and shoe.code == code), None)
