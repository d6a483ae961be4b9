"""Ending a hand: one posting for all that it moved, and what is derived from it.

The rules say who won and lost how much; here it becomes one balanced transaction between the
stacks, the house's bank, the pools and the rake of the table. Its key is made from the hand, so
that a hand can never be posted twice.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid5

import msgspec

from games import shoes
from games.attendance import count_missed_turns
from games.dealing import is_spent
from games.models import ChainEntry, Hand, HandSeat, Seat, Shoe, Table
from games.pools import after_hits, pool_of
from games.rules.contract import AnyGame, Redealing, State
from games.rules.record import recorded
from games.rules.settlement import PoolName, Settlement
from wallets.accounts import account
from wallets.ledger import Leg, post

POSTINGS: Final = UUID("6c0f2cf8-0f43-4b0c-8d0e-3f5f8a2a7d11")


def posting_key(what: str) -> UUID:
    """The key of a posting, from what it is made for."""
    return uuid5(POSTINGS, what)


def end_hand(
    table: Table, seats: Sequence[Seat], hand: Hand, game: AnyGame, state: State, now: datetime
) -> None:
    """Settle a hand that is over, pay it, and clear the table for the next."""
    settlement: Settlement = game.settle(state)
    legs = legs_of(hand, seats, settlement)
    if legs:
        hand.posting = posting_key(hand.reference)
        post(hand.posting, "hand", legs, book=table.reference, reference=hand.reference)
    hand.cards_dealt = game.dealt(state)
    hand.settlement = told_settlement(settlement)
    hand.rake, hand.bank = sum(settlement.rake.values()), bank_of(settlement)
    hand.status, hand.ended_at = Hand.Status.FINISHED, now
    hand.save(
        update_fields=[
            "posting",
            "cards_dealt",
            "settlement",
            "rake",
            "bank",
            "status",
            "ended_at",
        ]
    )
    _store_results(hand, settlement)
    count_missed_turns(hand, seats)
    after_hits(hand, pools_hit(settlement))
    _put_shoe_aside(table, hand, game)
    body = {"hand": hand.code, "shoe": hand.shoe_id, "settlement": hand.settlement}
    ChainEntry.objects.create(kind="hand", body=body, made_at=now)
    again = isinstance(game, Redealing) and game.passed_out(state)
    table.redeals = table.redeals + 1 if again else 0
    table.hand, table.phase, table.turns = None, Table.Phase.PAUSE, {}
    table.turn_began_at, table.deadline = None, None
    table.due_at = now + timedelta(seconds=table.pause_seconds)
    if not shoe_lies_open(table):
        table.shoe = shoes.seal(table, game, now)


def told_settlement(settlement: Settlement) -> dict[str, Any]:
    """A settlement as records and the database keep it."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(recorded(settlement)))
    return told


def shoe_lies_open(table: Table) -> bool:
    return table.shoe is not None and table.shoe.status == Shoe.Status.OPEN


def legs_of(hand: Hand, seats: Sequence[Seat], settlement: Settlement) -> list[Leg]:
    """What each account gets or gives; nothing where nothing moved."""
    table = hand.table
    stacks = {seat.number: seat.stack_id for seat in seats}
    legs = [
        Leg(stacks[seat], net)
        for seat, net in settlement.net.items()
        if net and not isinstance(seat, str)
    ]
    rake = sum(settlement.rake.values())
    if rake:
        legs.append(Leg(account("rake", table.reference, table.currency).pk, rake))
    bank = bank_of(settlement)
    if bank:
        legs.append(Leg(account("house", table.reference, table.currency).pk, bank))
    for name, change in settlement.pools.items():
        if change:
            legs.append(Leg(pool_of(hand, name).pool_id, change))
    return legs


def bank_of(settlement: Settlement) -> int:
    """What the house keeps of a hand beside the rake: less what it gives to the pools."""
    return settlement.net.get("house", 0) - sum(settlement.pools.values())


def pools_hit(settlement: Settlement) -> list[PoolName]:
    """The pools that something was paid out of."""
    paid = {str(line.source) for line in settlement.lines if line.key == "pool_paid"}
    return [name for name in settlement.pools if name in paid]


def _store_results(hand: Hand, settlement: Settlement) -> None:
    rows = list(hand.seats.all())
    for row in rows:
        row.net = settlement.net[row.number]
        row.rake = settlement.rake.get(row.number, 0)
        row.status, row.ended_at = hand.status, hand.ended_at
    HandSeat.objects.bulk_update(rows, ["net", "rake", "status", "ended_at"])


def _put_shoe_aside(table: Table, hand: Hand, game: AnyGame) -> None:
    """Count the cards that were dealt; a shoe that was used up is taken away."""
    shoe = hand.shoe
    shoe.cards_dealt += hand.cards_dealt
    if is_spent(game, shoe, hand.cards_dealt):
        shoe.status = Shoe.Status.SPENT
    shoe.save(update_fields=["cards_dealt", "status"])
    table.shoe = None if shoe.status == Shoe.Status.SPENT else shoe
