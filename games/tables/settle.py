"""Ending a hand: one posting for every chip that it moved, and the rows derived from it.

The rules say who won and lost how much; here it becomes one balanced transaction between the
stacks, the house's bank, the pools and the rake of the table. Its key is made from the hand, so
that a hand can never be posted twice.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid5

import msgspec
from django.utils.translation import gettext_noop as _n

from games.models import Hand, HandSeat, Move, Seat, Shoe, ShoeSeat, Table
from games.models.combined import CannotPlan, plan_of_now
from games.models.prepared import Insert, Update, UpdateRows
from games.rules.contract import AnyGame, State, is_passed_out
from games.rules.record import recorded
from games.rules.settlement import PoolName, Settlement
from games.shoes import chain, custody
from games.tables import hand_digest, next_shoe
from games.tables.autoplay import plays_by_itself
from games.tables.deal import is_spent
from games.tables.formats import format_of, is_cash
from games.tables.hand_state import lay_open_context, lay_open_moves
from games.tables.jackpots import after_hits, pool_of
from games.tables.missed_turns import after_hand
from games.tables.squeeze import squeeze_time
from games.tables.table_cache import TABLE_CACHE
from wallets.money.cashier import HOUSE
from wallets.money.ledger import Leg, post
from wallets.storage.batched_writes import after_commit

# Why a hand's posting was made: its reference says which hand it is.
SETTLED: Final = _n("hand settled")
# Devices have so long for their part in a shoe where there is no result to read.
MIXING_SECONDS: Final = 3
LAID_OPEN: Final = ("context", "draws", "sealed_context")
WRITE_END: Final = Update(
    Hand,
    ("posting", "cards_dealt", "settlement", "rake", "bank", "status", "ended_at", *LAID_OPEN),
)
INSERT_MOVES: Final = Insert(Move)
WRITE_MOVES: Final = UpdateRows(Move, ("action", "sealed_action"))
WRITE_RESULTS: Final = UpdateRows(HandSeat, ("net", "rake", "status", "ended_at"))
WRITE_SHOE: Final = Update(Shoe, ("cards_dealt", "status"))
POSTINGS: Final = UUID("6c0f2cf8-0f43-4b0c-8d0e-3f5f8a2a7d11")


def posting_key(what: str) -> UUID:
    """The key of a posting, derived from its purpose."""
    return uuid5(POSTINGS, what)


def end_hand(
    rows: hand_digest.Rows,
    parts: Sequence[ShoeSeat],
    seats: Sequence[Seat],
    game: AnyGame,
    state: State,
    now: datetime,
) -> dict[int, int]:
    """Settle a hand that is over, pay it, and clear its table for the next.

    Return by how much the balance of each account changes. The rows are the caller's own, and the
    last moves are not stored yet. The parts are those of the hand's shoe: what is read is read
    before the first write, so that all writes go together.
    """
    hand, moves, players = rows
    table = hand.table
    settlement: Settlement = game.settle(state)
    legs = legs_of(hand, seats, settlement)
    if legs:
        hand.posting = posting_key(hand.reference)
        post(
            hand.posting,
            "hand",
            legs,
            book=table.reference,
            actor=HOUSE,
            reason=SETTLED,
            reference=hand.reference,
        )
    store_moves(moves, game, state)
    hand.cards_dealt = game.dealt(state)
    hand.settlement = settlement_payload(settlement)
    hand.rake, hand.bank = sum(settlement.rake.values()), bank_of(settlement)
    fell = any(line.key == "mystery" for line in settlement.lines)
    lay_open_context(hand, game, fell=fell)
    hand.status, hand.ended_at = Hand.Status.FINISHED, now
    WRITE_END(hand)
    store_results(hand, players, settlement)
    after_hand(table, players, moves, seats)
    report_end(table, hand, seats, settlement, now)
    after_hits(hand, pools_hit(settlement))
    put_shoe_aside(table, hand, game)
    secret = custody.secret_of(hand.shoe)
    publish(
        hand,
        hand_digest.published(rows, game, hand.cards_dealt, secret, parts=parts),
        now,
    )
    again = is_passed_out(game, state)
    table.redeals = table.redeals + 1 if again else 0
    table.hand, table.phase, table.turns = None, Table.Phase.PAUSE, {}
    table.turn_began_at, table.deadline = None, None
    looking = squeeze_time(table, moves, seats, now)
    table.due_at = now + looking + _pause(table, players, seats, now)
    if table.shoe is None or table.shoe.status != Shoe.Status.OPEN:
        next_shoe.take_next(table, game, now)
    return dict(legs)


def _pause(
    table: Table, players: Sequence[HandSeat], seats: Sequence[Seat], now: datetime
) -> timedelta:
    """The time to read the result; where nobody present has one, that to mix the next shoe."""
    numbers = {player.number for player in players}
    is_read = any(
        seat.number in numbers and not plays_by_itself(table, seat, seats, now) for seat in seats
    )
    return timedelta(
        seconds=table.pause_seconds if is_read else min(table.pause_seconds, MIXING_SECONDS)
    )


def report_end(
    table: Table, hand: Hand, seats: Sequence[Seat], settlement: Settlement | None, now: datetime
) -> None:
    """Tell the table's format that a hand is over: now, and again after the commit."""
    rules = format_of(table)
    is_more = not is_cash(table) or any(seat.reserved_for_id for seat in seats)
    if is_more and plan_of_now() is not None:
        # What follows takes transactions of its own.
        raise CannotPlan
    rules.hand_ended(hand, settlement)
    after_commit(lambda: rules.after_commit(hand, seats, now), robust=True)


def publish(hand: Hand, hashes: Mapping[str, object], now: datetime) -> None:
    """Add the public facts of a finished hand to the public chain."""
    body = {"hand": hand.code, "shoe": hand.shoe_id, "settlement": hand.settlement, **hashes}
    chain.add("hand", body, now)


def settlement_payload(settlement: Settlement) -> dict[str, Any]:
    """A settlement as records and the database store it."""
    data: dict[str, object] = msgspec.json.decode(msgspec.json.encode(recorded(settlement)))
    return data


class Accounts(NamedTuple):
    """How to find the accounts of a table, by their kinds, and those of the pools of a hand."""

    of: Callable[[Table, str], int] = TABLE_CACHE.account_of
    pool: Callable[[Hand, PoolName], int] = lambda hand, name: pool_of(hand, name).pool_id


OF_TABLE: Final = Accounts()


def legs_of(
    hand: Hand, seats: Sequence[Seat], settlement: Settlement, find: Accounts = OF_TABLE
) -> list[Leg]:
    """Return what each account gets or gives; empty if no chip moved."""
    table = hand.table
    rules = format_of(table)
    stacks = {seat.number: rules.account(seat) for seat in seats}
    legs = [
        Leg(stacks[seat], net)
        for seat, net in settlement.net.items()
        if net and not isinstance(seat, str)
    ]
    rake = sum(settlement.rake.values())
    if rake:
        legs.append(Leg(find.of(table, "rake"), rake))
    bank = bank_of(settlement)
    if bank:
        legs.append(Leg(find.of(table, "house"), bank))
    for name, change in settlement.pools.items():
        if change:
            legs.append(Leg(find.pool(hand, name), change))
    return legs


def bank_of(settlement: Settlement) -> int:
    """Return the house's win in a hand without the rake, less its payments into the pools."""
    return settlement.net.get("house", 0) - sum(settlement.pools.values())


def pools_hit(settlement: Settlement) -> list[PoolName]:
    """The pools that something was paid out of."""
    paid = {str(line.source) for line in settlement.lines if line.key == "pool_paid"}
    return [name for name in settlement.pools if name in paid]


def store_moves(moves: Sequence[Move], game: AnyGame, state: State) -> None:
    """Store the last moves, and write openly what the end shows of those before."""
    shown = lay_open_moves(moves, game, state)
    WRITE_MOVES([move for move in shown if move.pk])
    INSERT_MOVES([move for move in moves if not move.pk])


def store_results(hand: Hand, rows: Sequence[HandSeat], settlement: Settlement) -> None:
    for row in rows:
        row.net = settlement.net[row.number]
        row.rake = settlement.rake.get(row.number, 0)
        row.status, row.ended_at = hand.status, hand.ended_at
    WRITE_RESULTS(rows)


def put_shoe_aside(table: Table, hand: Hand, game: AnyGame) -> None:
    """Count the cards that were dealt, and remove a shoe that is spent."""
    shoe = hand.shoe
    shoe.cards_dealt += hand.cards_dealt
    if is_spent(game, shoe, hand.cards_dealt):
        shoe.status = Shoe.Status.SPENT
    WRITE_SHOE(shoe)
    table.shoe = None if shoe.status == Shoe.Status.SPENT else shoe
